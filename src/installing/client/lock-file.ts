// The lock file of a project says which edition of which item is in which folder. Somebody else may have written it, if it
// came with a git clone: every folder in it is checked before it is read or written.
import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { itemDigest } from '../../catalog/item.rule.ts';
import { foldCase, isSlug, prefixesOf, unsafeName } from '../../catalog/path.rule.ts';
import { quote } from '../../platform/base/problem.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { compareText } from '../../platform/base/text.ts';
import { fetchEditions, install, type Installed } from './install.ts';
import type { ClientContext } from './client-context.ts';
import {
  inspectFolder,
  type InstalledManifest,
  type Manifests,
  readDigest,
  readFolder,
  writeWhole,
} from './manifest.ts';
import { isFree, statusOf } from './install-folder.ts';
import type { Installing } from './staged-item.ts';
import { objectOf, parseAddress, parseObject } from './stall-client.ts';
import { plain } from '../../platform/cli/terminal-text.ts';

export const NOTHING_INSTALLED = 'Nothing is installed yet. Install something: bookstall install SLUG';

export const LOCK_NAME = 'bookstall.lock';

/**
 * A lock file, or one still to be written. `items` maps each absolute folder to the manifest of its item, with `id` null
 * and no files.
 */
export type Lock = { readonly file: string; readonly items: ReadonlyMap<string, InstalledManifest> };

export const LARGEST_LOCK = 4 * 1024 ** 2;
const TOO_LARGE = `a lock file has at most ${LARGEST_LOCK / 1024 ** 2} MiB; keep fewer items in it`;

/** The bytes of an entry with short names. */
const SMALL_ENTRY = 250;

/** Returns the nearest folder with a `.git`, the root of the folder's repository; null if there is none. */
export function findRepository(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (statusOf(join(at, '.git')) !== undefined) return at;
    if (dirname(at) === at) return null;
  }
}

/**
 * Reads the nearest lock file: in the folder or above it, up to the root of its git repository; null if there is none.
 * Refuses a malformed file, and one with unsafe folders.
 */
export function findLock(folder: string): Lock | null {
  const top = findRepository(folder) ?? folder;
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, LOCK_NAME);
    if (statusOf(file) !== undefined) return { file, items: readItems(file) };
    if (at === top) return null;
  }
}

export const openLock = (folder: string): Lock =>
  findLock(folder) ?? { file: join(folder, LOCK_NAME), items: new Map() };

function readItems(file: string): ReadonlyMap<string, InstalledManifest> {
  const refuse = (reason: string): Refusal => Refusal.invalid(`Cannot use ${quote(file)}: ${reason}`);
  const status = statusOf(file);
  if (status?.isFile() !== true) throw refuse('it is no file');
  if (status.size > LARGEST_LOCK) throw refuse(TOO_LARGE);
  const { lock, items } = parseObject(readFileSync(file, 'utf8'));
  if (lock !== 1)
    throw refuse('it is not JSON with "lock": 1; it may hold the marks of a merge, or be of a newer program');
  const entries = Object.entries(objectOf(items));
  if (isClash(entries.map(([path]) => path))) throw refuse(CLASH);
  return new Map(
    entries.map(([path, fields]) => {
      const folder = join(dirname(file), path);
      const item = readItem(folder, objectOf(fields));
      const reason = item === null ? 'is not complete' : badFolder(dirname(file), path);
      if (item === null || reason !== null) throw refuse(`its entry ${quote(path)} ${reason}`);
      return [folder, item];
    }),
  );
}

const CLASH = 'two of its folders are one, or lie in each other; each item needs its own';

function isClash(all: readonly string[]): boolean {
  const paths = new Set(all.map(foldCase));
  const isWithin = (path: string) => prefixesOf(path).some((one) => one !== path && paths.has(one));
  return paths.size < all.length || [...paths].some(isWithin);
}

