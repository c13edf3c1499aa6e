import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { type Grant, isLive, liveGrant } from '../../src/accounts/grant.rule.ts';
import { isUsable, liveKey } from '../../src/accounts/key.rule.ts';
import {
  aliveSession,
  isAlive,
  OFFICE_SESSION,
  READER_SESSION,
  type Session,
} from '../../src/accounts/session.rule.ts';
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
        for (const waits of [0, 1] as const) {
          const grant = { revokedAt, from, until, waits } as Grant;
          const inSql = db.has`SELECT 1 FROM (SELECT ${revokedAt} AS revoked_at, ${from} AS starts_at,
          ${until} AS ends_at, ${waits} AS waits) WHERE ${liveGrant(NOW)}`;
          expect([revokedAt, from, until, inSql]).toEqual([revokedAt, from, until, isLive(grant, NOW)]);
          live += inSql ? 1 : 0;
        }
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

test.each([
  ['a reader', READER_SESSION, 0],
  ['the owner', OFFICE_SESSION, 1],
] as const)(
  'a session of %s that counts in SQL counts in the program, at every edge',
  (_, { idle, longest }, isOffice) => {
    const db = openEmpty();
    db.run`CREATE TABLE accounts (id, is_owner, is_editor)`;
    db.run`INSERT INTO accounts VALUES ('a', ${isOffice}, 0)`;
    const edges = [0, idle - 1, idle, idle + 1];
    let alive = 0;
    for (const endedAt of [null, 0, idle])
      for (const expiresAt of edges)
        for (const createdAt of [0, 2 * idle - longest, 2 * idle - longest + 1])
          for (const lastSeenAt of [...edges, idle * 2 - 1, idle * 2]) {
            const inSql = db.has`SELECT 1 FROM (SELECT ${endedAt} AS ended_at, ${expiresAt + idle} AS expires_at,
            ${createdAt} AS created_at, ${lastSeenAt} AS last_seen_at, 'a' AS account_id)
            WHERE ${aliveSession(idle * 2)}`;
            const session = {
              endedAt,
              createdAt,
              expiresAt: expiresAt + idle,
              lastSeenAt,
              isOffice,
            } as Session;
            expect([session, inSql]).toEqual([session, isAlive(session, idle * 2)]);
            alive += inSql ? 1 : 0;
          }
    expect(alive).toBe(6);
  },
);
