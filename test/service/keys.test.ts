import { describe, expect, test } from 'bun:test';
import { isKey } from '../../src/access/key.ts';
import { createAuthenticate } from '../../src/service/authenticate.ts';
import { DAY, MINUTE, openOffice, refusalOf, TODAY } from './office.ts';

const EMAIL = 'anna@example.org';

async function open() {
  const office = await openOffice();
  await office.accounts.add(EMAIL);
  const { byKey, isStillValid } = createAuthenticate(office.store, office.now);
  const complaintOf = async (key: string): Promise<string | null> => {
    const principal = await byKey(key);
    return principal.kind === 'anonymous' ? (principal.complaint ?? '') : null;
  };
  return { ...office, byKey, isStillValid, complaintOf };
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
    expect(JSON.stringify([stored, await store.findKeyHolderById(id)])).not.toContain(key.slice(8));
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
    const { id: accountId } = await accounts.find(EMAIL);
    const good = await keys.create(EMAIL, 'a', { days: 1 });
    expect(await byKey(good.key)).toEqual({ kind: 'account', accountId, email: EMAIL, keyId: good.id });
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
    const principal = await byKey(key);
    await keys.revoke(String(id));
    pass(-5 * MINUTE);
    expect(await complaintOf(key)).toStartWith('the API key is revoked');
    expect(principal.kind === 'account' && (await isStillValid(principal))).toBe(false);
  });

  test('the last use is written at most once a minute', async () => {
    const { keys, byKey, pass, store } = await open();
    const { key } = await keys.create(EMAIL, 'a', 'never');
    const lastUse = async () => {
      for (let n = 0; n < 5; n++) await byKey(key);
      await store.write('noteKeyUse', { id: 0, at: 0 });
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