/** Returns why no item may be written to `path` below the lock file's folder `root`; null if one may. */
function badFolder(root: string, path: string): string | null {
  if (unsafeName(path) !== null || !isSlug(basename(path)))
    return 'is no folder below it that is named by a slug';
  // A folder of git could contain hooks, which git would run. Some file systems know `.git` by another name, such as `git~1`.
  if (/(^|\/)(\.git|git~\d+)(\/|$)|\p{Cf}/iu.test(path))
    return 'names a folder of git, or has hidden characters';
  const crossed = prefixesOf(path).find((prefix) => statusOf(join(root, prefix))?.isDirectory() === false);
  return crossed === undefined ? null : `crosses ${quote(crossed)}, a link or file`;
}

function readItem(folder: string, fields: Readonly<Record<string, unknown>>): InstalledManifest | null {
  const { slug, stall, kind, version, form, digest, signer, need } = fields;
  const hex = readDigest(digest);
  const key = typeof signer === 'string' && /^SHA256:[\w+/]{43}$/.test(signer) ? signer : null;
  if (slug !== basename(folder) || hex === null || key !== signer || typeof stall !== 'string') return null;
  if ((kind !== 'book' && kind !== 'skill') || (form !== 'skill' && form !== 'files')) return null;
  if (parseAddress(stall) !== stall) return null;
  return {
    folder,
    slug,
    url: stall,
    kind,
    id: null,
    digest: hex,
    installedAt: '',
    files: [],
    version: typeof version === 'string' ? plain(version) : null,
    isBookSkill: kind === 'book' && form === 'skill',
    ...(key !== null && { signer: { key, signed: '' } }),
    ...(need === true && { isNeed: true }),
  };
}

const relativePath = (file: string, folder: string): string =>
  relative(dirname(file), folder).replaceAll('\\', '/');

/** Refuses folders that the lock file cannot take, such as one outside the project, or more than it has room for. */
export function checkLockable({ file, items }: Lock, folders: readonly string[]): void {
  for (const folder of folders) {
    const path = relativePath(file, folder);
    const reason = badFolder(dirname(file), path);
    if (reason !== null)
      throw Refusal.invalid(`Cannot save ${quote(folder)} in ${quote(file)}: ${quote(path)} ${reason}`);
  }
  const all = new Set([...items.keys(), ...folders]);
  checkReadable(file, all, (statusOf(file)?.size ?? 0) + (all.size - items.size) * SMALL_ENTRY);
}

/** Refuses to write a lock file that could not be read. */
function checkReadable(file: string, folders: Iterable<string>, bytes: number): void {
  const paths = [...folders].map((folder) => relativePath(file, folder));
  const reason = isClash(paths) ? CLASH : bytes > LARGEST_LOCK ? TOO_LARGE : null;
  if (reason !== null) throw Refusal.invalid(`Cannot write ${quote(file)}: ${reason}`);
}

/**
 * Changes the lock file, and tells the reader how. `changes` maps folders to the new manifests of their items; null removes an
 * item.
 */
export async function changeLock(
  { say }: ClientContext,
  { file }: Lock,
  changes: ReadonlyMap<string, InstalledManifest | null>,
): Promise<void> {
  // Reads the lock again, since another program may have changed it during the downloads.
  const items = new Map(statusOf(file) === undefined ? [] : readItems(file));
  const said: string[] = [];
  for (const [folder, now] of changes) {
    const before = items.get(folder) ?? null;
    items.delete(folder);
    if (now !== null) items.set(folder, now);
    const [was, is] = [before, now].map((one) => JSON.stringify(one && entryOf(one)));
    const names = [before, now].flatMap((one) => (one === null ? [] : [editionName(one)]));
    if (was !== is) said.push(`${basename(folder)} ${now === null ? 'removed' : names.join(' to ')}`);
  }
  if (said.length === 0) return;
  const entries = [...items.values()].map((one) => [relativePath(file, one.folder), entryOf(one)] as const);
  const sorted = Object.fromEntries(entries.toSorted(([a], [b]) => compareText(a, b)));
  const text = `${JSON.stringify({ lock: 1, items: sorted }, null, 2)}\n`;
  checkReadable(file, items.keys(), Buffer.byteLength(text));
  await writeWhole(file, text, 0o644);
  say(`Wrote ${file}: ${said.join(', ')}`);
}

