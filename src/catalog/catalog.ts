import { isShown, type Item, type ItemFile, itemKey, type Manifest } from './item.rule.ts';
import { type ItemKind } from '../platform/base/principal.ts';
import type { StallManifest } from './stall-manifest.rule.ts';
import type { FileFacts } from './inventory.rule.ts';
import type { Chapter } from './chapters.rule.ts';
import type { Problem } from '../platform/base/problem.ts';
import type { Artefact, ArtefactKind } from './artefact.ts';
import type { QuestionCoverage } from './questions.rule.ts';

/**
 * The stat fields of a file at the time it was hashed, to tell later whether it has changed. `mtime` and `ctime` are
 * nanoseconds as decimal text; `ctime` is empty for pushed items, since backups change it. `hashedAt` is milliseconds since
 * 1970.
 */
export type Stamp = {
  readonly inode: string;
  readonly mtime: string;
  readonly ctime: string;
  readonly hashedAt: number;
};

/**
 * A file of an edition. `json` is the range of bytes of its record in the artefact `files`, a JSON file with the contents of
 * all files. `facts` is missing in editions that version 0.3.0 made.
 */
export type EditionFile = ItemFile & {
  readonly stamp: Stamp;
  readonly facts?: FileFacts;
  readonly json: { readonly start: number; readonly end: number };
};

export type FileChanges = { readonly added: number; readonly changed: number; readonly removed: number };

/** The paths behind `FileChanges`, at most a hundred in all; see `compareFiles`. */
export type ChangedFiles = {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
};

/** A compiled item. It is saved in the data directory; pages and downloads come from there, never from the item's folder. */
export type Edition = Omit<Item, 'files'> & {
  readonly files: readonly EditionFile[];
  readonly chapters: readonly Chapter[];
  readonly artefacts: Readonly<Partial<Record<ArtefactKind, Artefact>>>;
  readonly warnings: readonly Problem[];
  /** The changes since the edition before. In a first edition all files count as added, and `files` is missing. */
  readonly changes?: FileChanges & { readonly files?: ChangedFiles };
  /** The paths of images and recordings that anyone may load, since public texts show them; see `findSampleImages`. */
  readonly sampleImages?: readonly string[];
  /** How much of the book questions.yaml covers; only a book with that file has it. */
  readonly questions?: QuestionCoverage;
  /** The publisher's notes on this edition, as Markdown; see `findNotes`. */
  readonly notes?: string | null;
  /**
   * The hash of the item's inputs at the compile, by `inputsHash`. Editions of version 0.1.0 lack it, and are inspected again.
   */
  readonly inputsHash?: string;
  /**
   * The edition of the folder's present state, if that is a draft or an announcement of an item that was published before. A
   * draft is shown to those who may edit the item, an announcement to everyone.
   */
  readonly draft?: Edition;
  readonly isPushed?: boolean;
  /** Whether a superseded edition was free when it was served; missing in any other edition. */
  readonly wasFree?: boolean;
};

/** Returns the key of an item in its content directory: kind and slug, as in `book field-notes`. */
export const keyOf = ({ manifest }: Pick<Edition, 'manifest'>): string => `${manifest.kind} ${manifest.slug}`;

export const haveSameRoot = (
  one: { readonly isPushed?: boolean },
  other: { readonly isPushed?: boolean },
): boolean => (one.isPushed ?? false) === (other.isPushed ?? false);

export const nameOf = ({ manifest }: Pick<Edition, 'manifest'>): string =>
  `${manifest.kind} ${itemKey(manifest)}`;

/** All editions that the stall serves. A catalog is never changed: another one replaces it. */
export type Catalog = {
  readonly editions: readonly Edition[];
  readonly bySlug: ReadonlyMap<string, Edition>;
  readonly byBookId: ReadonlyMap<string, Edition>;
  readonly former: FormerSlugs;
} & ForSale;

type ForSale = Pick<StallManifest, 'bundles' | 'notOurs'>;

/** Maps each former slug of an item to its present slug, without former slugs that another item has now. */
export type FormerSlugs = ReadonlyMap<string, string>;

/**
 * Computes values that the first readers of a new catalog will need, before that catalog is served. A server's start does not
 * wait for it, as it has no earlier catalog to serve meanwhile. Failures are ignored: a reader who needs the value will meet
 * the same error.
 */
export type PrepareCatalog = (catalog: Catalog) => Promise<unknown>;

export function createCatalog(
  editions: readonly Edition[],
  former: FormerSlugs = new Map(),
  { bundles, notOurs }: ForSale = { bundles: [], notOurs: [] },
): Catalog {
  const sorted = editions.toSorted((a, b) => (a.manifest.slug < b.manifest.slug ? -1 : 1));
  return {
    editions: sorted,
    bySlug: new Map(sorted.map((edition) => [edition.manifest.slug, edition])),
    byBookId: new Map(
      sorted.flatMap((edition) =>
        edition.manifest.id === null ? [] : [[edition.manifest.id, edition] as const],
      ),
    ),
    former,
    bundles,
    notOurs,
  };
}

export function findBySlug(catalog: Catalog, slug: string, kind?: ItemKind): Edition | undefined {
  const edition = catalog.bySlug.get(slug) ?? catalog.bySlug.get(catalog.former.get(slug) ?? '');
  return kind === undefined || edition?.manifest.kind === kind ? edition : undefined;
}

export const findByKey = (catalog: Catalog, kind: ItemKind, key: string): Edition | undefined =>
  kind === 'book' ? catalog.byBookId.get(key) : findBySlug(catalog, key, kind);

const bySlug = new WeakMap<FormerSlugs, ReadonlyMap<string, readonly (readonly [string, string])[]>>();

export function listFormerSlugs({ former }: Catalog, slug: string): readonly string[] {
  const groups = bySlug.getOrInsertComputed(former, () => Map.groupBy(former, ([, current]) => current));
  return groups.get(slug)?.map(([old]) => old) ?? [];
}

/**
 * Returns the keys under which grants may name an item: its own, and the former slugs of a skill. A book's key, its id, stays.
 */
export function grantKeys(catalog: Catalog, manifest: Manifest): readonly string[] {
  const own = itemKey(manifest);
  return manifest.kind === 'book' ? [own] : [own, ...listFormerSlugs(catalog, manifest.slug)];
}

export const listPublished = (catalog: Catalog): readonly Edition[] =>
  catalog.editions.filter((edition) => edition.manifest.status === 'published');

export const publicFace = (edition: Edition): Edition =>
  edition.draft?.manifest.status === 'announced' ? edition.draft : edition;

export const listShown = (catalog: Catalog): readonly Edition[] =>
  catalog.editions.map(publicFace).filter(({ manifest }) => isShown(manifest));
