import { describe, expect, test } from 'bun:test';
import { isKey, isToken } from '../../src/platform/base/key.ts';
import { createAuthentication, findKey, isKeyValid, readOverlap, readTerm } from '../../src/accounts/key.ts';
import { DAY, MINUTE, openAdmin, refusalOf, TODAY } from '../helpers/admin-services.ts';
import { readFileSync } from 'node:fs';
import { MOST_LIVE } from '../../src/accounts/key.rule.ts';

const EMAIL = 'anna@example.org';

async function open() {
  const admin = await openAdmin();
  await admin.accounts.add(EMAIL);
  const { byKey } = createAuthentication(admin);
  const isStillValid = (principal: Parameters<typeof isKeyValid>[1]) => isKeyValid(admin, principal);
  const complaintOf = async (key: string): Promise<string | null> => {
    const principal = byKey(key);
    return principal.kind === 'anonymous' ? (principal.complaint ?? '') : null;
  };
  return { ...admin, byKey, isStillValid, complaintOf };
}

describe('a key', () => {
  test('is shown once, has its term, and is not in the database', async () => {
    const { keys, store } = await open();
    const { key, id, prefix, expiresAt } = await keys.create(EMAIL, 'laptop', { days: 90 });
    expect([isKey(key), prefix, expiresAt]).toEqual([true, key.slice(0, 8), TODAY + 90 * DAY]);
    const [stored] = await keys.list(EMAIL);
    expect(stored).toMatchObject({
      id,
      name: 'laptop',
      prefix,
      createdAt: TODAY,
      lastUsedAt: null,
      revokedAt: null,
    });
    expect(JSON.stringify([stored, store.findKeyHolderById('key', id)])).not.toContain(key.slice(8));
    expect((await keys.create(EMAIL, 'server', 'never')).expiresAt).toBeNull();
  });

  test('rotated ends at once; the new one has its name and term', async () => {
    const { keys, pass, complaintOf } = await open();
    const old = await keys.create(EMAIL, 'laptop', { days: 30 });
    pass(10 * DAY);
    const next = await keys.rotate(String(old.id));
    expect([next.name, next.expiresAt]).toEqual(['laptop', TODAY + 40 * DAY]);
    expect([await complaintOf(old.key), await complaintOf(next.key)]).toEqual([
      'the API key is revoked; create a new one',
      null,
    ]);
    expect(await refusalOf(keys.rotate(String(old.id)))).toStartWith(
      'invalid-request: Cannot rotate this key',
    );
  });

  test.each([
    ['now', 0],
    ['1h', 60 * MINUTE],
    ['24h', DAY],
    ['7d', 7 * DAY],
  ] as const)('rotated with the overlap %s goes on for %d ms', async (overlap, duration) => {
    const { keys, pass, complaintOf } = await open();
    const old = await keys.create(EMAIL, 'laptop', 'never');
    const next = await keys.rotate(String(old.id), overlap);
    if (duration > 0) {
      pass(duration - 1);
      expect(await complaintOf(old.key)).toBeNull();
      pass(1);
    }
    expect(await complaintOf(old.key)).toMatch(/is revoked|has expired/);
    expect(await complaintOf(next.key)).toBeNull();
  });

  test('rotated with an overlap lasts no longer than it would have', async () => {
    const { keys, pass } = await open();
    const { id } = await keys.create(EMAIL, 'laptop', { days: 3 });
    pass(DAY);
    await keys.rotate(String(id), '7d');
    expect((await keys.list(EMAIL))[0]?.expiresAt).toBe(TODAY + 3 * DAY);
    await keys.rotate(String(id), '1h');
    expect((await keys.list(EMAIL))[0]?.expiresAt).toBe(TODAY + DAY + 60 * MINUTE);
  });

  test('rotated twice at once has one successor', async () => {
    const { keys } = await open();
    const { id } = await keys.create(EMAIL, 'laptop', 'never');
    const outcomes = await Promise.all([1, 2].map(() => refusalOf(keys.rotate(String(id)))));
    expect(outcomes.filter((text) => text.startsWith('not refused'))).toHaveLength(1);
    expect(await keys.list(EMAIL)).toHaveLength(2);
  });

  test('of another account is not found by its own doors, and nothing happens to it', async () => {
    const { accounts, keys, ownKeys, complaintOf } = await open();
    const bert = await accounts.add('bert@example.org');
    const { id, key } = await keys.create(EMAIL, 'laptop', 'never');
    const refusal = `not-found: Cannot find a key "${id}" among yours: open the list of your keys again`;
    expect(await refusalOf(ownKeys.revoke(bert.id, String(id)))).toBe(refusal);
    expect(await refusalOf(ownKeys.rotate(bert.id, String(id), '1h'))).toBe(refusal);
    expect(await refusalOf(ownKeys.rotate(bert.id, '999', '1h'))).toContain('among yours');
    expect([await complaintOf(key), ownKeys.list(bert.id)]).toEqual([null, []]);
    const his = await ownKeys.create(bert.id, 'his', { days: 1 });
    const next = await ownKeys.rotate(bert.id, String(his.id), 'now');
    await ownKeys.revoke(bert.id, String(next.id));
    expect(ownKeys.list(bert.id).map(({ revokedAt }) => revokedAt)).toEqual([TODAY, TODAY]);
  });

  test('may be one of a hundred live ones', async () => {
    const { accounts, keys, ownKeys } = await open();
    const { id: account } = accounts.find(EMAIL);
    const gone = await ownKeys.create(account, 'gone', 'never');
    await keys.revoke(String(gone.id));
    await ownKeys.create(account, 'expired', { days: -1 });
    const made = await Promise.all(
      Array.from({ length: 101 }, (_, n) => refusalOf(ownKeys.create(account, `k${n}`, 'never'))),
    );
    const full =
      'invalid-request: Cannot create another key: the account has 100 live ones; revoke one first';
    expect(made.filter((text) => text === full)).toHaveLength(1);
    const [first] = ownKeys.list(account).filter(({ name }) => name === 'k0');
    expect(await refusalOf(keys.rotate(String(first?.id), '1h'))).toBe(full);
    expect(ownKeys.list(account).find(({ name }) => name === 'k0')?.expiresAt).toBeNull();
    expect((await keys.rotate(String(first?.id))).name).toBe('k0');
    await keys.create((await accounts.add('bert@example.org')).email, 'his', 'never');
  });

  test.each([
    ['nothing', '', null],
    ['white space', '  \t', null],
    ['81 characters', 'x'.repeat(81), null],
    ['a line break', 'a\nb', null],
    ['an escape', '\u001b[2J', null],
    ['letters that turn the line round', 'a\u202eb', null],
    ['80 emoji', '🦜'.repeat(80), '🦜'.repeat(80)],
    ['white space around it', ' my laptop ', 'my laptop'],
    ['markup', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ])('named with %s is refused, or named so', async (_, name, expected) => {
    const { keys } = await open();
    if (expected === null)
      expect(await refusalOf(keys.create(EMAIL, name, 'never'))).toStartWith(
        'invalid-request: Cannot take this name',
      );
    else expect((await keys.create(EMAIL, name, 'never')).name).toBe(expected);
  });

  test('revoked stays revoked at its first time', async () => {
    const { keys, pass } = await open();
    const { id } = await keys.create(EMAIL, 'laptop', 'never');
    await keys.revoke(String(id));
    pass(1000);
    await keys.revoke(String(id));
    expect((await keys.list(EMAIL))[0]?.revokedAt).toBe(TODAY);
  });

  test('renewed takes the place of every earlier one of its name, and of no other', async () => {
    const { keys, complaintOf } = await open();
    const first = await keys.create(EMAIL, 'demo', { days: 1 });
    const other = await keys.create(EMAIL, 'laptop', { days: 1 });
    const second = await keys.renew(EMAIL, 'demo', { days: 1 });
    expect([
      (await complaintOf(first.key)) === null,
      await complaintOf(second.key),
      await complaintOf(other.key),
    ]).toEqual([false, null, null]);
  });

  test.each(['0', '-1', '1.5', '1e3', 'x', '', '99999999999999999999', "1' OR 1"])(
    'with the id %j is not found',
    async (id) => {
      const { keys } = await open();
      expect(await refusalOf(keys.revoke(id))).toStartWith('not-found: Cannot find a key');
    },
  );
});

describe('authentication', () => {
  test('names the account, and says of every other key what is wrong', async () => {
    const { keys, accounts, byKey, complaintOf, pass } = await open();
    const { id: accountId } = accounts.find(EMAIL);
    const good = await keys.create(EMAIL, 'a', { days: 1 });
    expect(byKey(good.key)).toEqual({ kind: 'account', accountId, email: EMAIL, keyId: good.id });
    const unknown = (await (await open()).keys.create(EMAIL, 'elsewhere', 'never')).key;
    expect(await complaintOf(unknown)).toStartWith('the API key is unknown here');
    expect(await complaintOf(`${good.key}x`)).toStartWith('the API key is malformed');
    await accounts.disable(EMAIL);
    expect(await complaintOf(good.key)).toStartWith('the account of this API key is disabled');
    await accounts.enable(EMAIL);
    pass(DAY - 1);
    expect(await complaintOf(good.key)).toBeNull();
    pass(1);
    expect(await complaintOf(good.key)).toStartWith('the API key has expired');
  });

  test('a clock that is set back brings no revoked key to life, for new and running answers', async () => {
    const { keys, byKey, isStillValid, complaintOf, pass } = await open();
    const { id, key } = await keys.create(EMAIL, 'a', 'never');
    const principal = byKey(key);
    await keys.revoke(String(id));
    pass(-5 * MINUTE);
    expect(await complaintOf(key)).toStartWith('the API key is revoked');
    expect(principal.kind === 'account' && isStillValid(principal)).toBe(false);
  });

  test('the last use is written at most once a minute', async () => {
    const { keys, byKey, pass, store } = await open();
    const { key } = await keys.create(EMAIL, 'a', 'never');
    const lastUse = async () => {
      for (let n = 0; n < 5; n++) byKey(key);
      await store.write.recordKeyUse({ kind: 'key', id: 0, at: 0 });
      return ((await keys.list(EMAIL))[0]?.lastUsedAt ?? 0) - TODAY;
    };
    const seen = [];
    for (const step of [0, 1000, MINUTE - 1001, 1, MINUTE]) {
      pass(step);
      seen.push(await lastUse());
    }
    expect(seen).toEqual([0, 0, 0, MINUTE, 2 * MINUTE]);
  });
});

describe('what is typed', () => {
  test.each([
    ['1', { days: 1 }],
    ['9999', { days: 9999 }],
    ['never', 'never'],
  ] as const)('%j is a term', (text, expected) => expect(readTerm(text)).toEqual(expected));
  test.each(['', '0', '-1', '10000', '1.5', ' 1', 'Never', '__proto__'])('%j is no term', (text) => {
    expect(() => readTerm(text)).toThrow('give a number of days from 1 to 9999, or never');
  });
  test.each(['now', '1h', '24h', '7d'] as const)('%j is an overlap', (text) =>
    expect(readOverlap(text)).toBe(text),
  );
  test.each(['', '0', '2h', 'toString', '__proto__'])('%j is no overlap', (text) => {
    expect(() => readOverlap(text)).toThrow('give now, 1h, 24h, 7d');
  });
});

test('an account that makes and revokes keys all day keeps the live ones and the last five hundred that ended', async () => {
  const { keys, store, accounts, now } = await open();
  const { id: accountId } = accounts.find(EMAIL);
  const standing = await keys.create(EMAIL, 'standing', 'never');
  let last = await keys.create(EMAIL, 'first', 'never');
  for (let n = 0; n < 510; n++) last = await keys.rotate(String(last.id));
  await store.write.revokeKey({ kind: 'key', id: last.id, at: now() });
  await keys.create(EMAIL, 'next', 'never');
  const listed = store.listKeys('key', accountId);
  expect(listed.filter(({ revokedAt }) => revokedAt === null).map(({ name }) => name)).toEqual([
    'standing',
    'next',
  ]);
  expect(listed.length).toBe(502);
  expect([listed[0]?.id, listed.at(-2)?.id]).toEqual([standing.id, last.id]);
  // Rotated at once, the eldest of all is forgotten with its rotation.
  expect((await keys.rotate(String(standing.id))).name).toBe('standing');
});

describe('tokens', () => {
  const EMAIL = 'anna@example.org';
  const LINK = { name: 'link', slugs: [], reads: false, term: { days: 365 } } as const;

  async function open() {
    const admin = await openAdmin();
    const account = await admin.accounts.add(EMAIL);
    const { byKey, byToken } = createAuthentication(admin);
    const isStillValid = (principal: Parameters<typeof isKeyValid>[1]) => isKeyValid(admin, principal);
    const complaintOf = async (token: string): Promise<string | null> => {
      const principal = byToken(token);
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
    expect(byToken(token)).toEqual({
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
    expect(JSON.stringify([listed, store.findKeyHolderById('token', id)])).not.toContain(token.slice(8));
    for (const file of ['bookstall.db', 'bookstall.db-wal'])
      expect(readFileSync(`${directory}/${file}`).includes(token.slice(8))).toBeFalse();
  });

  test('a token without items opens all, and reads only if it was made so', async () => {
    const { tokens, byToken } = await open();
    const scopes = [];
    for (const reads of [false, true]) {
      const { token } = await tokens.create(EMAIL, { ...LINK, reads, term: 'never' });
      scopes.push(byToken(token));
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
    const principal = byToken(long.token);
    if (principal.kind !== 'token') throw new Error('refused');
    pass(DAY - 1);
    expect([await complaintOf(short.token), await complaintOf(long.token)]).toEqual([null, null]);
    pass(1);
    expect(await complaintOf(short.token)).toContain('has expired');
    await accounts.disable(EMAIL);
    expect([await complaintOf(long.token), isStillValid(principal)]).toEqual([
      'the account of this install token is disabled; ask the stall to enable it',
      false,
    ]);
    await accounts.enable(EMAIL);
    expect([await complaintOf(long.token), isStillValid(principal)]).toEqual([null, true]);
    await tokens.revoke(String(long.id));
    expect([await complaintOf(long.token), isStillValid(principal)]).toEqual([
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
    expect(byKey(token)).toMatchObject({
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
    expect(
      await refusalOf(() => findKey({ store, now: Date.now }, 'token', String(id), other.id)),
    ).toStartWith('not-found: Cannot find a link');
    expect(store.listKeys('token', other.id)).toEqual([]);
    expect(await complaintOf(token)).toBeNull();
  });

  test('the last use is written at most once a minute', async () => {
    const { tokens, byToken, pass, store } = await open();
    const { token } = await tokens.create(EMAIL, LINK);
    const lastUse = async () => {
      byToken(token);
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
    const { tokens: rows } = Object.fromEntries(
      await Array.fromAsync(store.walkPersonalData(account.id, false)),
    );
    expect(rows).toMatchObject([{ name: 'link', prefix: token.slice(0, 8), reads: 0 }]);
    await store.write.removeAccount({ id: account.id, at: 1 });
    expect(await complaintOf(token)).toContain('is unknown');
  });
});
