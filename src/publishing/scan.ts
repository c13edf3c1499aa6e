import type { ItemFolder, RefreshJob } from '../catalog/compile-job.ts';
import { readText, hashFile } from '../catalog/file-scan.ts';
import { accessSync, constants, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { noDefaults } from '../catalog/stall-manifest.rule.ts';
import { changelogProblems, MAX_CHANGELOG } from '../catalog/changelog.rule.ts';
import { type Chapter, referenceProblems } from '../catalog/chapters.rule.ts';
import { bodyProblems, parseFrontMatter, type SkillFrontMatter } from '../catalog/front-matter.rule.ts';
import { readSignature } from './item-signature.ts';
import { createIgnore, ignoreProblems, OWN_FILES } from '../catalog/ignore.rule.ts';
import type { ItemFile, Manifest } from '../catalog/item.rule.ts';
import { type ItemKind, ITEM_KINDS } from '../platform/base/principal.ts';
import { createFactFinder, hiddenProblems } from '../catalog/inventory.rule.ts';
import { bookSkillProblems } from '../catalog/book-skill.rule.ts';
import { archiveNameProblems, coverProblems, limitProblems } from '../catalog/limit.rule.ts';
import { chapterProblems, LONGEST_TEXT } from '../catalog/chapter-limit.rule.ts';
import { defaultLimits, type Limits } from '../platform/base/item-limits.ts';
import { parseManifest } from '../catalog/manifest.rule.ts';
import { parseQuestions, QUESTIONS } from '../catalog/questions.rule.ts';
import { pictureProblems, readStart } from '../reading/ebook/picture-problems.ts';
import {
  bareRepositories,
  caseClashes,
  comparePaths,
  isMarkdown,
  itemFolderNames,
  pathProblems,
  readReplacedFolderName,
  slugProblem,
} from '../catalog/path.rule.ts';
import { error, type Problem, quote, warning } from '../platform/base/problem.ts';
import { messageOf } from '../platform/base/refusal.ts';
import { notRegular, type Tree, type TreeFile, unreadable, walkTree } from '../catalog/tree.ts';
import type { Edition, EditionFile, Stamp } from '../catalog/catalog.ts';
import { sha256 } from '../platform/base/runtime.ts';
import { COMMIT, VERSION } from '../platform/base/version.ts';
import { artefactFile } from '../catalog/artefact.ts';

/** The result of reading an item's folder without hashing its files. `manifest` is null if a problem is an error. */
type Scan = {
  readonly manifest: Manifest | null;
  readonly files: readonly TreeFile[];
  readonly problems: readonly Problem[];
};

const FOLDERS = { book: 'books', skill: 'skills' } as const;

/** Lists the item folders of a content directory, sorted; null if there is no such directory. Throws if it cannot be read. */
export function listItemFolders(content: string): readonly ItemFolder[] | null {
  if (!isDirectory(content)) return null;
  return ITEM_KINDS.flatMap((kind) => {
    const root = join(content, FOLDERS[kind]);
    if (!isDirectory(root)) {
      // A link that leads nowhere usually means that a disk is not mounted, not that all items were removed.
      if (isLink(root)) throw new Error(`"${root}" is a link that leads to no directory`);
      return [];
    }
    const names = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name);
    return [...itemFolderNames(names)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([slug, name]) => ({ kind, slug, folder: join(root, name) }));
  });
}

/**
 * Returns the item folders that `list` finds, or why its directory cannot be used, such as "missing". `saved` is how many
 * items it had before; if none, it may be empty.
 */
export function findItemFolders(
  list: () => readonly ItemFolder[] | null,
  saved: number,
): readonly ItemFolder[] | string {
  try {
    const folders = list();
    if (folders === null) return 'missing';
    return folders.length === 0 && saved > 0 ? 'empty' : folders;
  } catch (cause) {
    return `unreadable (${messageOf(cause)})`;
  }
}

export const findTitle = (content: string): string | undefined =>
  (listItemFolders(content) ?? [])
    .values()
    .map((folder) => scanItem(folder, defaultLimits).manifest?.title)
    .find((title) => title !== undefined);

