// The folder beside a backup's database: the last good editions of items whose folder has an error, and all pushed items,
// each at its path in the data directory. The content directory could not make them again.
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { itemDigest } from '../catalog/item.rule.ts';
import { readChunks } from '../catalog/file-scan.ts';
import { holdsGitName, isSlug, unsafeName } from '../catalog/path.rule.ts';
import { ITEM_KINDS } from '../platform/base/principal.ts';
import { Refusal } from '../platform/base/refusal.ts';
import type { Arrival, FillFolder } from '../platform/store/backup.ts';
import { syncFile, syncFolder } from '../platform/store/data-directory.ts';
import { findPushed, type ItemName, pushedDirectory, stagePushed } from './pushed.ts';

/** Matches the paths of editions and artefacts that a restore copies. Their contents are checked when they are read. */
const EDITION =
  /^(?:editions\/(?:book|skill)\/[a-z0-9-]+\.json|artefacts\/[0-9a-f]{2}\/[0-9a-f]{64}\.[a-z]+)$/;
const PUSHED = /^pushed\/(?:book|skill)\/([^/]+)\/(?:current|[0-9a-f]{64}\/(.+))$/s;
const CURRENT = /^([0-9a-f]{64}) [0-9a-f]{64}\n$/;

export function isBackupPath(path: string): boolean {
  const [isPushed, slug = '', file = 'current'] = PUSHED.exec(path) ?? [];
  return isPushed === undefined ? EDITION.test(path) : isSlug(slug) && isSafe(file);
}

const isSafe = (path: string): boolean => unsafeName(path) === null && !holdsGitName(path);

/**
 * Returns a function that fills the folder beside a backup with the pushed items and with the files `lastGood`, which are
 * paths in the data directory.
 */
export const fillBackupFolder =
  (data: string, lastGood: readonly string[]): FillFolder =>
  (folder, previous) => {
    copyMissing(data, folder, lastGood);
    const pushed = listSlugs(data).filter((name) => copyItem(data, folder, previous, name));
    return {
      pushed: pushed.length,
      lastGood: lastGood.filter((path) => path.startsWith('editions/')).length,
    };
  };

/**
 * Copies files to the same relative paths in another directory. Skips files that are there already, links and missing ones.
 */
function copyMissing(from: string, to: string, paths: readonly string[]): void {
  for (const path of paths) {
    const isFile = lstatSync(join(from, path), { throwIfNoEntry: false })?.isFile() ?? false;
    if (!isFile || existsSync(join(to, path))) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    copyFileSync(join(from, path), join(to, path));
    syncFile(join(to, path));
  }
}

/** Lists the pushed items in a folder: the data directory, or the folder beside a backup. */
const listSlugs = (folder: string): readonly ItemName[] =>
  ITEM_KINDS.flatMap((kind) =>
    entriesOf(join(pushedDirectory(folder), kind))
      .filter((entry) => entry.isDirectory() && isSlug(entry.name))
      .map(({ name }) => ({ kind, slug: name })),
  );

/** Lists what is in a folder; nothing if it is missing or a link. */
const entriesOf = (folder: string) =>
  lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
    ? readdirSync(folder, { withFileTypes: true })
    : [];

const placeIn = (folder: string, { kind, slug }: ItemName): string =>
  join(pushedDirectory(folder), kind, slug);

/** Copies a pushed item as it was at one moment, even if it is replaced meanwhile. Returns false if it has no folder. */
function copyItem(data: string, folder: string, previous: string | null, name: ItemName): boolean {
  const [from, to] = [placeIn(data, name), placeIn(folder, name)];
  for (let state = stateOf(from); ;) {
    const found = findPushed(data, name);
    const isThere = found !== null && existsSync(found.folder);
    try {
      if (isThere)
        copyTree(found.folder, join(to, found.hash), previous && join(placeIn(previous, name), found.hash));
    } catch (error) {
      if (stateOf(from) === state) throw error;
    }
    const now = stateOf(from);
    if (now === state) {
      if (isThere) writeSynced(join(to, 'current'), `${found.hash} ${found.digest}\n`);
      return isThere;
    }
    rmSync(to, { recursive: true, force: true });
    state = now;
  }
}

/**
 * Returns a text that changes with the state of a pushed item; null if there is none. A push replaces `current` last,
 * before it removes the old folder.
 */
