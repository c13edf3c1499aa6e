import { OWN_FILES } from '../../catalog/ignore.rule.ts';
import { maxBytes, parseYaml } from '../../platform/base/field.ts';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { ItemKind } from '../../platform/base/principal.ts';
import {
  mergeChapters,
  type MergedChapters,
  replaceChapters,
  writeItemYaml,
} from '../../catalog/manifest.rule.ts';
import { messageOf, Refusal } from '../../platform/base/refusal.ts';
import { isRunning } from '../../platform/base/runtime.ts';
import {
  cannotImport,
  type ImportLimits,
  listEveryFile,
  refuseLarge,
  refuseUnsafe,
} from './source-folder.ts';
import { type Decisions, type Draft, draftValues, nameDrafts } from './draft.ts';
import { type CopiedFile, type ManuscriptFile, textFile, type ManuscriptFormat } from './manuscript.ts';
import { createNotes, type Notes } from './book-text.ts';
import { readManuscripts } from './recognise.ts';
import { tmpdir } from 'node:os';
import { readReplacedFolderName, replacedFolderName } from '../../catalog/path.rule.ts';

export type ImportOptions = {
  readonly source: string;
  readonly content: string;
  readonly as: ItemKind | null;
  readonly decisions: Decisions;
  readonly limits: ImportLimits;
  readonly isUpdate: boolean;
  readonly takesChapters?: boolean;
  readonly isDryRun: boolean;
  /** Throws if an import must not write an item of this slug. */
  readonly refuse?: (slug: string) => void;
};

/** An item that an import made. `differences` are the paths of files that an update changes, null for a new item. */
export type ImportedItem = {
  readonly kind: ItemKind;
  readonly slug: string;
  readonly format: ManuscriptFormat;
  readonly folder: string;
  readonly chapters: number;
  readonly parts: number;
  readonly files: number;
  readonly bytes: number;
  readonly differences: {
    added: string[];
    changed: string[];
    removed: string[];
  } | null;
};

/**
 * A finished import that is not published yet. `directory` is a content directory with the new items alone; `publish`
 * moves them to their places.
 */
export type StagedImport = ReturnType<Notes['report']> & {
  readonly items: readonly ImportedItem[];
  readonly directory: string;
  readonly publish: () => void;
  readonly discard: () => void;
};

const SHELVES = ['books', 'skills'];

/**
 * Reads a manuscript and makes items from it in a directory beside the existing items. If it refuses, nothing is left
 * behind.
 */
export async function stageImport(options: ImportOptions): Promise<StagedImport> {
  const { source, content, as, decisions, limits, isDryRun } = options;
  if (!statSync(content, { throwIfNoEntry: false })?.isDirectory())
    throw Refusal.missing(
      `Cannot find the content directory "${content}": name another with --content, or make one with "bookstall init"`,
    );
  const notes = createNotes();
  const drafts = nameDrafts(await readManuscripts(source, { as, limits, notes }), decisions, notes);
  const kind = drafts[0]?.manuscript.kind ?? 'book';
  // This comes before `refuseTaken`: if an import was killed while replacing an item, that item gets its name back here.
  if (!isDryRun) for (const folder of SHELVES) cleanKindFolder(join(content, folder));
  refuseTaken(drafts, options);
  const made = drafts.map((draft) => makeItem(draft, options, notes));
  const kindFolder = join(content, `${kind}s`);
  const staging = openStaging(kind, isDryRun ? null : kindFolder, readStallYaml(content));
  fill(staging, made);
  return {
    ...notes.report(),
    items: made.map(({ item }) => item),
    directory: staging.directory,
    publish: () => made.forEach(({ item }) => staging.publish(item.slug)),
    discard: staging.discard,
  };
}

function refuseTaken(drafts: readonly Draft[], { content, isUpdate, refuse }: ImportOptions): void {
  for (const { slug } of drafts) refuse?.(slug);
  const isThere = ({ slug, manuscript }: Draft): boolean =>
    existsSync(folderOf(content, manuscript.kind, slug));
  if (isUpdate && !drafts.some(isThere))
    throw cannotImport(
      drafts[0]?.slug ?? '',
      `there is no such ${drafts[0]?.manuscript.kind} to update in "${content}"; leave --update out, or name the item with --slug`,
    );
  for (const { slug, manuscript } of drafts) {
    const other = manuscript.kind === 'book' ? 'skill' : 'book';
    if (existsSync(folderOf(content, other, slug)))
      throw cannotImport(slug, `a ${other} has this slug already; name another with --slug`);
    if (!isUpdate && existsSync(folderOf(content, manuscript.kind, slug)))
      throw cannotImport(
        slug,
        `"${folderOf(content, manuscript.kind, slug)}" exists already; bring it up to date with --update, or name another slug with --slug`,
      );
  }
}

