// Stores pushed items in the data directory, each state of an item in a folder `pushed/<kind>/<slug>/<hash>`. The file
// `current` beside these folders gives the hash and the digest of the served one. Replacing `current` by a rename is all
// it takes to serve another.
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OWN_FILES } from '../catalog/ignore.rule.ts';
import { itemDigest } from '../catalog/item.rule.ts';
import { prefixesOf } from '../catalog/path.rule.ts';
import { quote } from '../platform/base/problem.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { replaceFile } from '../platform/base/replace-file.ts';
import type { ComparedFile } from '../catalog/file-changes.ts';
import { hashFile } from '../catalog/file-scan.ts';
import { walkItem } from './scan.ts';
import { type ItemFolder } from '../catalog/compile-job.ts';
import { ITEM_KINDS } from '../platform/base/principal.ts';

export type ItemName = Pick<ItemFolder, 'kind' | 'slug'>;

/** The folder of a pushed item. `hash` covers all its files, `digest` only the distributed ones; both are hex. */
export type PushedItem = { readonly folder: string; readonly hash: string; readonly digest: string };

const CURRENT = 'current';

export const pushedDirectory = (data: string): string => join(data, 'pushed');

const stagingOf = (data: string): string => join(pushedDirectory(data), 'new');
const placeOf = (data: string, { kind, slug }: ItemName): string => join(pushedDirectory(data), kind, slug);

/**
 * Finds the item that was pushed under this name; null if none was. Throws if the file `current` is unreadable or damaged.
 */
export function findPushed(data: string, name: ItemName): PushedItem | null {
  const place = placeOf(data, name);
  if (!existsSync(join(place, CURRENT))) return null;
  const [, hash = '', digest = ''] =
    /^([0-9a-f]{64}) ([0-9a-f]{64})\n$/.exec(readFileSync(join(place, CURRENT), 'utf8')) ?? [];
  if (hash === '') throw new Error(`"${join(place, CURRENT)}" is damaged`);
  return { folder: join(place, hash), hash, digest };
}

/** Lists the folders of all pushed items, sorted. Throws if one cannot be read. */
export const listPushedFolders = (data: string): readonly ItemFolder[] =>
  ITEM_KINDS.flatMap((kind) =>
    namesIn(join(pushedDirectory(data), kind)).flatMap((slug) => {
      const found = findPushed(data, { kind, slug });
      return found === null ? [] : [{ kind, slug, folder: found.folder, isPushed: true }];
    }),
  );

const namesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).toSorted() : [];

/**
 * Refuses a command on an item of the content directory if an item of that slug was pushed. `act` is a verb, such as
 * "sign".
 */
export function refusePushed(data: string, slug: string, act: string): void {
  if (!ITEM_KINDS.some((kind) => findPushed(data, { kind, slug }) !== null)) return;
  throw Refusal.invalid(
    `Cannot ${act} ${quote(slug)} here: it was pushed to this stall; change its folder elsewhere and run "bookstall push" there`,
  );
}

/**
 * Returns the hash of all files of an item's folder, computed like an item digest: distributed ones and those for the stall
 * alone.
 */
export const hashFolder = (distributed: readonly ComparedFile[], own: readonly ComparedFile[]): string =>
  itemDigest([...distributed, ...own]);

/** Returns the files that are for the stall alone, such as item.yaml, with their hashes. */
export const hashOwnFiles = ({
  kind,
  folder,
}: Pick<ItemFolder, 'kind' | 'folder'>): readonly ComparedFile[] =>
  OWN_FILES[kind].flatMap((path) => {
    const stat = lstatSync(join(folder, path), { throwIfNoEntry: false });
    return stat?.isFile()
      ? [{ path, executable: (stat.mode & 0o100) !== 0, sha256: hashFile(join(folder, path)).sha256 }]
      : [];
  });

/**
 * Removes from an item's folder what is not among its hashed files: editors' leftovers, files that .bookstallignore names,
 * and empty folders. Returns the removed paths; a whole removed folder ends with "/".
 */
export async function removeUnhashed(folder: string, hashed: readonly Pick<ComparedFile, 'path'>[]) {
  // Removes empty folders too: "objects" and "refs" beside a file HEAD would make a git repository, whose config names
  // programs that git runs.
  const kept = new Set(hashed.flatMap(({ path }) => prefixesOf(path)));
  const removed: string[] = [];
  const clean = async (under: string): Promise<void> => {
    for (const entry of await readdir(join(folder, under), { withFileTypes: true })) {
      const path = under === '' ? entry.name : `${under}/${entry.name}`;
      if (kept.has(path)) {
        if (entry.isDirectory()) await clean(path);
        continue;
      }
      removed.push(entry.isDirectory() ? `${path}/` : path);
      await rm(join(folder, path), { recursive: true, force: true });
    }
  };
  await clean('');
  return removed.toSorted();
}

/**
 * Makes an empty folder for an item on its way; `owner` names who sends it, such as the id of this start of the server. If
 * the folder is left over, the next start removes it.
 */
export function stagePushed(data: string, owner: string): string {
  const folder = join(stagingOf(data), `${owner}-${crypto.randomUUID()}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Makes a complete staged folder the served state of its item. The folder served before stays until `removeSuperseded`. */
export async function swapPushed(
  data: string,
  name: ItemName,
  staged: string,
  { hash, digest }: Pick<PushedItem, 'hash' | 'digest'>,
): Promise<void> {
  const place = placeOf(data, name);
  try {
    await mkdir(place, { recursive: true, mode: 0o700 });
    if (findPushed(data, name)?.hash !== hash) {
      await rm(join(place, hash), { recursive: true, force: true });
      await rename(staged, join(place, hash));
    }
    await replaceFile(join(place, CURRENT), `${hash} ${digest}\n`, { isSynced: true });
  } catch (error) {
    await removeSuperseded(data, name).catch(() => {});
    throw error;
  }
}

export async function removeSuperseded(data: string, name: ItemName): Promise<void> {
  const place = placeOf(data, name);
  const kept = findPushed(data, name);
  if (kept === null) return rm(place, { recursive: true, force: true });
  for (const entry of await readdir(place))
    if (entry !== CURRENT && entry !== kept.hash)
      await rm(join(place, entry), { recursive: true, force: true });
}

/**
 * Removes what unfinished pushes left behind, and files that version 0.4 kept beside the hashed ones. Call it only at a
 * start, when no other process uses the data directory.
 */
export async function removePushLeftovers(data: string): Promise<void> {
  await rm(stagingOf(data), { recursive: true, force: true });
  for (const kind of ITEM_KINDS)
    for (const slug of namesIn(join(pushedDirectory(data), kind)))
      // If `current` cannot be read, nothing is removed; listing the pushed folders reports it.
      await removeLeftovers(data, { kind, slug }).catch(() => {});
}

async function removeLeftovers(data: string, name: ItemName): Promise<void> {
  await removeSuperseded(data, name);
  const found = findPushed(data, name);
  if (found === null) return;
  const item = { ...name, folder: found.folder };
  const { files, problems } = walkItem(item);
  // With a problem, `files` may lack a file that was hashed.
  if (problems.length === 0) await removeUnhashed(found.folder, [...files, ...hashOwnFiles(item)]);
}
