import { type Sql, sql, type Statements } from '../platform/store/statements.ts';
import { logAct, type NewAuditEntry } from '../platform/store/audit-log.sql.ts';
import { serveEdition } from './edition.sql.ts';
import type { ServedEdition } from './edition.rule.ts';
import { ANNOUNCED, type FormerSlug, HOLDERS_ONLY, type KnownItem } from './known-item.rule.ts';

/**
 * An item as it is published. `edition` is a text that changes whenever the item does; null if no new reader may see the item.
 */
type PublishedItem = KnownItem & { readonly edition: string | null };

/** The items of a publish at the time `at`; `editions` are those that are new in it, `audits` the acts that requested it. */
type PublishedItems = {
  readonly items: readonly PublishedItem[];
  readonly at: number;
  readonly editions?: readonly ServedEdition[];
  readonly audits?: readonly NewAuditEntry[];
  /** All former slugs, which replace the stored ones; left out if they did not change. */
  readonly formerSlugs?: readonly FormerSlug[] | undefined;
};

/** Since when anyone may see an item, and when it last changed; in milliseconds since 1970. */
type ShownItem = Pick<KnownItem, 'kind' | 'itemKey'> & {
  readonly firstShownAt: number;
  readonly changedAt: number;
};

type FormerRow = KnownItem & { readonly isDeclared: number };

export function knownItemReads(db: Statements) {
  /**
   * Follows a slug through every renaming to the item of today; null if it was not renamed. If the renamings form a loop, the
   * search stops at the slug where it began.
   */
  const follow = (slug: string, seen: ReadonlySet<string> = new Set()): KnownItem | null => {
    if (seen.has(slug)) return null;
    const item = db.one<KnownItem>`
      SELECT former.kind, former.item_key AS itemKey, coalesce(known.slug, former.item_key) AS slug
      FROM former_slugs AS former LEFT JOIN known_items AS known USING (kind, item_key) WHERE former.slug = ${slug}`;
    return item === null ? null : (follow(item.slug, new Set([...seen, slug])) ?? item);
  };
  const listFormer = (): readonly FormerSlug[] =>
    db.all<FormerRow>`SELECT slug, kind, item_key AS itemKey, is_declared AS isDeclared FROM former_slugs
      ORDER BY slug`.map((row) => ({ ...row, isDeclared: row.isDeclared === 1 }));
  return {
    findKnownSlug: ({ kind, itemKey }: Pick<KnownItem, 'kind' | 'itemKey'>): string =>
      db.value<string>`SELECT slug FROM known_items WHERE kind = ${kind}
        AND item_key = ${itemKey}` ?? itemKey,
    findChangedAt: (kind: string, itemKey: string) =>
      db.value<number>`SELECT changed_at FROM shown_items
        WHERE kind = ${kind} AND item_key = ${itemKey}`,
    listKnownItems: (atMost: number) =>
      db.all<KnownItem>`SELECT kind, item_key AS itemKey, slug FROM known_items ORDER BY slug
        LIMIT ${atMost}`,
    findKnownItem(name: string): KnownItem | null {
      const find = (rest: Sql) =>
        db.one<KnownItem>`SELECT kind, item_key AS itemKey, slug FROM known_items WHERE ${rest}`;
      return (
        follow(name) ??
        // If several items had the slug, the one that was published last is meant.
        find(sql`slug = ${name} ORDER BY published_at DESC LIMIT 1`) ??
        find(sql`kind = 'book' AND item_key = ${name}`)
      );
    },
    listShownItems: () =>
      db.all<ShownItem>`SELECT kind, item_key AS itemKey, first_shown_at AS firstShownAt, 
        changed_at AS changedAt FROM shown_items`,
    listFormerSlugs: (): readonly FormerSlug[] => listFormer(),
    listBookSlugs(): ReadonlyMap<string, string> {
      const books = db.all<Omit<KnownItem, 'kind'>>`
        SELECT item_key AS itemKey, slug FROM known_items WHERE kind = 'book'`;
      return new Map(books.map(({ itemKey, slug }) => [itemKey, slug]));
    },
    listGrantKeys(kind: string, itemKey: string): readonly string[] {
      const keys = [itemKey];
      const skills = kind === 'skill' ? listFormer().filter((row) => row.kind === 'skill') : [];
      // The list grows while the loop runs: a skill that was renamed twice has a chain of former slugs.
      for (const key of keys)
        keys.push(
          ...skills.flatMap((row) => (row.itemKey === key && !keys.includes(row.slug) ? [row.slug] : [])),
        );
      return keys;
    },
  };
}

/** Called when an item is published that was only announced until then, in the transaction that publishes it. */
type FollowPublication = (item: KnownItem, at: number) => void;

export const knownItemWrites = (db: Statements, follow: FollowPublication) => ({
  /**
   * Stores the published items, and calls `follow` for those that were only announced until now. Returns, as JSON, the archives
   * that editions had under former slugs.
   */
  publishItems({ items, at, editions = [], audits = [], formerSlugs }: PublishedItems): readonly string[] {
    for (const audit of audits) logAct(db, audit);
    if (formerSlugs !== undefined) replaceFormerSlugs(db, formerSlugs);
    const announced = db.all<Pick<KnownItem, 'kind' | 'itemKey'>>`
      SELECT kind, item_key AS itemKey FROM shown_items WHERE edition = ${ANNOUNCED}`;
    const waiting = new Set(announced.map(({ kind, itemKey }) => `${kind} ${itemKey}`));
    for (const item of items) {
      const { kind, itemKey, slug, edition } = item;
      if (edition !== null && edition !== ANNOUNCED && waiting.has(`${kind} ${itemKey}`)) follow(item, at);
      db.run`INSERT INTO known_items (kind, item_key, slug, published_at)
          VALUES (${kind}, ${itemKey}, ${slug}, ${at})
          ON CONFLICT DO UPDATE SET slug = excluded.slug, published_at = excluded.published_at`;
      if (edition !== null)
        db.run`INSERT INTO shown_items (kind, item_key, edition, first_shown_at, changed_at)
            VALUES (${kind}, ${itemKey}, ${edition}, ${at}, ${at})
            ON CONFLICT DO UPDATE SET edition = excluded.edition, changed_at = excluded.changed_at,
                first_shown_at = iif(edition GLOB ${`${HOLDERS_ONLY}*`}, excluded.first_shown_at, first_shown_at)
              WHERE edition <> excluded.edition`;
    }
    return editions.flatMap((edition) => serveEdition(db, edition, at) ?? []);
  },
});

function replaceFormerSlugs(db: Statements, slugs: readonly FormerSlug[]): void {
  db.run`DELETE FROM former_slugs`;
  for (const { slug, kind, itemKey, isDeclared } of slugs) {
    db.run`INSERT INTO former_slugs (slug, kind, item_key, is_declared)
      VALUES (${slug}, ${kind}, ${itemKey}, ${isDeclared})`;
    if (kind !== 'skill') continue;
    // A skill is identified by its slug, so its history moves to the new slug; a book is identified by its id, which stays.
    db.run`UPDATE OR IGNORE editions SET item_key = ${itemKey}, state = iif(state = 'served', 'kept', state)
      WHERE kind = 'skill' AND item_key = ${slug}`;
    for (const table of [sql`shown_items`, sql`git_commits`, sql`item_versions`])
      db.run`UPDATE OR IGNORE ${table} SET item_key = ${itemKey} WHERE kind = 'skill' AND item_key = ${slug}`;
  }
}