/** Lists an item's files and all problems that can be found without hashing the files; never throws. */
export function scanItem(item: ItemFolder, limits: Limits): Scan {
  try {
    return readItem(item, limits);
  } catch (cause) {
    const path = cause instanceof Error && 'path' in cause ? String(cause.path) : item.folder;
    return { manifest: null, files: [], problems: [unreadable(relative(item.folder, path), cause)] };
  }
}

function readItem(item: ItemFolder, limits: Limits): Scan {
  const { kind, slug, folder } = item;
  if (isLink(folder)) return { manifest: null, files: [], problems: [FOLDER_IS_LINK] };
  // U+FFFD replaces bytes that are not UTF-8, so no folder can be opened by this name.
  if (slug.includes('\uFFFD')) return { manifest: null, files: [], problems: slugProblems(slug) };
  accessSync(folder, constants.R_OK | constants.X_OK);
  const tree = walkItem(item);
  const files = tree.files.toSorted((a, b) => comparePaths(a.path, b.path));
  const { manifest, problems } = readManifest(item);
  const paths = files.map(({ path }) => path);
  const all = [
    ...slugProblems(slug),
    ...(readReplacedFolderName(basename(folder)) === null ? [] : [IMPORT_ENDED]),
    ...ownFileProblems(item),
    ...ignoreProblems(readText(folder, '.bookstallignore') ?? ''),
    ...questionProblems(item),
    ...problems,
    ...treeProblems(item, { ...tree, files }, manifest, limits),
    ...(kind === 'skill' ? readBody(folder, files) : []),
    ...(manifest === null ? [] : changelogProblems(manifest, readChangelog(folder, files))),
    ...(manifest === null ? [] : coverProblems(manifest, files)),
    ...(manifest === null ? [] : pictureProblems(folder, manifest, paths)),
    ...mdbookMarkProblems(folder, kind, paths),
  ];
  return { manifest: all.some(isError) ? null : manifest, files, problems: all };
}

export const walkItem = ({ kind, folder, sharesQuestions = false }: Omit<ItemFolder, 'slug'>): Tree =>
  walkTree(folder, createIgnore(readText(folder, '.bookstallignore'), sharesQuestions ? 'skill' : kind));

function questionProblems({ kind, folder, sharesQuestions = false }: ItemFolder): readonly Problem[] {
  const yaml = kind === 'skill' || sharesQuestions ? null : readText(folder, QUESTIONS);
  return yaml === null ? [] : parseQuestions(yaml).problems;
}

export const isError = (problem: Problem): boolean => problem.severity === 'error';

/** Reads the beginning of an item's CHANGELOG.md; '' if it is not distributed. */
export function readChangelog(folder: string, files: readonly { readonly path: string }[]): string {
  const isThere = files.some(({ path }) => path === 'CHANGELOG.md');
  return isThere ? readStart(folder, 'CHANGELOG.md', MAX_CHANGELOG).toString() : '';
}

/**
 * Reads an item's manifest from item.yaml, and from SKILL.md if it is a skill. `manifest` is null if one of the two is
 * missing or has an error; an announced skill may lack SKILL.md.
 */
export function readManifest({ kind, slug, folder, defaults = noDefaults }: ItemFolder): {
  manifest: Manifest | null;
  problems: readonly Problem[];
} {
  const skill = kind === 'skill' ? readSkill(folder, slug) : { frontMatter: null, problems: [] };
  const yaml = readText(folder, 'item.yaml');
  if (yaml === null) return { manifest: null, problems: [...skill.problems, NO_ITEM_YAML] };
  const isUnwritten = skill.problems.includes(NO_SKILL_MD);
  const frontMatter = isUnwritten ? { name: '', description: '' } : skill.frontMatter;
  const { manifest, problems } = parseManifest({ kind, slug, yaml, skill: frontMatter, defaults });
  const isComing = manifest?.status === 'announced' && manifest.title !== '' && manifest.description !== '';
  if (isUnwritten && isComing) return { manifest, problems };
  return { manifest: isUnwritten ? null : manifest, problems: [...problems, ...skill.problems] };
}

