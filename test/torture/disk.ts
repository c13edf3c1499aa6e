// A disk that keeps only what was synced: rebuilt from the calls of a trace, cut at any of them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Chance } from './chance.ts';
import { type Call, lastNumber, pathOf, textsOf } from './trace.ts';

/** A change of a file's bytes that no sync has confirmed yet. */
type Change = { readonly at: number; readonly bytes: Buffer | null };
type Inode = { durable: Buffer; current: Buffer; pending: Change[] };
type Entries = Map<string, Inode>;
/** A folder: its entries on disk, and the changes that no sync of the folder has confirmed yet, in order. */
type Folder = { durable: Entries; current: Entries; pending: ((entries: Entries) => void)[] };

/** How much unsynced data a power cut leaves: nothing, all, or a random part, down to a sector. */
export type Leaving = 'nothing' | 'everything' | Chance;

const SECTOR = 512;

export type Disk = ReturnType<typeof createDisk>;

/** The files below `root` as the calls of a trace make them. Entries of directories reach the disk in order, bytes of files in any order. */
export function createDisk(root: string) {
  const folders = new Map<string, Folder>([[root, newFolder()]]);
  const folderOf = (path: string): Folder | undefined => folders.get(dirname(path));
  const inodeOf = (path: string): Inode | undefined => folderOf(path)?.current.get(basename(path));

  const change = (path: string, apply: (entries: Entries) => void): void => {
    const folder = folderOf(path);
    if (folder === undefined) return;
    apply(folder.current);
    folder.pending.push(apply);
  };
  const put = (path: string, inode: Inode): void =>
    change(path, (entries) => void entries.set(basename(path), inode));
  const remove = (path: string): void => change(path, (entries) => void entries.delete(basename(path)));

  const write = (path: string, at: number, bytes: Buffer): void => {
    const inode = inodeOf(path);
    if (inode === undefined) return;
    inode.current = applyChange(inode.current, { at, bytes });
    inode.pending.push({ at, bytes });
  };
  const truncate = (path: string, at: number): void => {
    const inode = inodeOf(path);
    if (inode === undefined) return;
    inode.current = applyChange(inode.current, { at, bytes: null });
    inode.pending.push({ at, bytes: null });
  };
  const sync = (path: string): void => {
    const folder = folders.get(path);
    if (folder !== undefined) {
      folder.durable = new Map(folder.current);
      folder.pending = [];
    }
    const inode = inodeOf(path);
    if (inode === undefined) return;
    inode.durable = inode.current;
    inode.pending = [];
  };
  const move = (from: string, to: string): void => {
    const inode = inodeOf(from);
    if (inode === undefined) return;
    remove(from);
    put(to, inode);
  };
  const openFile = (path: string, flags: string): void => {
    if (inodeOf(path) === undefined && flags.includes('O_CREAT')) put(path, newInode());
    else if (flags.includes('O_TRUNC')) truncate(path, 0);
  };

  const APPLY: Readonly<Record<string, (call: Call, paths: readonly string[]) => void>> = {
    openat: (call, [path = '']) => openFile(path, call.args),
    mkdir: (_call, [path = '']) => {
      folders.set(path, newFolder());
      put(path, newInode());
    },
    write: (call) => write(pathOf(call), inodeOf(pathOf(call))?.current.length ?? 0, dataOf(call)),
    pwrite64: (call) => write(pathOf(call), lastNumber(call), dataOf(call)),
    ftruncate: (call) => truncate(pathOf(call), lastNumber(call)),
    fsync: (call) => sync(pathOf(call)),
    fdatasync: (call) => sync(pathOf(call)),
    rename: (_call, [from = '', to = '']) => move(from, to),
    link: (_call, [from = '', to = '']) => put(to, inodeOf(from) ?? newInode()),
    unlink: (_call, [path = '']) => remove(path),
    unlinkat: (_call, [path = '']) => remove(path),
  };

  return {
    /** Applies one call, unless it failed; its paths are absolute. */
    apply(call: Call): void {
      if (!(call.result >= 0)) return;
      const namesPaths = !call.name.includes('write');
      APPLY[call.name]?.(call, namesPaths ? textsOf(call).map(String) : []);
    },
    /** Writes one folder into `target` as a power cut now would leave it. */
    cut(path: string, target: string, leaving: Leaving): void {
      const [folder, above] = [folders.get(path), folderOf(path)];
      mkdirSync(target, { recursive: true });
      if (folder === undefined || above === undefined) return;
      if (!entriesLeft(above, leaving).has(basename(path))) return;
      for (const [name, inode] of entriesLeft(folder, leaving))
        if (!name.endsWith('-shm')) writeFileSync(join(target, name), bytesLeft(inode, leaving));
    },
  };
}

const newFolder = (): Folder => ({ durable: new Map(), current: new Map(), pending: [] });
const newInode = (): Inode => ({ durable: Buffer.alloc(0), current: Buffer.alloc(0), pending: [] });

function entriesLeft({ durable, pending }: Folder, leaving: Leaving): Entries {
  const entries: Entries = new Map(durable);
  const kept =
    leaving === 'nothing' ? 0 : leaving === 'everything' ? pending.length : leaving.below(pending.length + 1);
  for (const apply of pending.slice(0, kept)) apply(entries);
  return entries;
}

function bytesLeft({ durable, current, pending }: Inode, leaving: Leaving): Buffer {
  if (leaving === 'nothing') return durable;
  if (leaving === 'everything') return current;
  return pending.reduce((bytes, change) => {
    if (leaving.odds(0.4)) return bytes;
    const isTorn = change.bytes !== null && leaving.odds(0.3);
    return applyChange(bytes, isTorn ? tear(change, leaving) : change);
  }, durable);
}

function tear({ at, bytes }: Change, chance: Chance): Change {
  const sectors = Math.ceil((bytes?.length ?? 0) / SECTOR);
  return { at, bytes: (bytes ?? Buffer.alloc(0)).subarray(0, chance.below(sectors + 1) * SECTOR) };
}

function applyChange(before: Buffer, { at, bytes }: Change): Buffer {
  if (bytes === null)
    return Buffer.concat([before.subarray(0, at), Buffer.alloc(Math.max(0, at - before.length))]);
  const after = Buffer.alloc(Math.max(before.length, at + bytes.length));
  before.copy(after);
  bytes.copy(after, at);
  return after;
}

function dataOf(call: Call): Buffer {
  return (textsOf(call)[0] ?? Buffer.alloc(0)).subarray(0, call.result);
}
