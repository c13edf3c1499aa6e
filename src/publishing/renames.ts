import { type Edition, type FormerSlugs, nameOf } from '../catalog/catalog.ts';
import { isUnpublished, itemKey } from '../catalog/item.rule.ts';
import { naming, quote, warning } from '../platform/base/problem.ts';
import type { Store } from './stall.ts';
import { formerTaken } from './check.ts';
import { keepEdition, type Publication, RENAMED } from './publication.ts';
import { type ItemFolder } from '../catalog/compile-job.ts';
import { readText } from '../catalog/file-scan.ts';
import { parseYaml } from '../platform/base/field.ts';
import type { FormerSlug } from '../catalog/known-item.rule.ts';

/**
 * Finds the renamed items: those with `formerly` in item.yaml, and books whose id is in another folder now. A slug that a
 * served item has always leads to that item. Returns where former slugs lead, and the rows to store, undefined if they are
 * stored already.
 */
export function findRenames(store: Store, editions: readonly Edition[]) {
  const before = store.listFormerSlugs();
  const rows = findRows(editions, before, store.listBookSlugs());
  return { slugs: follow(editions, rows), changed: Bun.deepEquals(rows, before) ? undefined : rows };
}

function findRows(
  editions: readonly Edition[],
  before: readonly FormerSlug[],
  bookSlugs: ReadonlyMap<string, string>,
): readonly FormerSlug[] {
  const served = new Set(editions.map((edition) => nameOf(edition)));
  const rows = new Map<string, FormerSlug>();
  for (const row of before)
    // The declared slugs of served items are read from item.yaml below. A stored one may be gone from there.
    if (!row.isDeclared || !served.has(`${row.kind} ${row.itemKey}`)) rows.set(row.slug, row);
  for (const { manifest } of editions) {
    const slug = manifest.id === null ? undefined : bookSlugs.get(manifest.id);
    if (slug !== undefined && slug !== manifest.slug) rows.set(slug, rowOf(slug, manifest, false));
  }
  for (const { manifest } of editions)
    for (const slug of manifest.formerly) {
      const had = rows.get(slug);
      // Readers know a served book by its former slug, so no other item may take over that slug.
      const isHeld = had !== undefined && !had.isDeclared && served.has(`${had.kind} ${had.itemKey}`);
      if (!isHeld) rows.set(slug, rowOf(slug, manifest, true));
    }
  for (const { manifest } of editions) rows.delete(manifest.slug);
  return [...rows.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
}

function rowOf(slug: string, manifest: Edition['manifest'], isDeclared: boolean): FormerSlug {
  return { slug, kind: manifest.kind, itemKey: itemKey(manifest), isDeclared };
}

/** Maps each former slug to the served slug to which it leads, even over several renamings. */
function follow(editions: readonly Edition[], rows: readonly FormerSlug[]): FormerSlugs {
  const served = new Map(editions.map((edition) => [nameOf(edition), edition.manifest.slug]));
  const bySlug = new Map(rows.map((row) => [row.slug, row]));
  const find = (slug: string, seen: ReadonlySet<string>): string | undefined => {
    const row = seen.has(slug) ? undefined : bySlug.get(slug);
    if (row === undefined) return undefined;
    // Only a skill's key is a slug, and may be a former one in turn.
    const next = row.kind === 'skill' ? row.itemKey : '';
    return served.get(`${row.kind} ${row.itemKey}`) ?? find(next, new Set([...seen, slug]));
  };
  const found = rows.map(({ slug }) => [slug, find(slug, new Set())] as const);
  return new Map(found.flatMap(([slug, target]) => (target === undefined ? [] : [[slug, target]])));
}

/**
 * Adds a warning to each item whose `formerly` names a slug under which another item was served: the slug leads to that
 * other item.
 */
export function warnOfTaken(publications: readonly Publication[], slugs: FormerSlugs) {
  const served = new Set(publications.map(({ edition }) => edition?.manifest.slug));
  return publications.map((publication) => {
    const manifest = publication.edition?.manifest;
    const taken = (manifest?.formerly ?? []).flatMap((slug) => {
      const target = slugs.get(slug);
      const isTaken = target !== undefined && target !== manifest?.slug && !served.has(slug);
      if (!isTaken) return [];
      const sentence = `"formerly" names ${quote(slug)}, but ${quote(target)} had that slug, and its readers still reach it by it`;
      const problem = warning('former-taken', 'item.yaml', sentence, 'Remove it from "formerly"');
      return naming([target], formerTaken(slug), problem);
    });
    return taken.length === 0
      ? publication
      : { ...publication, problems: [...publication.problems, ...taken] };
  });
}

/** A folder that may be a renamed item, but cannot serve its readers: it has errors, or is a draft. */
type Renamed = {
  readonly item: ItemFolder;
  readonly isDraft: boolean;
  readonly formerly: readonly string[];
  readonly id: string;
};

/**
 * Keeps the last good edition of an item whose renamed folder has errors or is the draft of a skill. Until the new folder
 * can be served, the edition is served under the old slug; for a draft, only to readers who have it. `saved` has editions
 * by kind and slug.
 */
export function keepRenamed(
  compiled: readonly Publication[],
  folders: readonly ItemFolder[],
  saved: ReadonlyMap<string, Edition>,
): readonly Publication[] {
  const present = new Set(folders.map((folder) => folderName(folder)));
  const missing = [...saved].flatMap(([name, edition]) => (present.has(name) ? [] : [edition]));
  if (missing.length === 0) return [];
  const outcomes = new Map(compiled.map((publication) => [folderName(publication), publication]));
  const renamed = folders.flatMap((item) => renamedOf(item, outcomes.get(folderName(item))));
  return missing.flatMap((edition) => {
    const { kind, slug, id } = edition.manifest;
    const now = renamed.find(
      (one) => one.item.kind === kind && (one.formerly.includes(slug) || (id !== null && one.id === id)),
    );
    return now === undefined ? [] : [keep(edition, now)];
  });
}

const folderName = ({ kind, slug }: Pick<ItemFolder, 'kind' | 'slug'>): string => `${kind} ${slug}`;

/**
 * Returns the folder with its former slugs and id if it has errors or is a skill's draft; else an empty list. A book's
 * draft needs no help: its last edition is found by its id.
 */
function renamedOf(item: ItemFolder, publication: Publication | undefined): readonly Renamed[] {
  const manifest = publication?.edition?.manifest;
  if (manifest === undefined) return [{ item, isDraft: false, ...namesIn(item) }];
  return isUnpublished(manifest) && item.kind === 'skill' ? [{ item, isDraft: true, ...namesIn(item) }] : [];
}

/** Reads the former slugs and the id from an item.yaml, even if the rest of it has errors. */
function namesIn({ folder }: ItemFolder): Pick<Renamed, 'formerly' | 'id'> {
  const entries = readEntries(folder);
  const id = entries?.get('id');
  return {
    formerly: [entries?.get('formerly') ?? []].flat().filter((slug) => typeof slug === 'string'),
    id: typeof id === 'string' ? id : '',
  };
}

function readEntries(folder: string) {
  try {
    return parseYaml(readText(folder, 'item.yaml') ?? '', 'item.yaml').entries;
  } catch {
    return null;
  }
}
function keep(edition: Edition, { item, isDraft }: Renamed): Publication {
  const { manifest } = edition;
  const isOpen = !isDraft || manifest.status === 'archived';
  const kept = isOpen ? edition : { ...edition, manifest: { ...manifest, status: 'archived' as const } };
  const [why, remedy] = isDraft
    ? [
        'is not published: those who hold it still get',
        `Write "status: published" in ${item.kind}s/${item.slug}/item.yaml`,
      ]
    : ['has an error: readers still get', `Mend ${item.kind}s/${item.slug}`];
  const sentence = `It is ${quote(item.slug)} now, which ${why} the last edition of ${quote(manifest.slug)}`;
  const untold = 'It has another slug now';
  return {
    ...keepEdition(kept),
    problems: [naming([item.slug], untold, warning(RENAMED, '', sentence, remedy))],
  };
}