function readSkill(
  folder: string,
  slug: string,
): { frontMatter: SkillFrontMatter | null; problems: readonly Problem[] } {
  const text = readText(folder, 'SKILL.md');
  return text === null ? { frontMatter: null, problems: [NO_SKILL_MD] } : parseFrontMatter(text, slug);
}

function readBody(folder: string, files: readonly TreeFile[]): readonly Problem[] {
  const text = readText(folder, 'SKILL.md');
  const readReference = (path: string): string | null => {
    try {
      return readText(folder, path);
    } catch {
      // Hashing reads the file too, and will report the error.
      return null;
    }
  };
  return text === null ? [] : bodyProblems({ text, files, readText: readReference });
}

function treeProblems(
  { kind, folder }: ItemFolder,
  tree: Tree,
  manifest: Manifest | null,
  limits: Limits,
): readonly Problem[] {
  const paths = tree.files.map((file) => file.path);
  const bytes = tree.files.reduce((sum, file) => sum + file.size, 0);
  const named = new Map(
    paths
      .flatMap((path) => pathProblems(path, manifest?.include))
      .map((one) => [`${one.code} ${one.path}`, one]),
  );
  return [
    ...tree.problems,
    ...named.values(),
    // On a file system that ignores case, an "Item.yaml" would replace item.yaml, and give the item other terms.
    ...caseClashes([...OWN_FILES[kind].filter((path) => readText(folder, path) !== null), ...paths]),
    ...bareRepositories(paths),
    ...limitProblems(kind, { files: paths.length, bytes }, limits),
    ...archiveNameProblems(kind, paths),
    ...(manifest === null ? [] : bookSkillProblems(manifest)),
    ...(manifest === null ? [] : referenceProblems(manifest, paths)),
  ];
}

const slugProblems = (slug: string): readonly Problem[] =>
  [slugProblem(slug)].filter((problem) => problem !== null);

/**
 * Reports links and devices among the files that the stall reads but never distributes, such as item.yaml. Other checks see
 * distributed files alone, and would ignore such a link without a word.
 */
const ownFileProblems = ({ kind, folder }: ItemFolder): readonly Problem[] =>
  OWN_FILES[kind].flatMap((path) => {
    const stat = lstatSync(join(folder, path), { throwIfNoEntry: false });
    return stat === undefined || stat.isFile() || stat.isDirectory()
      ? []
      : [notRegular(path, stat.isSymbolicLink())];
  });

/** Follows links, since a publisher may link the content directory, `books` or `skills`. */
const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

const FOLDER_IS_LINK = error(
  'link',
  '',
  'Cannot serve an item whose folder is a symbolic link',
  'Put the folder itself there',
);
const IMPORT_ENDED = warning(
  'import-ended',
  '',
  'An import ended before it could replace this item, which is served as it was before',
  'Run the import again',
);
const NO_ITEM_YAML = error(
  'no-item-yaml',
  'item.yaml',
  `Cannot serve an item without ${quote('item.yaml')}`,
  'Write one with at least a title, a description, a publisher and unitAmountCents',
);
const NO_SKILL_MD = error(
  'no-skill-md',
  'SKILL.md',
  `Cannot serve a skill without ${quote('SKILL.md')}`,
  'Write one that begins with its name and description between two lines of ---; an announced skill may lack it if item.yaml has "title" and "description"',
);

