import type { Database } from 'bun:sqlite';

/** The text of an item that an account opened last. */
export type ReadingPlace = {
  readonly accountId: string;
  readonly kind: string;
  readonly itemKey: string;
  readonly path: string;
  readonly readAt: number;
};

export function readingPlaceReads(db: Database) {
  const list = db.prepare<ReadingPlace, [string]>(
    `SELECT account_id AS accountId, kind, item_key AS itemKey, path, read_at AS readAt FROM reading_places
     WHERE account_id = ?`,
  );
  const keeps = db.prepare<{ keeps: number }, [string]>(
    'SELECT keeps_places AS keeps FROM accounts WHERE id = ?',
  );
  return {
    /** The places of an account, the last first. */
    async listReadingPlaces(accountId: string): Promise<readonly ReadingPlace[]> {
      return list.all(accountId);
    },
    /** Whether an account wants its places kept. */
    async keepsReadingPlaces(accountId: string): Promise<boolean> {
      return keeps.get(accountId)?.keeps === 1;
    },
  };
}

export function readingPlaceWrites(db: Database) {
  // An account that was removed in between, or wants nothing kept, gets no row.
  const put = db.prepare(
    `INSERT INTO reading_places (account_id, kind, item_key, path, read_at)
     SELECT id, ?2, ?3, ?4, ?5 FROM accounts WHERE id = ?1 AND keeps_places = 1
     ON CONFLICT DO UPDATE SET path = excluded.path, read_at = excluded.read_at WHERE excluded.read_at >= read_at`,
  );
  const keep = db.prepare('UPDATE accounts SET keeps_places = ?2 WHERE id = ?1');
  const forget = db.prepare('DELETE FROM reading_places WHERE account_id = ?');
  return {
    /** `places` is a JSON array of ReadingPlace. */
    putReadingPlaces(places: string): void {
      for (const { accountId, kind, itemKey, path, readAt } of JSON.parse(places) as ReadingPlace[])
        put.run(accountId, kind, itemKey, path, readAt);
    },
    /** Switches places on or off for an account. Switching off deletes them. */
    keepReadingPlaces({ accountId, keeps }: { readonly accountId: string; readonly keeps: boolean }): void {
      keep.run(accountId, Number(keeps));
      if (!keeps) forget.run(accountId);
    },
  };
}