function makeItem(
  draft: Draft,
  { content, decisions, limits, takesChapters = false }: ImportOptions,
  notes: Notes,
) {
  const { slug, manuscript } = draft;
  const { kind, format, chapters, edition } = manuscript;
  const folder = folderOf(content, kind, slug);
  const own = [...manuscript.files, ...(edition === null ? [] : [{ ...edition, path: `${slug}.epub` }])];
  const isNew = !existsSync(folder);
  const { files, differences } = isNew
    ? { files: [newYaml(draft, decisions, notes), ...own], differences: null }
    : updateFiles(folder, draft, own, takesChapters ? null : notes);
  refuseLarge(slug, files, limits);
  const item = {
    kind,
    slug,
    format,
    folder,
    chapters: chapters.length,
    parts: new Set(chapters.flatMap(({ part }) => part ?? [])).size,
    files: files.length - 1,
    bytes: own.reduce((sum, file) => sum + ('bytes' in file ? file.bytes.length : file.size), 0),
    differences,
  };
  return { item, files };
}

function newYaml(draft: Draft, decisions: Decisions, notes: Notes): ManuscriptFile {
  const values = draftValues(draft, decisions, notes);
  const yaml = writeItemYaml({ values, chapters: draft.manuscript.chapters });
  const bytes = Buffer.byteLength(yaml);
  if (bytes > maxBytes)
    throw cannotImport(
      draft.slug,
      `its chapters and titles need ${bytes} bytes of item.yaml, more than ${maxBytes}; split it, or shorten its titles`,
    );
  return textFile('item.yaml', yaml);
}

function fill(staging: Staging, made: readonly ReturnType<typeof makeItem>[]): void {
  try {
    for (const { item, files } of made) staging.add(item.slug, files);
  } catch (cause) {
    staging.discard();
    if (cause instanceof Refusal) throw cause;
    throw cannotImport('the manuscript', `${messageOf(cause)}; check its files, free space and permissions`);
  }
}

/** Reads stall.yaml, since its defaults may supply values that a draft lacks; null if there is no such file. */
function readStallYaml(content: string): string | null {
  const file = join(content, 'stall.yaml');
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8') : null;
}

const folderOf = (content: string, kind: ItemKind, slug: string): string => join(content, `${kind}s`, slug);

/**
 * Matches the folders in which imports make items. The dot at the beginning keeps leftovers of a killed import from
 * being served.
 */
const UNFINISHED = /^\.import-(\d+)-/;

/**
 * Opens a temporary content directory inside `kindFolder`, the folder `books` or `skills`, to which finished items are
 * moved. If `kindFolder` is null, nothing will be published, and the system's temporary directory holds it.
 */
function openStaging(kind: ItemKind, kindFolder: string | null, stallYaml: string | null) {
  const isNew = kindFolder !== null && mkdirSync(kindFolder, { recursive: true }) !== undefined;
  const directory = mkdtempSync(
    kindFolder === null ? join(tmpdir(), 'bookstall-import-') : join(kindFolder, `.import-${process.pid}-`),
  );
  const folderOf = (slug: string): string => join(directory, `${kind}s`, slug);
  if (stallYaml !== null) writeFileSync(join(directory, 'stall.yaml'), stallYaml);
  return {
    directory,
    add(slug: string, files: readonly ManuscriptFile[]) {
      for (const file of files) writeFile(folderOf(slug), file);
    },
    publish(slug: string) {
      if (kindFolder === null) return;
      const [target, replaced] = [
        join(kindFolder, slug),
        join(kindFolder, replacedFolderName({ process: process.pid, slug })),
      ];
      if (existsSync(target)) renameSync(target, replaced);
      renameSync(folderOf(slug), target);
      rmSync(replaced, { recursive: true, force: true });
    },
    discard() {
      rmSync(directory, { recursive: true, force: true });
      if (isNew && readdirSync(kindFolder).length === 0) rmdirSync(kindFolder);
    },
  };
}

type Staging = ReturnType<typeof openStaging>;

