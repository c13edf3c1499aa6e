import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { isKey, isToken } from '../../src/access/key.ts';
import { createAuthentication, findKey, isKeyValid } from '../../src/service/keys.ts';
import { MOST_LIVE } from '../../src/store/tables/keys.ts';
import { DAY, MINUTE, openAdmin, refusalOf, TODAY } from './admin-services.ts';

const EMAIL = 'anna@example.org';
const LINK = { name: 'link', slugs: [], reads: false, term: { days: 365 } } as const;

async function open() {
  const admin = await openAdmin();
  const account = await admin.accounts.add(EMAIL);
  const { byKey, byToken } = createAuthentication(admin);
  const isStillValid = (principal: Parameters<typeof isKeyValid>[1]) => isKeyValid(admin, principal);
  const complaintOf = async (token: string): Promise<string | null> => {
    const principal = await byToken(token);
    return principal.kind === 'anonymous' ? (principal.complaint ?? '') : null;
  };
  return { ...admin, account, byKey, byToken, isStillValid, complaintOf };
}

test('a token is shown once, has its term and scope, and is nowhere in the data directory', async () => {
  const { tokens, store, directory, byToken, account } = await open();
  const { token, id, prefix, expiresAt } = await tokens.create(EMAIL, {
    ...LINK,
    slugs: ['heron', 'tool', 'heron'],
  });
  expect([isToken(token), isKey(token), prefix, expiresAt]).toEqual([
    true,
    false,
    token.slice(0, 8),
    TODAY + 365 * DAY,
  ]);
  const items = [
    { kind: 'book', itemKey: 'heron-id' },
    { kind: 'skill', itemKey: 'tool' },
  ] as const;
  const scope = { items, may: ['take'] } as const;
  expect(await byToken(token)).toEqual({
    kind: 'token',
    accountId: account.id,
    email: EMAIL,
    tokenId: id,
    scope,
  });
  const [listed] = await tokens.list(EMAIL);
  expect(listed).toMatchObject({
    id,
    name: 'link',
    prefix,
    scope,
    revokedAt: null,
  });
  expect(JSON.stringify([listed, await store.findKeyHolderById('token', id)])).not.toContain(token.slice(8));
  for (const file of ['bookstall.db', 'bookstall.db-wal'])
    expect(readFileSync(`${directory}/${file}`).includes(token.slice(8))).toBeFalse();
});

test('a token without items opens all, and reads only if it was made so', async () => {
  const { tokens, byToken } = await open();
  const scopes = [];
  for (const reads of [false, true]) {
    const { token } = await tokens.create(EMAIL, { ...LINK, reads, term: 'never' });
    scopes.push(await byToken(token));
  }
  expect(scopes).toMatchObject([
    { scope: { items: null, may: ['take'] } },
    { scope: { items: null, may: ['take', 'read', 'ask'] } },
  ]);
});

test('a token ends with its term, its revocation and its account, at the next request', async () => {
  const { tokens, accounts, pass, complaintOf, byToken, isStillValid } = await open();
  const [short, long] = [
    await tokens.create(EMAIL, { ...LINK, term: { days: 1 } }),
    await tokens.create(EMAIL, LINK),
  ];
  const principal = await byToken(long.token);
  if (principal.kind !== 'token') throw new Error('refused');
  pass(DAY - 1);
  expect([await complaintOf(short.token), await complaintOf(long.token)]).toEqual([null, null]);
  pass(1);
  expect(await complaintOf(short.token)).toContain('has expired');
  await accounts.disable(EMAIL);
  expect([await complaintOf(long.token), await isStillValid(principal)]).toEqual([
    'the account of this install token is disabled; ask the stall to enable it',
    false,
  ]);
  await accounts.enable(EMAIL);
  expect([await complaintOf(long.token), await isStillValid(principal)]).toEqual([null, true]);
  await tokens.revoke(String(long.id));
  expect([await complaintOf(long.token), await isStillValid(principal)]).toEqual([
    'the install token is revoked; make a new link',
    false,
  ]);
});

test.each([
  ['svi_short', 'is malformed'],
  [`svi_${'a'.repeat(38)}`, 'is malformed'],
  ['', 'is malformed'],
])('%p opens nothing', async (text, complaint) => {
  const { complaintOf } = await open();
  expect(await complaintOf(text)).toContain(complaint);
});

test('a key is no token and a token is no key', async () => {
  const { keys, tokens, byKey, complaintOf } = await open();
  const [{ key }, { token }] = [await keys.create(EMAIL, 'key', 'never'), await tokens.create(EMAIL, LINK)];
  expect(await complaintOf(key)).toContain('is malformed');
  expect(await byKey(token)).toMatchObject({
    kind: 'anonymous',
    complaint: expect.stringContaining('send an API key'),
  });
});

test(`an account has at most ${MOST_LIVE.token} live tokens`, async () => {
  const { tokens } = await open();
  const first = await tokens.create(EMAIL, LINK);
  for (let n = 1; n < MOST_LIVE.token; n++) await tokens.create(EMAIL, LINK);
  expect(await refusalOf(tokens.create(EMAIL, LINK))).toContain(
    `the account has ${MOST_LIVE.token} live ones`,
  );
  await tokens.revoke(String(first.id));
  expect((await tokens.create(EMAIL, LINK)).id).toBeGreaterThan(MOST_LIVE.token);
});

test("an account cannot see or revoke another's token", async () => {
  const { tokens, accounts, store, complaintOf } = await open();
  const other = await accounts.add('other@example.org');
  const { id, token } = await tokens.create(EMAIL, LINK);
  expect(await refusalOf(findKey({ store, now: Date.now }, 'token', String(id), other.id))).toStartWith(
    'not-found: Cannot find a link',
  );
  expect(await store.listKeys('token', other.id)).toEqual([]);
  expect(await complaintOf(token)).toBeNull();
});

test('the last use is written at most once a minute', async () => {
  const { tokens, byToken, pass, store } = await open();
  const { token } = await tokens.create(EMAIL, LINK);
  const lastUse = async () => {
    await byToken(token);
    // Writes happen in turn, so that the use is written when this one is.
    await store.write.recordKeyUse({ kind: 'token', id: 0, at: 0 });
    return ((await tokens.list(EMAIL))[0]?.lastUsedAt ?? 0) - TODAY;
  };
  const seen = [];
  for (const step of [0, MINUTE - 1, 1]) {
    pass(step);
    seen.push(await lastUse());
  }
  expect(seen).toEqual([0, 0, MINUTE]);
});

test('an account takes its tokens with it, and its copy of its data lists them', async () => {
  const { tokens, account, store, complaintOf } = await open();
  const { token } = await tokens.create(EMAIL, { ...LINK, slugs: ['heron'] });
  const { tokens: rows } = await store.findPersonalData(account.id);
  expect(rows).toMatchObject([{ name: 'link', prefix: token.slice(0, 8), reads: 0 }]);
  await store.write.removeAccount({ id: account.id, at: 1 });
  expect(await complaintOf(token)).toContain('is unknown');
});
