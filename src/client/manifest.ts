import { type ItemKind, itemDigest, type ItemFile } from '../item/item.ts';
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync, lstatSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quote } from '../item/problem.ts';
import { compareText } from '../text.ts';
import type { Pin } from './signer.ts';

export type InstalledFile = Omit<ItemFile, 'text'>;

/** An installed item: saved in the reader's own folder, so that changes to the item do not change it too. */
export type Manifest = {
  readonly folder: string;
  /** The origin it was fetched from. */
  readonly url: string;
  readonly kind: ItemKind;
  readonly id: string | null;
  readonly slug: string;
  readonly version: string | null;
  /** Bare lower-case hex. */
  readonly digest: string;
  readonly installedAt: string;
  /** Whether a certain edition was asked for: an update leaves it alone unless it is forced. */
  readonly pinned?: boolean;
  /** Whether it is a book that was turned into a skill. */
  readonly isBookSkill?: boolean;
  /** Who signed it; an unsigned item has none. */
  readonly signer?: Pin;
  readonly files: readonly InstalledFile[];
};

/** A difference between an installed folder and its files as installed. */
type Change = { readonly path: string; readonly change: 'changed' | 'mode' | 'missing' | 'added' };

/** The manifests below the reader's folder: one file for each installed folder. */
export function openManifests(state: string): Manifests {
  const home = join(state, 'installs');
  const fileOf = (folder: string): string =>
    join(home, `${createHash('sha256').update(folder).digest('hex').slice(0, 32)}.json`);
  return {
    async find(folder: string): Promise<Manifest | null> {
      return existsSync(fileOf(folder)) ? read(fileOf(folder)) : null;
    },
    async list(): Promise<readonly Manifest[]> {
      const names = existsSync(home) ? await readdir(home) : [];
      const manifests = await Promise.all(
        names.filter((name) => name.endsWith('.json')).map((name) => read(join(home, name))),
      );
      return manifests
        .filter((manifest) => manifest !== null)
        .toSorted((a, b) => compareText(a.slug, b.slug) || compareText(a.folder, b.folder));
    },
    async save(manifest: Manifest): Promise<void> {
      await mkdir(home, { recursive: true, mode: 0o700 });
      await writeWhole(fileOf(manifest.folder), `${JSON.stringify(manifest)}\n`);
    },
    remove: (folder: string): Promise<void> => rm(fileOf(folder), { force: true }),
  };
}

export type Manifests = {
  readonly find: (folder: string) => Promise<Manifest | null>;
  /** All manifests, sorted by slug and folder. */
  readonly list: () => Promise<readonly Manifest[]>;
  readonly save: (manifest: Manifest) => Promise<void>;
  readonly remove: (folder: string) => Promise<void>;
};

/** Writes a private file in one step or not at all. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const fresh = `${file}.${randomUUID()}.new`;
  try {
    await writeFile(fresh, text, { mode: 0o600, flag: 'wx' });
    await rename(fresh, file);
  } catch (error) {
    // The file may hold a key.
    await rm(fresh, { force: true });
    throw error;
  }
}

/** Hashes every file of an installed folder except its record, in no order; links and devices count as changed files. */
async function readFolder(folder: string): Promise<readonly InstalledFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: InstalledFile[] = [];
  for (const entry of entries) {
    if (entry.isDirectory()) continue;
    const full = join(entry.parentPath, entry.name);
    const path = full.slice(folder.length + 1).replaceAll('\\', '/');
    if (path === '.svc-install') continue;
    if (!entry.isFile()) files.push({ path, size: 0, sha256: '', executable: false });
    else {
      const { size, mode } = await stat(full);
      files.push({ path, size, sha256: await hashFile(full), executable: (mode & 0o100) !== 0 });
    }
  }
  return files;
}

/** The differences between expected and found files, by path; ignores the executable bit on Windows. */
function compareFiles(expected: readonly InstalledFile[], found: readonly InstalledFile[]) {
  const there = new Map(found.map((file) => [file.path, file]));
  const changes = expected.flatMap((file): Change[] => {
    const now = there.get(file.path);
    there.delete(file.path);
    if (now === undefined) return [{ path: file.path, change: 'missing' }];
    if (now.sha256 !== file.sha256) return [{ path: file.path, change: 'changed' }];
    const isSameMode = process.platform === 'win32' || now.executable === file.executable;
    return isSameMode ? [] : [{ path: file.path, change: 'mode' }];
  });
  const added = [...there.keys()].map((path): Change => ({ path, change: 'added' }));
  return [...changes, ...added].toSorted((a, b) => compareText(a.path, b.path));
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 }))
    hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

/** Null for a manifest that cannot be read: the folder's own record still identifies it. */
async function read(file: string): Promise<Manifest | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Manifest;
  } catch {
    return null;
  }
}

/** An installed folder and its changes; `manifest` is null if another program unpacked it, such as tar. */
export type FolderStatus = NonNullable<Awaited<ReturnType<typeof inspectFolder>>>;

/** Compares a folder with its installed files. Null if it is not known which these were. */
export async function inspectFolder(manifests: Manifests, folder: string) {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
  const manifest = await manifests.find(folder);
  if (manifest !== null)
    return {
      manifest,
      digest: manifest.digest,
      changes: compareFiles(manifest.files, await readFolder(folder)),
    };
  const digest = await readDigest(join(folder, '.svc-install'));
  if (digest === null) return null;
  const isSame = itemDigest(await readFolder(folder)) === digest;
  // The record has no list of files, so none can be named.
  const changes: readonly Change[] = isSame ? [] : [{ path: '.', change: 'changed' }];
  return { manifest, digest, changes };
}

async function readDigest(record: string): Promise<string | null> {
  if (!existsSync(record)) return null;
  return /"digest":"sha256:([0-9a-f]{64})"/.exec(await readFile(record, 'utf8'))?.[1] ?? null;
}

const WORDS: Readonly<Record<Change['change'], string>> = {
  changed: 'was changed',
  mode: 'has another mode',
  missing: 'is missing',
  added: 'was added',
};

/** Changes in words, the first ten of them. */
export function listChanges(changes: readonly Change[]): string {
  const named = changes.slice(0, 10).map(describeChange);
  return [...named, ...(changes.length > 10 ? [`${changes.length - 10} more differ`] : [])].join(', ');
}

export function describeChange({ path, change }: Change): string {
  return `${path === '.' ? 'a file in it' : quote(path)} ${WORDS[change]}`;
}
