import { expect, test } from 'bun:test';
import { askProvider } from '../../../src/selling/providers/provider-api.ts';
import { openScriptedApi } from './scripted-api.ts';

const KEY = 'sk_secret_1';
const chunk = new Uint8Array(65_536).fill(0x20);
let isHanging = 0;
const api = openScriptedApi({
  '/good': { a: 1 },
  '/bad-key': () => new Response('{}', { status: 401 }),
  '/forbidden': () => new Response('{}', { status: 403 }),
  '/often': () => new Response('{}', { status: 429, headers: { 'Retry-After': '7' } }),
  '/broken': () => new Response('oops', { status: 500 }),
  '/elsewhere': () => new Response(null, { status: 302, headers: { Location: '/good' } }),
  '/no-json': () => new Response('<html>'),
  '/endless': () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          controller.enqueue(chunk);
        },
      }),
    ),
  '/silent': () => {
    isHanging++;
    return new Promise(() => {});
  },
});
const ask = (path: string, timeout?: number, url = api.url) =>
  askProvider('stripe', { key: KEY, url }, path, { timeout });

test('the key is sent as a bearer token', async () => {
  expect(await ask('/good')).toEqual({ state: 'found', body: { a: 1 } });
  expect(api.requests.at(-1)).toEqual({ path: '/good', authorization: `Bearer ${KEY}` });
});

test.each([
  ['/none', { state: 'missing' }],
  ['/bad-key', { state: 'failed', reason: 'it refuses the key (401)', retryAfter: null }],
  ['/forbidden', { state: 'failed', reason: 'the key may not do this (403)', retryAfter: null }],
  ['/often', { state: 'failed', reason: 'it was asked too often (429)', retryAfter: 7 }],
  ['/broken', { state: 'failed', reason: 'it answered 500', retryAfter: null }],
  ['/elsewhere', { state: 'failed', reason: 'it leads to another address (302), which is not followed' }],
  ['/no-json', { state: 'failed', reason: 'an answer that is not JSON' }],
  ['/endless', { state: 'failed', reason: 'an answer of more than 4194304 bytes' }],
])('%s', async (path, answer) => {
  const before = api.requests.length;
  expect(await ask(path)).toMatchObject(answer);
  expect(api.requests.length).toBe(before + 1);
});

test('a silent provider is given up', async () => {
  expect(await ask('/silent', 300)).toMatchObject({ state: 'failed', reason: 'no answer within 0.3 s' });
  expect(isHanging).toBe(1);
});

test('a provider that is not there is a reason, and no reason has the key', async () => {
  const answer = await ask('/x', undefined, 'http://127.0.0.1:1');
  expect(answer.state).toBe('failed');
  expect(JSON.stringify(answer)).not.toContain(KEY);
});