/** Matches the directives that mdBook replaces: https://rust-lang.github.io/mdBook/format/mdbook.html */
const MARK = /\{\{\s*#(?:include|rustdoc_include|playground|title)\b/;

/**
 * Warns of a book with a book.toml if one of its texts has a directive of mdBook: it was copied without `bookstall import`,
 * which resolves directives.
 */
function mdbookMarkProblems(folder: string, kind: ItemKind, paths: readonly string[]): readonly Problem[] {
  if (kind !== 'book' || !paths.includes('book.toml')) return [];
  const path = paths.find(
    (one) => isMarkdown(one) && MARK.test(readStart(folder, one, LONGEST_TEXT).toString()),
  );
  if (path === undefined) return [];
  return [
    warning(
      'mdbook-marks',
      path,
      `${quote(path)} has marks of mdBook, such as "{{#include}}", which readers see as they are`,
      'Make the item with "bookstall import", which resolves them',
    ),
  ];
}

export type InspectedFile = ItemFile & Pick<EditionFile, 'stamp' | 'facts'>;

/**
 * Lists the problems that publishing and `check` report alike: of the folder, the chapters and questions.yaml. With too
 * many bytes of chapters, a book has an error if `isCheck`, else a warning.
 */
export const itemProblems = ({
  problems,
  order,
  files,
  questions,
  isCheck,
}: JudgedItem): readonly Problem[] => [
  ...problems,
  ...chapterProblems(order, files, isCheck),
  ...(questions?.problems ?? []),
];

type JudgedItem = {
  readonly problems: readonly Problem[];
  readonly order: readonly Chapter[];
  readonly files: readonly InspectedFile[];
  readonly questions: { readonly problems: readonly Problem[] } | null;
  readonly isCheck: boolean;
};

export type InspectedItem = ReturnType<typeof inspectItem>;

/**
 * Reads the files of an item and lists all problems, such as secrets; `manifest` is null if one is an error. A file is not
 * read again if `previous` has it with the same inode, size and times.
 */
export function inspectItem(
  folder: ItemFolder,
  limits: Limits,
  previous: Edition | null,
  now: () => number = Date.now,
) {
  const scan = scanItem(folder, limits);
  const known = new Map(previous?.files.map((file) => [file.path, file]));
  const files: InspectedFile[] = [];
  const problems = [...scan.problems];
  for (const file of scan.files) {
    const inspected = inspectFile(folder, file, { known: known.get(file.path), hashedAt: now() });
    if ('severity' in inspected) problems.push(inspected);
    else {
      files.push(inspected);
      problems.push(...hiddenProblems(inspected.path, inspected.facts));
    }
  }
  if (scan.manifest === null || problems.some(isError)) return { manifest: null, files, problems };
  const signature = readSignature(folder, files, scan.manifest, previous);
  if (signature === null) return { manifest: scan.manifest, files, problems };
  if ('severity' in signature) return { manifest: null, files, problems: [...problems, signature] };
  return { manifest: { ...scan.manifest, signature }, files, problems };
}

type BeforeRead = {
  readonly known: InspectedFile | undefined;
  /**
   * The time just before the file is read, in milliseconds since 1970, so that the next inspection notices a change during
   * the read.
   */
  readonly hashedAt: number;
};

function inspectFile(
  { folder, isPushed = false }: ItemFolder,
  file: TreeFile,
  { known, hashedAt }: BeforeRead,
): InspectedFile | Problem {
  if (known !== undefined && isUnchanged(file, known, hashedAt))
    return { ...known, executable: file.executable };
  try {
    const { path, executable } = file;
    const finder = createFactFinder(path);
    const { secret, ...hashed } = hashFile(join(folder, path), finder.push);
    if (secret !== null) return secretProblem(path, secret);
    return { path, executable, ...hashed, facts: finder.end(), stamp: stampOf(file, hashedAt, isPushed) };
  } catch (cause) {
    return unreadable(file.path, cause);
  }
}

function stampOf({ stat }: TreeFile, hashedAt: number, isPushed: boolean): Stamp {
  // Nothing writes to a pushed file, but a backup makes a hard link to it, which changes its ctime.
  const ctime = isPushed ? '' : String(stat.ctimeNs);
  return { inode: String(stat.ino), mtime: String(stat.mtimeNs), ctime, hashedAt };
}

/**
 * Whether a file has the inode, size and times that were stored with its hash. False if it changed less than two seconds
 * before it was hashed, or was hashed later than `now`, since the clock was set back: a later change may then have the same
 * time.
 */
function isUnchanged(file: TreeFile, known: InspectedFile, now: number): boolean {
  const { hashedAt } = known.stamp;
  const { stat } = file;
  const changed = known.stamp.ctime === '' ? stat.mtimeMs : stat.ctimeMs;
  const settled = Math.max(Number(stat.mtimeMs), Number(changed)) < hashedAt - 2000;
  return settled && hashedAt <= now && hasStampOf(file, known);
}

export function hasStampOf({ size, stat }: TreeFile, known: InspectedFile): boolean {
  const { inode, mtime, ctime } = known.stamp;
  return (
    size === known.size &&
    String(stat.ino) === inode &&
    String(stat.mtimeNs) === mtime &&
    (ctime === '' || String(stat.ctimeNs) === ctime)
  );
}

function secretProblem(path: string, secret: 'private-key' | 'api-key'): Problem {
  const what = secret === 'private-key' ? "a private key's header" : 'a valid API key of a stall';
  return error(
    `secret-${secret}`,
    path,
    `Cannot distribute ${quote(path)}: it holds ${what}`,
    secret === 'private-key'
      ? 'Remove the key, and replace it wherever it is used'
      : 'Remove the key, and revoke it',
  );
}

/**
 * Hashes everything that decides an item's edition besides its distributed files: item.yaml, .bookstallignore,
 * questions.yaml, the signature, the stall's defaults, the limits, and the program's version, whose rules may differ.
 */
export function inputsHash({ kind, folder, defaults = noDefaults }: ItemFolder, limits: Limits): string {
  const texts = OWN_FILES[kind].map((path) => readText(folder, path));
  return sha256(JSON.stringify([VERSION, COMMIT, limits, defaults, texts]));
}

/**
 * The items whose saved edition can be served: `unchanged` ones as they are, `outdated` ones only until they are
 * compiled again.
 */
export type ComparedJobs = Awaited<ReturnType<typeof compareWithSaved>>;

/**
 * Compares items with their saved editions by names, sizes and times of files, so that a start with unchanged content needs
 * no Worker. An edition is outdated if its files and manifest are the same, but not all that `inputsHash` covers, such as
 * the program's version. Pauses between items, so that the server can handle signals and requests.
 */
export async function compareWithSaved(jobs: readonly RefreshJob[], now: () => number = Date.now) {
  const compared = { unchanged: new Set<RefreshJob>(), outdated: new Set<RefreshJob>() };
  for (const job of jobs) {
    const state = job.previous === null ? null : stateOf(job, job.previous, now());
    if (state !== null) compared[state].add(job);
    await new Promise(setImmediate);
  }
  return compared;
}

function stateOf(
  { item, limits, dataDirectory }: RefreshJob,
  previous: Edition,
  now: number,
): keyof ComparedJobs | null {
  try {
    const isHeld =
      lstatSync(item.folder).isDirectory() &&
      hasSameFiles(item, previous, now) &&
      Object.values(previous.artefacts).every((one) => existsSync(artefactFile(dataDirectory, one)));
    if (!isHeld) return null;
    if (inputsHash(item, limits) === previous.inputsHash) return 'unchanged';
    return hasSameManifest(item, previous.manifest) ? 'outdated' : null;
  } catch {
    // The item will be compiled, and the compiler reports the error.
    return null;
  }
}

/**
 * Whether item.yaml still gives every value of the saved manifest. A key that an older program did not save is not
 * compared.
 */
function hasSameManifest({ folder, kind, slug, defaults = noDefaults }: ItemFolder, previous: Manifest) {
  // A skill's title and description may come from SKILL.md, which `hasSameFiles` has compared.
  const { manifest } = parseManifest({
    kind,
    slug,
    yaml: readText(folder, 'item.yaml') ?? '',
    skill: { name: previous.title, description: previous.description },
    defaults,
  });
  if (manifest === null) return false;
  const values = new Map<string, unknown>(Object.entries(manifest));
  // The signature is not compared, since it comes from files beside item.yaml.
  return Object.entries(previous).every(
    ([key, value]) => key === 'signature' || Bun.deepMatch({ value }, { value: values.get(key) }),
  );
}

function hasSameFiles(item: ItemFolder, previous: Edition, now: number): boolean {
  const { files, problems } = walkItem(item);
  if (problems.length > 0 || files.length !== previous.files.length) return false;
  const known = new Map(previous.files.map((file) => [file.path, file]));
  return files.every((file) => {
    const before = known.get(file.path);
    return before?.executable === file.executable && isUnchanged(file, before, now);
  });
}