export const editionName = ({ version, digest }: Pick<InstalledManifest, 'version' | 'digest'>): string =>
  version ?? digest.slice(0, 12);

function entryOf({ slug, url, kind, version, digest, isBookSkill, ...item }: InstalledManifest) {
  const form = kind === 'skill' || isBookSkill === true ? 'skill' : 'files';
  const signer = item.signer?.key ?? null;
  const entry = { slug, stall: url, kind, version, form, digest: `sha256:${digest}`, signer };
  return item.isNeed === true ? { ...entry, need: true } : entry;
}

/**
 * Reports whether an item's folder has the files of the lock file, whether they were installed here or came with a git
 * clone.
 */
export async function isAsLocked(manifests: Manifests, item: InstalledManifest): Promise<boolean> {
  const manifest = await manifests.find(item.folder);
  if (manifest?.digest !== item.digest || (manifest.isBookSkill ?? false) !== item.isBookSkill)
    return (await findFiles(item)).length > 0;
  const status = await inspectFolder(manifests, item.folder);
  return status !== null && status.changes.length === 0;
}

/**
 * Returns the files in an item's folder if they have the locked digest, otherwise none. The SKILL.md of a book that is
 * installed as a skill does not count, since no digest covers it.
 */
async function findFiles({
  folder,
  digest,
  isBookSkill,
}: InstalledManifest): Promise<InstalledManifest['files']> {
  const files = statusOf(folder)?.isDirectory() === true ? await readFolder(folder) : [];
  const references = files.flatMap(({ path, ...file }) =>
    path === 'SKILL.md'
      ? []
      : [{ ...file, path: path.replace(/^references\/|^/, (found) => (found === '' ? '/' : '')) }],
  );
  return itemDigest(isBookSkill ? references : files) === digest ? files : [];
}

/**
 * Lists the items that are installed here or named by the lock file. Those only in the lock file have files only if their
 * folder holds the locked ones.
 */
export async function listInstalled(
  manifests: Manifests,
  lock: Lock | null,
): Promise<readonly InstalledManifest[]> {
  const listed = new Map((await manifests.list()).map((manifest) => [manifest.folder, manifest]));
  for (const item of lock?.items.values() ?? []) {
    const own = listed.get(item.folder);
    const files = own?.digest === item.digest ? [] : await findFiles(item);
    if (own === undefined || files.length > 0) listed.set(item.folder, { ...item, files });
  }
  return [...listed.values()];
}

export const isInstalled = async (
  manifests: Manifests,
  { folder, digest }: InstalledManifest,
): Promise<boolean> => (await manifests.find(folder))?.digest === digest;

/** Installs an item in the edition of the lock file. Refuses a folder with files that were not installed here. */
export async function installLocked(
  context: ClientContext,
  { folder, slug, url, kind, version, digest, isBookSkill = false, ...item }: InstalledManifest,
  installing: Pick<Installing, 'force' | 'newSigner' | 'onProgress' | 'onStaged'>,
): Promise<Installed | null> {
  if (!isFree(folder) && (await context.manifests.find(folder)) === null)
    throw Refusal.invalid(
      `Cannot install "${slug}": the files in ${quote(folder)} are not those that ${LOCK_NAME} names; restore them, or move the folder away`,
    );
  const stall = await context.stallAt(url);
  const editions = isBookSkill ? await fetchEditions(stall, slug) : [];
  const isServed = editions.some((one) => one.isServed && one.digest === digest);
  const edition = `sha256:${digest}`;
  const { signer, isNeed = false } = item;
  const locked = { slug, folder, edition, signer: signer?.key ?? null, locked: { kind, isServed }, isNeed };
  try {
    return await install(context, stall, { ...installing, ...locked, forAgent: isBookSkill, unless: null });
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === 'gone')) throw error;
    const said = error.message.replace(edition, version ?? digest.slice(0, 12));
    // The items that need this one decide its edition, so it is updated together with them.
    const update = isNeed ? 'bookstall update' : `bookstall update ${slug}`;
    throw new Refusal('gone', `${said}; "${update}" moves ${LOCK_NAME} to what is there`);
  }
}
