import { itemDigest, type ItemFile } from '../../catalog/item.rule.ts';
import { type ItemKind } from '../../platform/base/principal.ts';
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync, lstatSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isBookId } from '../../catalog/path.rule.ts';
import { quote } from '../../platform/base/problem.ts';
import { compareText } from '../../platform/base/text.ts';
import type { Pin } from './signer.ts';
import { isSameStall, parseObject, stallName } from './stall-client.ts';
import { plain } from '../../platform/cli/terminal-text.ts';

export type InstalledFile = Omit<ItemFile, 'text'>;

/**
 * The record of an installed item. It is in the reader's state folder, so that changes to the item's folder do not reach
 * it.
 */
export type InstalledManifest = {
  readonly folder: string;
  readonly url: string;
  readonly kind: ItemKind;
  readonly id: string | null;
  readonly slug: string;
  readonly version: string | null;
  /** In lower-case hex, without a prefix. */
  readonly digest: string;
  readonly installedAt: string;
  /** Whether the reader chose this edition: then an update changes it only with --force. */
  readonly pinned?: boolean;
  readonly isBookSkill?: boolean;
  /** Whether the item was installed only because another item needs it. */
  readonly isNeed?: boolean;
  /** The key that signed the item, with details of its signature; missing if the item is unsigned. */
  readonly signer?: Pick<Pin, 'key' | 'signed'> & Partial<Pin>;
  readonly files: readonly InstalledFile[];
};

type Change = { readonly path: string; readonly change: 'changed' | 'mode' | 'missing' | 'added' };

export function openManifests(state: string) {
  const home = join(state, 'installs');
  const pins = join(state, 'signers');
  const fileIn = (parent: string, name: string): string =>
    join(parent, `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.json`);
  const fileOf = (folder: string): string => fileIn(home, folder);
  const pinFile = (url: string, slug: string): string => fileIn(pins, `${stallName(url)} ${slug}`);
  const write = async (file: string, value: InstalledManifest | Pin): Promise<void> => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeWhole(file, `${JSON.stringify(value)}\n`);
  };
  const find = async (folder: string): Promise<InstalledManifest | null> =>
    existsSync(fileOf(folder)) ? read(fileOf(folder)) : null;
  const list = async (): Promise<readonly InstalledManifest[]> => {
    const names = existsSync(home) ? await readdir(home) : [];
    const manifests = await Promise.all(
      names.filter((name) => name.endsWith('.json')).map((name) => read(join(home, name))),
    );
    return manifests
      .filter((manifest) => manifest !== null)
      .toSorted((a, b) => compareText(a.slug, b.slug) || compareText(a.folder, b.folder));
  };
  /**
   * Before a folder's manifest is replaced or removed, stores its signer in a file of its own: Bookstall 0.3 stored it only
   * in the manifest.
   */
  const keepPin = async (folder: string): Promise<void> => {
    const manifest = await find(folder);
    const pin = manifest === null ? null : pinOf(manifest);
    const file = manifest === null ? '' : pinFile(manifest.url, manifest.slug);
    if (pin !== null && !existsSync(file)) await write(file, pin);
  };
  return {
    find,
    list,
    async findPin(url: string, slugs: readonly string[]): Promise<Pin | null> {
      const file = slugs.map((slug) => pinFile(url, slug)).find((one) => existsSync(one));
      if (file !== undefined) return JSON.parse(await readFile(file, 'utf8')) as Pin;
      const signed = (await list())
        .filter((one) => isSameStall(one.url, url) && slugs.includes(one.slug))
        .flatMap((one) => pinOf(one) ?? []);
      return signed.toSorted((a, b) => compareText(b.signed, a.signed))[0] ?? null;
    },
    async save(manifest: InstalledManifest): Promise<void> {
      const file = pinFile(manifest.url, manifest.slug);
      const pin = pinOf(manifest);
      await keepPin(manifest.folder);
      await write(fileOf(manifest.folder), manifest);
      await (pin === null ? rm(file, { force: true }) : write(file, pin));
    },
    async remove(folder: string): Promise<void> {
      await keepPin(folder);
      await rm(fileOf(folder), { force: true });
    },
  };
}

