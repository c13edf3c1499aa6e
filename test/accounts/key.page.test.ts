import { describe, expect, test } from 'bun:test';
import { keyVariable } from '../../src/catalog/marketplace.rule.ts';
import { openStall } from '../helpers/harness.ts';
import { createVisitor, hidden, keyIn, typedIn } from '../platform/site/visitor.ts';

const KEYS = '/dashboard/api-keys';
const TERMS = ['30', '90', '365', 'never'];
const HOUR = 60 * 60 * 1000;
const HOSTILE = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>&lt;`;

const stall = await openStall();
const anna = await openReader('anna@example.org');
const ben = await openReader('ben@example.org');

async function openReader(email: string) {
  const { account } = await stall.reader(email, 'paid-book');
  return { ...createVisitor(stall, await stall.signIn(email)), account, email };
}

async function create(reader: typeof anna, name: string, expires = '90') {
  const once = hidden((await reader.open(KEYS)).html, 'once');
  return reader.send(`${KEYS}/create`, { name, expires, once });
}

const statusWith = async (key: string) =>
  (await stall.fetch('/api/cli/library', { headers: { Authorization: `Bearer ${key}` } })).status;
const keysOf = ({ email }: { readonly email: string }) => stall.app.admin.keys.list(email);
const idOf = async (reader: typeof anna, key: string): Promise<number> =>
  (await keysOf(reader)).find(({ prefix }) => key.startsWith(prefix))?.id ?? 0;

describe('a new key', () => {
  test('is shown once with commands, works, and is then listed only by its first characters', async () => {
    const answer = await create(anna, 'laptop', '30');
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const key = keyIn(answer.text);
    const variable = keyVariable(stall.url);
    expect(answer.text).toContain(`export ${variable}=${key}`);
    expect(new Set(answer.text.match(/BOOKSTALL_KEY\w*/g))).toEqual(new Set([variable]));
    expect(answer.text).toContain(`bookstall login --url ${stall.url}`);
    expect(answer.text).toContain(
      `curl -sS --fail-with-body -H "Authorization: Bearer $${variable}" ${stall.url}/api/cli/library`,
    );
    expect(await statusWith(key)).toBe(200);
    const list = await anna.open(KEYS);
    expect(list.text).toContain(`laptop ${key.slice(0, 8)}…`);
    expect(list.html).not.toContain(key.slice(0, 12));
    const stored = (await keysOf(anna)).find(({ name }) => name === 'laptop');
    expect((stored?.expiresAt ?? 0) - (stored?.createdAt ?? 0)).toBe(30 * 24 * HOUR);
  });

  test('is not created again by the same form: neither by a reload nor by ten requests at once', async () => {
    const once = hidden((await anna.open(KEYS)).html, 'once');
    const form = { name: 'twice', expires: '90', once };
    const answers = await Promise.all(Array.from({ length: 10 }, () => anna.send(`${KEYS}/create`, form)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array<number>(9).fill(400),
    ]);
    expect((await keysOf(anna)).filter(({ name }) => name === 'twice')).toHaveLength(1);
    const again = await anna.send(`${KEYS}/create`, form);
    expect(again.text).toContain('Cannot send this form twice');
    expect(again.html).toContain('value="twice"');
    expect(keyIn(again.text)).toBe('');
  });

  test("is not created by another session's form", async () => {
    const once = hidden((await anna.open(KEYS)).html, 'once');
    expect((await ben.send(`${KEYS}/create`, { name: 'mine', expires: '90', once })).status).toBe(400);
    expect((await keysOf(ben)).map(({ name }) => name)).not.toContain('mine');
  });

  test.each([
    ['', '90', 'Cannot take this name for a key'],
    ['x'.repeat(81), '90', 'Cannot take this name for a key'],
    ['two\nlines', '90', 'Cannot take this name for a key'],
    [HOSTILE, '0', 'Cannot let a key last "0"'],
    ['laptop', '', 'Cannot let a key last ""'],
  ])('named %j for %j days is refused, and both stay in the form', async (name, expires, sentence) => {
    const before = await keysOf(anna);
    const answer = await create(anna, name, expires);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(sentence);
    expect(typedIn(answer.html, 'name')).toBe(name);
    const selected = /<option value="(\w+)" selected>/.exec(answer.html)?.[1];
    expect(selected).toBe(TERMS.includes(expires) ? expires : undefined);
    expect(answer.html).not.toMatch(/<(script>|img)/);
    expect(await keysOf(anna)).toEqual(before);
  });

  test('with a hostile name is text on every page', async () => {
    const name = HOSTILE.slice(0, 60);
    const key = keyIn((await create(ben, name)).text);
    const id = await idOf(ben, key);
    for (const path of [KEYS, `${KEYS}/${id}/revoke`, '/dashboard/logs']) {
      const page = await ben.open(path);
      expect([path, page.status, page.html.match(/<(script>|img)/g)]).toEqual([path, 200, null]);
      if (path !== '/dashboard/logs') expect(page.text).toContain('<script>alert(1)</script>');
    }
  });
});

test("another account's key cannot be seen or revoked, and neither can an unknown one", async () => {
  const key = keyIn((await create(anna, 'hers')).text);
  const ids = [String(await idOf(anna, key)), '999999', '0', '-1', 'x', '1e3', '%00', '..%2f1'];
  for (const id of ids) {
    const page = await ben.open(`${KEYS}/${id}/revoke`);
    expect([id, page.status]).toEqual([id, 404]);
    expect(page.text).not.toContain('hers');
    expect((await ben.send(`${KEYS}/${id}/revoke`)).status).toBe(404);
  }
  expect(await statusWith(key)).toBe(200);
});

test('revoking asks first, works at once, and confirms', async () => {
  const unused = await idOf(anna, keyIn((await create(anna, 'new laptop')).text));
  const key = keyIn((await create(anna, 'old laptop')).text);
  await stall.fetch('/api/cli/library', { headers: { Authorization: `Bearer ${key}` } });
  expect((await anna.open(`${KEYS}/${unused}/revoke`)).text).toMatch(/“new laptop” \(svc_.*never used\)/);
  const id = await idOf(anna, key);
  while ((await keysOf(anna)).at(-1)?.lastUsedAt === null) await Bun.sleep(2);
  const asked = await anna.open(`${KEYS}/${id}/revoke`);
  expect(asked.text).toContain(`Agents that use “old laptop” (${key.slice(0, 8)}…, last used`);
  expect(asked.text).toContain('get 401 from their next request on');
  expect(await statusWith(key)).toBe(200);
  const done = await anna.send(`${KEYS}/${id}/revoke`);
  expect([done.status, done.headers.get('location')]).toEqual([303, `${KEYS}?said=key-revoked`]);
  expect(await statusWith(key)).toBe(401);
  const list = await anna.open(`${KEYS}?said=key-revoked`);
  expect(list.text).toContain('Key revoked.');
  expect(list.text).toMatch(/Revoked and expired keys \(1\).*old laptop/);
  // As after a second click: nothing more to do, and no error.
  expect((await anna.send(`${KEYS}/${id}/revoke`)).status).toBe(303);
});

test('an unknown flash word in the address shows nothing', async () => {
  for (const word of ['<script>alert(1)</script>', 'constructor', '__proto__', 'You%20won', '']) {
    const page = await anna.open(`${KEYS}?said=${word}`);
    expect(page.status).toBe(200);
    expect(page.html).not.toContain('class="notice');
  }
});

test('a reader without keys is told what a key is for', async () => {
  await stall.app.admin.accounts.add('new@example.org');
  const visitor = createVisitor(stall, await stall.signIn('new@example.org'));
  expect((await visitor.open(KEYS)).text).toContain('No keys yet. A key lets your agent read what you own.');
});
