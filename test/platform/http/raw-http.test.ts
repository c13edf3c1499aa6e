import { afterEach, expect, test } from 'bun:test';
import { mintKey } from '../../../src/platform/base/key.ts';
import { openStall } from '../../helpers/harness.ts';
import { getRaw, sendRaw } from './raw-socket.ts';

const stall = await openStall();
const reader = await stall.reader('reader@example.org', 'paid-skill');
const HOST = new URL(stall.url).host;
const KEY = `Authorization: Bearer ${reader.key}`;

afterEach(async () => {
  expect((await stall.fetch('/livez')).status).toBe(200);
  expect(stall.log.filter(({ event }) => event === 'internal-error')).toEqual([]);
});

test('a refused Host is one line in the log', async () => {
  const before = stall.log.length;
  const answer = await sendRaw(stall.url, ['GET /api/items HTTP/1.1', `Host: ${HOST}`, 'Host: evil.example']);
  expect(JSON.parse(answer?.body ?? '')).toMatchObject({ code: 'INVALID_REQUEST' });
  expect(stall.log.slice(before)).toMatchObject([{ event: 'request', route: '/api/items', status: 400 }]);
});

test.each([
  ['absolute form', `http://${HOST}/api/install/paid-skill`],
  ['absolute form of another host', 'http://evil.example/api/install/paid-skill'],
  ['absolute form with a key', `http://${HOST}/api/items?key=${reader.key}`],
  ['a target without a slash', 'api/install/paid-skill'],
  ['two slashes', '//api/install/paid-skill'],
  ['a dot segment', '/api/install/../install/paid-skill'],
  ['an encoded slash', '/api/install/..%2finstall%2fpaid-skill'],
  ['a fragment', '/api/install/paid-skill#x'],
  ['a backslash', '/api\\install\\paid-skill'],
])('a target in %s opens nothing without a key', async (_, target) => {
  const answer = await getRaw(stall.url, target);
  if (answer !== null) expect([400, 401, 404]).toContain(answer.status);
});

test.each([
  ['..%2f', '..%2f..%2fetc%2fpasswd'],
  ['NUL', 'free-skill%00'],
  ['%ff', '%ff%fe'],
  ['half an escape', '%'],
  ['10 KB', 'a'.repeat(10_240)],
  ['an own property', '__proto__'],
  ['a method of objects', 'constructor'],
  ['a wildcard', '*'],
  ['a newline', '%0d%0aX-Injected:%20yes'],
  ['other case', 'Free-Skill'],
])('a slug that is %s is not found on any route that takes one', async (_, slug) => {
  for (const path of [
    `/api/install/${slug}`,
    `/api/skills/${slug}/download`,
    `/api/skills/${slug}/files`,
    `/api/books/${slug}/files`,
  ]) {
    const answer = await getRaw(stall.url, path, KEY);
    expect(`${path} ${answer?.status}`).toBe(`${path} 404`);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ code: 'NOT_FOUND' });
    expect(answer?.headers['x-injected']).toBeUndefined();
  }
});

test.each([
  ['twice the same', [KEY, KEY]],
  ['with an unknown one after it', [KEY, `Authorization: Bearer ${mintKey()}`]],
  ['with an empty one before it', ['Authorization:', KEY]],
  ['with Basic beside it', [KEY, 'Authorization: Basic eDp5']],
  ['as Basic', [`Authorization: Basic ${btoa(`x:${reader.key}`)}`]],
  ['without a scheme', [`Authorization: ${reader.key}`]],
  ['with more behind it', [`${KEY} more`]],
  ['in another header', [`X-Api-Key: ${reader.key}`]],
  ['in a cookie', [`Cookie: session=${reader.key}`]],
])('a good key %s is no credential', async (_, lines) => {
  expect((await getRaw(stall.url, '/api/install/paid-skill', ...lines))?.status).toBe(401);
});

test.each(['bearer', 'BEARER', 'Bearer  '])(
  'a good key with the scheme "%s" is a credential',
  async (scheme) => {
    expect(
      (await getRaw(stall.url, '/api/install/paid-skill', `Authorization: ${scheme} ${reader.key}`))?.status,
    ).toBe(200);
  },
);

test.each([
  ['plain', (key: string) => `?key=${key}`],
  ['escaped', (key: string) => `?key=%73${key.slice(1)}`],
  ['escaped beside a broken escape', (key: string) => `?x=%ff&key=%73${key.slice(1)}`],
  ['as a name', (key: string) => `?${key}`],
  ['with a wrong checksum', (key: string) => `?key=${key.slice(0, -6)}000000`],
  ['as an install token', (key: string) => `?token=svi_${key.slice(4)}`],
  ['behind a valid header', (key: string) => `?path=x&k=${key}`],
])('a key in the query, %s, is refused by every route and logged by none', async (_, make) => {
  for (const path of [
    '/',
    '/api/items',
    '/api/install/free-skill',
    '/api/cli/library',
    '/api/skills/free-skill/files',
    '/api/skills/free-skill/download',
    '/livez',
  ]) {
    const answer = await getRaw(stall.url, path + make(reader.key), KEY);
    expect(`${path} ${answer?.status}`).toBe(`${path} 400`);
    expect(answer?.body).not.toContain(reader.key.slice(8, 20));
  }
});