function stateOf(place: string): string | null {
  const stat = statSync(join(place, 'current'), { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.ino} ${stat.mtimeNs}`;
}

function copyTree(from: string, to: string, previous: string | null): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target, earlier] = [from, to, previous].map((one) => one && join(one, entry.name));
    if (entry.isDirectory()) copyTree(source!, target!, earlier ?? null);
    else if (entry.isFile()) copyPushedFile(source!, target!, earlier ?? null);
  }
  syncFolder(to);
}

/**
 * Copies a file that is never written again: if possible, as a hard link to the file or to its copy in the previous backup.
 */
function copyPushedFile(from: string, to: string, previous: string | null): void {
  const { size, mode } = lstatSync(from);
  const isSame = previous !== null && lstatSync(previous, { throwIfNoEntry: false })?.size === size;
  for (const one of isSame ? [from, previous] : [from])
    try {
      return linkSync(one, to);
    } catch {
      // Another file system, or one without links.
    }
  copyFileSync(from, to);
  chmodSync(to, mode & 0o100 ? 0o700 : 0o600);
  syncFile(to);
}

function writeSynced(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  syncFile(file);
}

/**
 * Copies the pushed items of a backup to a temporary folder of the data directory, and checks each by its hash. Only `put`
 * moves them to their places. Refuses a damaged item.
 */
export function stageBackupFolder(from: string, data: string): Arrival {
  const staged = stagePushed(data, 'restore');
  const drop = (): void => rmSync(staged, { recursive: true, force: true });
  try {
    const items = listSlugs(from).map((name) => ({ ...name, hash: stageItem(from, staged, name) }));
    return { put: (kept) => put(items, { from, staged, data, kept }), drop };
  } catch (error) {
    drop();
    throw error;
  }
}

function stageItem(from: string, staged: string, name: ItemName): string {
  const [source, target] = [placeIn(from, name), placeIn(staged, name)];
  const damaged = Refusal.storage(
    `Cannot restore "${source}": this pushed item is damaged; use another backup, or move that folder away to restore all else`,
  );
  const current = join(source, 'current');
  const text = lstatSync(current, { throwIfNoEntry: false })?.isFile() ? readFileSync(current, 'utf8') : '';
  const [, hash = ''] = CURRENT.exec(text) ?? [];
  if (hash === '') throw damaged;
  const files = listFiles(join(source, hash)).map((path) => {
    if (!isSafe(path)) throw damaged;
    return { path, ...takeFile(join(source, hash, path), join(target, hash, path)) };
  });
  if (itemDigest(files) !== hash) throw damaged;
  writeSynced(join(target, 'current'), text);
  return hash;
}

/** Lists the files below a folder by their paths in it, and enters no link. */
const listFiles = (folder: string, under = ''): readonly string[] =>
  entriesOf(join(folder, under)).flatMap((entry) => {
    const path = under === '' ? entry.name : `${under}/${entry.name}`;
    return entry.isDirectory() ? listFiles(folder, path) : entry.isFile() ? [path] : [];
  });

function takeFile(from: string, to: string) {
  const executable = (lstatSync(from).mode & 0o100) !== 0;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const descriptor = openSync(to, 'wx', executable ? 0o700 : 0o600);
  try {
    const hasher = new Bun.CryptoHasher('sha256');
    readChunks(from, (chunk) => {
      hasher.update(chunk);
      writeAll(descriptor, chunk);
    });
    fsyncSync(descriptor);
    return { executable, sha256: hasher.digest('hex') };
  } finally {
    closeSync(descriptor);
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
}

type Put = Readonly<Record<'from' | 'staged' | 'data', string>> & { readonly kept: string | null };

/**
 * Moves the staged items to their places, and the items that they replace into the folder `kept`. If `kept` is null,
 * nothing is replaced, and `left` has the slugs of the items left out.
 */
function put(items: readonly (ItemName & { readonly hash: string })[], { from, staged, data, kept }: Put) {
  copyMissing(
    from,
    data,
    listFiles(from).filter((path) => EDITION.test(path)),
  );
  const left: string[] = [];
  for (const { hash, ...name } of items) {
    const present = ITEM_KINDS.map((kind) => ({ kind, slug: name.slug })).filter((one) =>
      existsSync(placeIn(data, one)),
    );
    if (present.some((one) => one.kind === name.kind && findPushed(data, one)?.hash === hash)) continue;
    if (present.length > 0 && kept === null) {
      left.push(name.slug);
      continue;
    }
    for (const one of present) move(placeIn(data, one), placeIn(kept ?? '', one));
    move(placeIn(staged, name), placeIn(data, name));
  }
  return { pushed: items.length - left.length, left };
}

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  renameSync(from, to);
  syncFolder(dirname(to));
}
