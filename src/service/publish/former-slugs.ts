import type { FormerSlugs } from '../../catalog/catalog.ts';
import type { Edition } from '../../catalog/edition.ts';
import { itemKey } from '../../item/item.ts';
import { type Problem, quote, warning } from '../../item/problem.ts';
import type { Store } from '../../store/store.ts';
import type { FormerSlug } from '../../store/tables/former-slugs.ts';
import type { Publication } from './publication.ts';

/** The targets of former slugs, and the rows to store if they changed; call `noteStored` once they are. */
export type Renames = {
  readonly slugs: FormerSlugs;
  readonly changed: readonly FormerSlug[] | undefined;
  readonly noteStored: () => void;
};

/**
 * Finds the items that were renamed: by `formerly` in item.yaml, and books whose id is in another folder than before. A name
 * that a served item has leads nowhere else.
 */
export function createFormerSlugs(store: Store) {
  let stored: readonly FormerSlug[] | null = null;
  let bookSlugs: ReadonlyMap<string, string> | null = null;

  return async (editions: readonly Edition[]): Promise<Renames> => {
    const before = (stored ??= await store.listFormerSlugs());
    const known = (bookSlugs ??= await store.listBookSlugs());
    const rows = findRows(editions, before, known);
    const isSame = Bun.deepEquals(rows, before);
    return {
      slugs: follow(editions, rows),
      changed: isSame ? undefined : rows,
      noteStored() {
        stored = rows;
        bookSlugs = new Map([...known, ...editions.flatMap(bookSlugOf)]);
      },
    };
  };
}

function bookSlugOf({ manifest: { id, slug } }: Edition): readonly (readonly [string, string])[] {
  return id === null ? [] : [[id, slug]];
}

/** Every former slug by name: those named now, those of moved books, and what is remembered of items that are gone. */
function findRows(
  editions: readonly Edition[],
  before: readonly FormerSlug[],
  bookSlugs: ReadonlyMap<string, string>,
): readonly FormerSlug[] {
  const served = new Set(editions.map((edition) => nameOf(edition)));
  const rows = new Map<string, FormerSlug>();
  for (const row of before)
    // An item that is served says itself which slugs it had.
    if (!row.isDeclared || !served.has(`${row.kind} ${row.itemKey}`)) rows.set(row.slug, row);
  for (const { manifest } of editions) {
    const slug = manifest.id === null ? undefined : bookSlugs.get(manifest.id);
    if (slug !== undefined && slug !== manifest.slug) rows.set(slug, rowOf(slug, manifest, false));
  }
  for (const { manifest } of editions)
    for (const slug of manifest.formerly) {
      const had = rows.get(slug);
      // Readers hold the served book under the name it had: no other item takes it from them.
      const isHeld = had !== undefined && !had.isDeclared && served.has(`${had.kind} ${had.itemKey}`);
      if (!isHeld) rows.set(slug, rowOf(slug, manifest, true));
    }
  for (const { manifest } of editions) rows.delete(manifest.slug);
  return [...rows.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

function rowOf(slug: string, manifest: Edition['manifest'], isDeclared: boolean): FormerSlug {
  return { slug, kind: manifest.kind, itemKey: itemKey(manifest), isDeclared };
}

/** The served slug that each former slug leads to, through every renaming. */
function follow(editions: readonly Edition[], rows: readonly FormerSlug[]): FormerSlugs {
  const served = new Map(editions.map((edition) => [nameOf(edition), edition.manifest.slug]));
  const bySlug = new Map(rows.map((row) => [row.slug, row]));
  const find = (slug: string, seen: ReadonlySet<string>): string | undefined => {
    const row = seen.has(slug) ? undefined : bySlug.get(slug);
    if (row === undefined) return undefined;
    // Only a skill's key is a slug, which may have been renamed in turn.
    const next = row.kind === 'skill' ? row.itemKey : '';
    return served.get(`${row.kind} ${row.itemKey}`) ?? find(next, new Set([...seen, slug]));
  };
  const found = rows.map(({ slug }) => [slug, find(slug, new Set())] as const);
  return new Map(found.flatMap(([slug, target]) => (target === undefined ? [] : [[slug, target]])));
}

function nameOf({ manifest }: Edition): string {
  return `${manifest.kind} ${itemKey(manifest)}`;
}

/** Adds a warning for each former slug that leads to another item, which had it when it was served. */
export function warnOfTaken(
  publications: readonly Publication[],
  slugs: FormerSlugs,
): readonly Publication[] {
  const served = new Set(publications.map(({ edition }) => edition?.manifest.slug));
  return publications.map((publication) => {
    const manifest = publication.edition?.manifest;
    const taken = (manifest?.formerly ?? []).flatMap((slug) => {
      const target = slugs.get(slug);
      const isTaken = target !== undefined && target !== manifest?.slug && !served.has(slug);
      return isTaken ? [takenBy(slug, target)] : [];
    });
    return taken.length === 0
      ? publication
      : { ...publication, problems: [...publication.problems, ...taken] };
  });
}

function takenBy(slug: string, target: string): Problem {
  return warning(
    'former-taken',
    'item.yaml',
    `"formerly" names ${quote(slug)}, but ${quote(target)} had that slug, and its readers still reach it by it`,
    'Remove it from "formerly"',
  );
}
