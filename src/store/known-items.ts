import type { Database } from 'bun:sqlite';

/** An item that was published from this data directory at least once: what a grant may name. */
export type KnownItem = { readonly kind: 'book' | 'skill'; readonly itemKey: string; readonly slug: string };

export function knownItemReads(db: Database) {
  // A slug that passed from one item to another means the one published last.
  const bySlug = db.prepare<KnownItem, [string]>(
    'SELECT kind, item_key AS itemKey, slug FROM known_items WHERE slug = ? ORDER BY published_at DESC LIMIT 1',
  );
  const all = db.prepare<KnownItem, [number]>(
    'SELECT kind, item_key AS itemKey, slug FROM known_items ORDER BY slug LIMIT ?',
  );
  return {
    /** By slug, at most so many. */
    async listKnownItems(atMost: number): Promise<readonly KnownItem[]> {
      return all.all(atMost);
    },
    async findKnownItem(slug: string): Promise<KnownItem | null> {
      return bySlug.get(slug);
    },
  };
}

export function knownItemWrites(db: Database) {
  const upsert = db.prepare(
    `INSERT INTO known_items (kind, item_key, slug, published_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET slug = excluded.slug, published_at = excluded.published_at`,
  );
  return {
    publishItems(publication: { readonly items: readonly KnownItem[]; readonly at: number }): void {
      for (const item of publication.items) upsert.run(item.kind, item.itemKey, item.slug, publication.at);
    },
  };
}
