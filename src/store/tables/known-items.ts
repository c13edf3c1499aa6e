import type { Database } from 'bun:sqlite';
import { auditInserts, type NewAuditEntry } from './audit-log.ts';
import { editionUpserts, type ServedEdition } from './editions.ts';

/** An item that was published from this data directory at least once, so that a grant may name it. */
export type KnownItem = { readonly kind: 'book' | 'skill'; readonly itemKey: string; readonly slug: string };

/** An item as it is published; `edition` changes whenever the item does, and is null if not everyone may see it. */
type PublishedItem = KnownItem & { readonly edition: string | null };

/** The items published at a time, with the editions that are new to the catalog and the acts that asked for it. */
type PublishedItems = {
  readonly items: readonly PublishedItem[];
  readonly at: number;
  readonly editions?: readonly ServedEdition[];
  readonly audits?: readonly NewAuditEntry[];
  /** All former slugs there are from now on, if they changed. */
  readonly formerSlugs?: readonly FormerSlug[];
};

/** The times since when anyone may see an item, and since when it is unchanged; in milliseconds since 1970. */
type ShownItem = Pick<KnownItem, 'kind' | 'itemKey'> & {
  readonly firstShownAt: number;
  readonly changedAt: number;
};

/** A slug that an item had before; `isDeclared` if its item.yaml names it. No item of the last publish has it. */
export type FormerSlug = {
  readonly slug: string;
  readonly kind: 'book' | 'skill';
  readonly itemKey: string;
  readonly isDeclared: boolean;
};

type FormerRow = Omit<FormerSlug, 'isDeclared'> & { readonly isDeclared: number };

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
  const byId = db.prepare<KnownItem, [string]>(
    `SELECT kind, item_key AS itemKey, slug FROM known_items WHERE kind = 'book' AND item_key = ?`,
  );
  const former = db.prepare<KnownItem, [string]>(
    `SELECT former.kind, former.item_key AS itemKey, coalesce(known.slug, former.item_key) AS slug
     FROM former_slugs AS former LEFT JOIN known_items AS known USING (kind, item_key) WHERE former.slug = ?`,
  );
  /** Follows a slug through every renaming; a loop ends where it began. */
  const follow = (slug: string, seen: ReadonlySet<string> = new Set()): KnownItem | null => {
    const item = seen.has(slug) ? null : former.get(slug);
    return item === null ? null : (follow(item.slug, new Set([...seen, slug])) ?? item);
  };
  const formerSlugs = db.prepare<FormerRow, []>(
    'SELECT slug, kind, item_key AS itemKey, is_declared AS isDeclared FROM former_slugs ORDER BY slug',
  );
  const bookSlugs = db.prepare<{ itemKey: string; slug: string }, []>(
    `SELECT item_key AS itemKey, slug FROM known_items WHERE kind = 'book'`,
  );
  const listFormer = (): readonly FormerSlug[] =>
    formerSlugs.all().map((row) => ({ ...row, isDeclared: row.isDeclared === 1 }));
  return {
    /** The slug under which an item was last published; its key if it never was. */
    findKnownSlug({ kind, itemKey }: Pick<KnownItem, 'kind' | 'itemKey'>): string {
      return slugOf.get(kind, itemKey)?.slug ?? itemKey;
    },
    /** When a published item last changed, in milliseconds since 1970; null for one that nobody could see yet. */
    findChangedAt(kind: string, itemKey: string): number | null {
      return shownOne.get(kind, itemKey)?.changedAt ?? null;
    },
    /** Known items by slug, at most `atMost`. */
    async listKnownItems(atMost: number): Promise<readonly KnownItem[]> {
      return all.all(atMost);
    },
    /** The item that has this slug or had it before, else the book of this id; null if none was ever published. */
    async findKnownItem(name: string): Promise<KnownItem | null> {
      return follow(name) ?? bySlug.get(name) ?? byId.get(name);
    },
    /** Every item that anyone could ever see. */
    async listShownItems(): Promise<readonly ShownItem[]> {
      return shown.all();
    },
    async listFormerSlugs(): Promise<readonly FormerSlug[]> {
      return listFormer();
    },
    /** The last known slug of every book by its id. */
    async listBookSlugs(): Promise<ReadonlyMap<string, string>> {
      return new Map(bookSlugs.all().map(({ itemKey, slug }) => [itemKey, slug]));
    },
    /** The keys under which grants may name an item: its own, and a skill's former slugs. */
    async listGrantKeys(kind: string, itemKey: string): Promise<readonly string[]> {
      const keys = [itemKey];
      const skills = kind === 'skill' ? listFormer().filter((row) => row.kind === 'skill') : [];
      // It grows as it is read: a skill that was renamed twice has a chain of them.
      for (const key of keys)
        keys.push(
          ...skills.flatMap((row) => (row.itemKey === key && !keys.includes(row.slug) ? [row.slug] : [])),
        );
      return keys;
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
  const updateFormer = formerSlugUpdates(db);
  return {
    /** Stores the published items, and gives the tar bodies, as JSON, that editions had under former slugs. */
    publishItems({ items, at, editions = [], audits = [], formerSlugs }: PublishedItems): readonly string[] {
      audits.forEach(log);
      if (formerSlugs !== undefined) updateFormer(formerSlugs);
      for (const { kind, itemKey, slug, edition } of items) {
        upsert.run(kind, itemKey, slug, at);
        if (edition !== null) show.run(kind, itemKey, edition, at);
      }
      return editions.flatMap((edition) => serve(edition, at) ?? []);
    },
  };
}

/** Replaces all former slugs, in a transaction of the caller. */
function formerSlugUpdates(db: Database): (slugs: readonly FormerSlug[]) => void {
  const clear = db.prepare('DELETE FROM former_slugs');
  const insert = db.prepare(
    'INSERT INTO former_slugs (slug, kind, item_key, is_declared) VALUES (?, ?, ?, ?)',
  );
  const moveEditions = db.prepare(
    `UPDATE OR IGNORE editions SET item_key = ?2, state = iif(state = 'served', 'kept', state)
     WHERE kind = 'skill' AND item_key = ?1`,
  );
  const moves = ['shown_items', 'git_commits'].map((table) =>
    db.prepare(`UPDATE OR IGNORE ${table} SET item_key = ?2 WHERE kind = 'skill' AND item_key = ?1`),
  );
  return (slugs: readonly FormerSlug[]): void => {
    clear.run();
    for (const { slug, kind, itemKey, isDeclared } of slugs) {
      insert.run(slug, kind, itemKey, Number(isDeclared));
      if (kind !== 'skill') continue;
      // A skill is named by its slug, so its history goes with it; a book's id stays.
      moveEditions.run(slug, itemKey);
      for (const move of moves) move.run(slug, itemKey);
    }
  };
}