function writeFile(folder: string, file: ManuscriptFile): void {
  refuseUnsafe(file.path);
  const target = join(folder, file.path);
  mkdirSync(dirname(target), { recursive: true });
  if ('bytes' in file) writeFileSync(target, file.bytes, { flag: 'wx' });
  else copyFileSync(file.source, target);
  chmodSync(target, file.executable ? 0o755 : 0o644);
}

/**
 * Removes the leftovers of killed imports from `books` or `skills`. An item that such an import was replacing gets its name
 * back.
 */
function cleanKindFolder(kindFolder: string): void {
  for (const name of existsSync(kindFolder) ? readdirSync(kindFolder) : []) {
    const [, unfinished] = UNFINISHED.exec(name) ?? [];
    const replaced = readReplacedFolderName(name);
    const importer = replaced?.process ?? (unfinished === undefined ? null : Number(unfinished));
    if (importer === null || isRunning(importer)) continue;
    if (replaced !== null && !existsSync(join(kindFolder, replaced.slug)))
      renameSync(join(kindFolder, name), join(kindFolder, replaced.slug));
    else rmSync(join(kindFolder, name), { recursive: true, force: true });
  }
}

const OWN = new Set([...OWN_FILES.book, 'CHANGELOG.md']);

/**
 * Returns the files of an updated item: those of the manuscript, item.yaml, and the publisher's own (dot files, and those
 * named in item.yaml or `OWN`). All others are removed. With `notes` the chapters of item.yaml are merged with the
 * source's, and the changes noted; without, they are replaced.
 */
function updateFiles(
  folder: string,
  { slug, manuscript }: Draft,
  made: readonly ManuscriptFile[],
  notes: Notes | null,
) {
  const yaml = readYaml(folder, slug);
  const present = listEveryFile(folder);
  const named = namedFiles(yaml);
  const isOwn = ({ path }: CopiedFile): boolean => OWN.has(path) || path.startsWith('.') || named.has(path);
  const brought = new Map(made.map((file) => [file.path, file]));
  const kept = present.filter((file) => file.path !== 'item.yaml' && !brought.has(file.path) && isOwn(file));
  const before = new Map(present.map((file) => [file.path, file]));
  const { chapters, kind } = manuscript;
  const there = new Set([...made, ...kept].map(({ path }) => path));
  const isNew = (path: string): boolean => !before.has(path);
  const chosen = (): string => {
    if (kind !== 'book') return yaml;
    if (notes === null) return replaceChapters(yaml, chapters);
    const merged = mergeChapters(yaml, chapters, { isThere: (path) => there.has(path), isNew });
    noteChapters(slug, merged, notes);
    return merged.yaml;
  };
  const brings = [textFile('item.yaml', chosen()), ...made];
  const files = [...brings, ...kept];
  const after = new Set(files.map(({ path }) => path));
  const differences = {
    added: made.flatMap(({ path }) => (before.has(path) ? [] : [path])),
    changed: brings.flatMap((file) => {
      const old = before.get(file.path);
      return old === undefined || isSame(old, file) ? [] : [file.path];
    }),
    removed: present.flatMap(({ path }) => (after.has(path) ? [] : [path])),
  };
  return { files, differences };
}

function noteChapters(slug: string, { added, gone, isOwn }: MergedChapters, notes: Notes): void {
  for (const path of added) notes.lookAt(`New chapters of "${slug}", each behind the one it follows`, path);
  for (const path of gone) notes.leftOut(`Chapters of "${slug}" that its source has no more`, path);
  if (isOwn)
    notes.lookAt(
      `item.yaml of "${slug}" keeps its own order, titles and parts of chapters, which the source does not have; --chapters takes the source's instead`,
    );
}

function readYaml(folder: string, slug: string): string {
  const file = join(folder, 'item.yaml');
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile()) return readFileSync(file, 'utf8');
  throw cannotImport(
    slug,
    'its folder has no item.yaml to keep; remove the folder, and import without --update',
  );
}

function namedFiles(yaml: string): ReadonlySet<string> {
  const { entries } = parseYaml(yaml, 'item.yaml');
  const values = ['cover', 'formats'].map((key) => entries?.get(key));
  const paths = values.flat().map((value) => (value instanceof Map ? value.get('path') : value));
  return new Set(paths.filter((value) => typeof value === 'string'));
}

function isSame(old: CopiedFile, file: ManuscriptFile): boolean {
  if (old.executable !== file.executable) return false;
  if (old.size !== ('bytes' in file ? file.bytes.length : file.size)) return false;
  return readFileSync(old.source).equals('bytes' in file ? file.bytes : readFileSync(file.source));
}
