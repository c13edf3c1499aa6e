import type { Database } from 'bun:sqlite';

/** A slug that an item had before; `isDeclared` if its item.yaml names it. No item of the last publish has it. */
export type FormerSlug = {
  readonly slug: string;
  readonly kind: 'book' | 'skill';
  readonly itemKey: string;
  readonly isDeclared: boolean;
};

type Row = Omit<FormerSlug, 'isDeclared'> & { readonly isDeclared: number };

export function formerSlugReads(db: Database) {
  const all = db.prepare<Row, []>(
    'SELECT slug, kind, item_key AS itemKey, is_declared AS isDeclared FROM former_slugs ORDER BY slug',
  );
  const bookSlugs = db.prepare<{ itemKey: string; slug: string }, []>(
    `SELECT item_key AS itemKey, slug FROM known_items WHERE kind = 'book'`,
  );
  const list = (): readonly FormerSlug[] =>
    all.all().map((row) => ({ ...row, isDeclared: row.isDeclared === 1 }));
  return {
    async listFormerSlugs(): Promise<readonly FormerSlug[]> {
      return list();
    },
    /** The last known slug of every book by its id. */
    async listBookSlugs(): Promise<ReadonlyMap<string, string>> {
      return new Map(bookSlugs.all().map(({ itemKey, slug }) => [itemKey, slug]));
    },
    /** The keys under which grants may name an item: its own, and a skill's former slugs. */
    async listGrantKeys(kind: string, itemKey: string): Promise<readonly string[]> {
      const keys = [itemKey];
      const skills = kind === 'skill' ? list().filter((row) => row.kind === 'skill') : [];
      // It grows as it is read: a skill that was renamed twice has a chain of them.
      for (const key of keys)
        keys.push(
          ...skills.flatMap((row) => (row.itemKey === key && !keys.includes(row.slug) ? [row.slug] : [])),
        );
      return keys;
    },
  };
}

/** Replaces all former slugs, in a transaction of the caller. */
export function formerSlugUpdates(db: Database): (slugs: readonly FormerSlug[]) => void {
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
