import type { Statements } from '../platform/store/statements.ts';

/**
 * Where an account last read in an item: the text, and the `part` of a long text. `block` is the number of the paragraph or
 * other block at the top of the page, from 0, with a fraction for how much of it is above the page. In a write, null means that
 * it is not known. `marks` are hashes by which the block is found in another edition.
 */
export type ReadingPlace = {
  readonly accountId: string;
  readonly kind: string;
  readonly itemKey: string;
  readonly path: string;
  readonly part: number;
  readonly block: number | null;
  readonly marks: string;
  readonly readAt: number;
};

/**
 * When a page is left, it reports its block, but the reader may have opened another text a moment before. So a report about a
 * different text replaces the stored place only if it is newer by so many milliseconds.
 */
export const HASTE = 1000;

export const readingPlaceReads = (db: Statements) => ({
  listReadingPlaces: (accountId: string) =>
    db.all<ReadingPlace>`SELECT account_id AS accountId, kind, item_key AS itemKey, path, part, block,
        marks, read_at AS readAt FROM reading_places WHERE account_id = ${accountId}`,
  keepsReadingPlaces: (accountId: string) =>
    db.has`SELECT 1 FROM accounts WHERE id = ${accountId} AND keeps_places = 1`,
});

export const readingPlaceWrites = (db: Statements) => ({
  /** Stores reading places; `places` is a JSON array of ReadingPlace. */
  putReadingPlaces(places: string): void {
    for (const { accountId, kind, itemKey, path, part, block, marks, readAt } of JSON.parse(
      places,
    ) as ReadingPlace[])
      // Stores no row for an account that was removed in between or wants nothing stored. If the same text is opened again, the
      // stored block stays until the page reports another.
      db.run`INSERT INTO reading_places (account_id, kind, item_key, path, part, block, marks, read_at)
          SELECT id, ${kind}, ${itemKey}, ${path}, ${part}, ${block ?? 0}, ${marks}, ${readAt} FROM accounts
          WHERE id = ${accountId} AND keeps_places = 1 ON CONFLICT DO UPDATE SET path = excluded.path,
          part = excluded.part, read_at = excluded.read_at,
          block = iif(${block === null} AND path = excluded.path AND part = excluded.part, block, excluded.block),
          marks = iif(${block === null} AND path = excluded.path AND part = excluded.part, marks, excluded.marks)
          WHERE excluded.read_at >= read_at + iif(${block === null} OR path = excluded.path, 0, ${HASTE})`;
  },
  /** Switches the keeping of places on or off for an account. Switching off deletes them. */
  keepReadingPlaces({ accountId, keeps }: { readonly accountId: string; readonly keeps: boolean }): void {
    db.run`UPDATE accounts SET keeps_places = ${keeps} WHERE id = ${accountId}`;
    if (!keeps) db.run`DELETE FROM reading_places WHERE account_id = ${accountId}`;
  },
});
