import type { Database } from 'bun:sqlite';
import { auditInserts, type NewAuditEntry } from './audit-log.ts';
import { editionUpserts, type ServedEdition } from './editions.ts';

/** An item that was published from this data directory at least once, so that a grant may name it. */
export type KnownItem = { readonly kind: 'book' | 'skill'; readonly itemKey: string; readonly slug: string };

/** An item as it is published; `edition` changes whenever the item does, and is null if not everyone may see it. */
export type PublishedItem = KnownItem & { readonly edition: string | null };

/** What is published at a time, with the editions that are new to the catalog and the acts that asked for it. */
export type PublishedItems = {
  readonly items: readonly PublishedItem[];
  readonly at: number;
  readonly editions?: readonly ServedEdition[];
  readonly audits?: readonly NewAuditEntry[];
};

/** Since when anyone may see an item, and since when it is as it is; in milliseconds since 1970. */
export type ShownItem = Pick<KnownItem, 'kind' | 'itemKey'> & {
  readonly firstShownAt: number;
  readonly changedAt: number;
};

export function knownItemReads(db: Database) {
  // A slug that passed from one item to another means the one published last.
  const bySlug = db.prepare<KnownItem, [string]>(
    'SELECT kind, item_key AS itemKey, slug FROM known_items WHERE slug = ? ORDER BY published_at DESC LIMIT 1',
  );
  const shown = db.prepare<ShownItem, []>(
    'SELECT kind, item_key AS itemKey, first_shown_at AS firstShownAt, changed_at AS changedAt FROM shown_items',
  );
  const all = db.prepare<KnownItem, [number]>(
    'SELECT kind, item_key AS itemKey, slug FROM known_items ORDER BY slug LIMIT ?',
  );
  const shownOne = db.prepare<{ changedAt: number }, [string, string]>(
    'SELECT changed_at AS changedAt FROM shown_items WHERE kind = ? AND item_key = ?',
  );
  const slugOf = db.prepare<{ slug: string }, [string, string]>(
    'SELECT slug FROM known_items WHERE kind = ? AND item_key = ?',
  );
  return {
    /** The slug under which an item was last published; its key if it never was. */
    findKnownSlug({ kind, itemKey }: Pick<KnownItem, 'kind' | 'itemKey'>): string {
      return slugOf.get(kind, itemKey)?.slug ?? itemKey;
    },
    /** When a published item last changed, in milliseconds since 1970; null for one that nobody could see yet. */
    findChangedAt(kind: string, itemKey: string): number | null {
      return shownOne.get(kind, itemKey)?.changedAt ?? null;
    },
    /** By slug, at most so many. */
    async listKnownItems(atMost: number): Promise<readonly KnownItem[]> {
      return all.all(atMost);
    },
    async findKnownItem(slug: string): Promise<KnownItem | null> {
      return bySlug.get(slug);
    },
    /** Every item that anyone could ever see. */
    async listShownItems(): Promise<readonly ShownItem[]> {
      return shown.all();
    },
  };
}

export function knownItemWrites(db: Database) {
  const upsert = db.prepare(
    `INSERT INTO known_items (kind, item_key, slug, published_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET slug = excluded.slug, published_at = excluded.published_at`,
  );
  const show = db.prepare(
    `INSERT INTO shown_items (kind, item_key, edition, first_shown_at, changed_at) VALUES (?1, ?2, ?3, ?4, ?4)
     ON CONFLICT DO UPDATE SET edition = excluded.edition, changed_at = excluded.changed_at
       WHERE edition <> excluded.edition`,
  );
  const serve = editionUpserts(db);
  const log = auditInserts(db);
  return {
    publishItems({ items, at, editions = [], audits = [] }: PublishedItems): void {
      audits.forEach(log);
      for (const { kind, itemKey, slug, edition } of items) {
        upsert.run(kind, itemKey, slug, at);
        if (edition !== null) show.run(kind, itemKey, edition, at);
      }
      for (const edition of editions) serve(edition, at);
    },
  };
}