/** A reader's records of installed items, and of the signers of all items ever installed, which stay when items are removed. */
export type Manifests = ReturnType<typeof openManifests>;

/**
 * Returns the signer of an installed item; null if it is unsigned. Bookstall 0.3 wrote no kind and slug into `signer`:
 * those of the manifest are used.
 */
const pinOf = ({ kind, slug, signer }: InstalledManifest): Pin | null =>
  signer === undefined ? null : { kind, slug, ...signer };

/** Writes a file in one step or not at all; only this user may read it, unless `mode` says otherwise. */
export async function writeWhole(file: string, text: string, mode = 0o600): Promise<void> {
  const fresh = `${file}.${randomUUID()}.new`;
  try {
    await writeFile(fresh, text, { mode, flag: 'wx' });
    await rename(fresh, file);
  } catch (error) {
    // Deletes the unfinished file, since it may contain a key.
    await rm(fresh, { force: true });
    throw error;
  }
}

/**
 * Hashes every file of an installed folder except its install record, in no order. Links and devices get no hash: they
 * count as changed.
 */
export async function readFolder(folder: string): Promise<readonly InstalledFile[]> {
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

/**
 * Returns the differences between the expected and the found files, by path. On Windows ignores whether a file is executable.
 */
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

/** Reads a manifest; null if it cannot be read: then the install record in the folder identifies the item. */
async function read(file: string): Promise<InstalledManifest | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as InstalledManifest;
  } catch {
    return null;
  }
}

/** The state of an installed folder; `manifest` is null if another program, such as tar, unpacked the item. */
export type FolderStatus = {
  readonly manifest: InstalledManifest | null;
  readonly origin: Omit<InstallRecord, 'signer'>;
  readonly digest: string;
  readonly changes: readonly Change[];
};

/** Compares a folder with the files that were installed in it; null if there is no such folder, or these are not known. */
export async function inspectFolder(manifests: Manifests, folder: string): Promise<FolderStatus | null> {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
  const manifest = await manifests.find(folder);
  if (manifest !== null)
    return {
      manifest,
      origin: manifest,
      digest: manifest.digest,
      changes: compareFiles(manifest.files, await readFolder(folder)),
    };
  const file = join(folder, '.svc-install');
  const origin = existsSync(file) ? readRecord(await readFile(file, 'utf8')) : null;
  if (origin === null) return null;
  const { digest } = origin;
  const isSame = itemDigest(await readFolder(folder)) === digest;
  // The install record lists no files, so the changed ones cannot be named.
  const changes: readonly Change[] = isSame ? [] : [{ path: '.', change: 'changed' }];
  return { manifest, origin, digest, changes };
}

/** The fields of an install record (`.svc-install`) that a manifest has too, and the signer's key, or null. */
export type InstallRecord = Pick<InstalledManifest, 'url' | 'kind' | 'id' | 'slug' | 'version' | 'digest'> & {
  readonly signer: string | null;
};

export function readRecord(text: string): InstallRecord | null {
  const { service, kind, id, slug, version, digest, signer } = parseObject(text);
  const hex = readDigest(digest);
  if (hex === null || typeof slug !== 'string' || (kind !== 'book' && kind !== 'skill')) return null;
  return {
    url: String(service),
    kind,
    id: typeof id === 'string' && isBookId(id) ? id : null,
    slug,
    version: typeof version === 'string' ? plain(version) : null,
    digest: hex,
    signer: typeof signer === 'string' ? signer : null,
  };
}

/** Returns the hex of `sha256:…`; null for anything else. */
export const readDigest = (value: unknown): string | null =>
  typeof value === 'string' ? (/^sha256:([0-9a-f]{64})$/.exec(value)?.[1] ?? null) : null;

const WORDS: Readonly<Record<Change['change'], string>> = {
  changed: 'was changed',
  mode: 'has another mode',
  missing: 'is missing',
  added: 'was added',
};

export function listChanges(changes: readonly Change[]): string {
  const named = changes.slice(0, 10).map(describeChange);
  return [...named, ...(changes.length > 10 ? [`${changes.length - 10} more differ`] : [])].join(', ');
}

export function describeChange({ path, change }: Change): string {
  return `${path === '.' ? 'a file in it' : quote(path)} ${WORDS[change]}`;
}
