import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { type Grant, isLive } from '../../../src/access/principal.ts';
import { isUsable } from '../../../src/access/key.ts';
import { LIVE_GRANT } from '../../../src/store/tables/grants.ts';
import { LIVE_KEY } from '../../../src/store/tables/keys.ts';

const TIMES = [null, 0, 9, 10, 11, 20];
const NOW = 10;

test('a grant that counts in SQL counts in the program, at every edge', () => {
  const db = new Database(':memory:');
  const counts = db.prepare<{ live: number }, [number, number | null, number, number | null]>(
    `SELECT count(*) AS live FROM (SELECT ?2 AS revoked_at, ?3 AS starts_at, ?4 AS ends_at) WHERE ${LIVE_GRANT}`,
  );
  let live = 0;
  for (const revokedAt of TIMES)
    for (const from of TIMES.filter((time) => time !== null))
      for (const until of TIMES) {
        const grant = { revokedAt, from, until } as Grant;
        const inSql = counts.get(NOW, revokedAt, from, until)?.live === 1;
        expect([revokedAt, from, until, inSql]).toEqual([revokedAt, from, until, isLive(grant, NOW)]);
        live += inSql ? 1 : 0;
      }
  expect(live).toBe(9);
});

test('a key that counts in SQL counts in the program, at every edge', () => {
  const db = new Database(':memory:');
  const counts = db.prepare<{ live: number }, [number, number | null, number | null]>(
    `SELECT count(*) AS live FROM (SELECT ?2 AS revoked_at, ?3 AS expires_at) WHERE ${LIVE_KEY}`,
  );
  for (const revokedAt of TIMES)
    for (const expiresAt of TIMES) {
      const inSql = counts.get(NOW, revokedAt, expiresAt)?.live === 1;
      expect([revokedAt, expiresAt, inSql]).toEqual([
        revokedAt,
        expiresAt,
        isUsable({ revokedAt, expiresAt }, NOW),
      ]);
    }
});
