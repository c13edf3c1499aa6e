import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { type Grant, isLive, liveGrant } from '../../src/accounts/grant.rule.ts';
import { isUsable, liveKey } from '../../src/accounts/key.rule.ts';
import { statementsOf } from '../../src/platform/store/statements.ts';

const TIMES = [null, 0, 9, 10, 11, 20];
const NOW = 10;

function openEmpty() {
  const db = new Database(':memory:');
  return statementsOf(() => db);
}

test('a grant that counts in SQL counts in the program, at every edge', () => {
  const db = openEmpty();
  let live = 0;
  for (const revokedAt of TIMES)
    for (const from of TIMES.filter((time) => time !== null))
      for (const until of TIMES) {
        const grant = { revokedAt, from, until } as Grant;
        const inSql = db.has`SELECT 1 FROM (SELECT ${revokedAt} AS revoked_at, ${from} AS starts_at,
          ${until} AS ends_at) WHERE ${liveGrant(NOW)}`;
        expect([revokedAt, from, until, inSql]).toEqual([revokedAt, from, until, isLive(grant, NOW)]);
        live += inSql ? 1 : 0;
      }
  expect(live).toBe(9);
});

test('a key that counts in SQL counts in the program, at every edge', () => {
  const db = openEmpty();
  for (const revokedAt of TIMES)
    for (const expiresAt of TIMES) {
      const inSql = db.has`SELECT 1 FROM (SELECT ${revokedAt} AS revoked_at, ${expiresAt} AS expires_at)
        WHERE ${liveKey(NOW)}`;
      expect([revokedAt, expiresAt, inSql]).toEqual([
        revokedAt,
        expiresAt,
        isUsable({ revokedAt, expiresAt }, NOW),
      ]);
    }
});
