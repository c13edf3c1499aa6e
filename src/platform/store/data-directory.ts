import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const CANNOT_SYNC = ['EISDIR', 'EINVAL', 'EPERM', 'EACCES', 'ENOTSUP'];

/**
 * Creates the data directory with mode 0700 if it is missing; an existing empty one gets that mode too. Syncs the parent of
 * each new folder, since a power cut could otherwise lose the folder with the database in it. Throws system errors.
 */
export function makeDataDirectory(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return closeIfEmpty(path);
  for (let made = resolve(path); made.length >= resolve(first).length; made = dirname(made))
    syncFolder(dirname(made));
}

function closeIfEmpty(path: string): void {
  if (readdirSync(path).length > 0) return;
  try {
    chmodSync(path, 0o700);
  } catch {
    // The directory belongs to another user, as a mounted volume may. The command `doctor` warns if others can change it.
  }
}

/**
 * If root runs this process, switches it for good to the user who owns the data directory, so that the server can read what a
 * command writes. Does nothing if another user runs it, if the directory is missing, and if root owns it.
 */
export function becomeOwner(directory: string): void {
  const owner = otherOwner(directory);
  if (owner === null) return;
  takeGroups(owner.uid, owner.gid);
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
}

/**
 * Runs `act` on the files of a directory. A process of root runs it with the rights of the directory's owner, and is root again
 * afterwards: a symbolic link that the owner made must not lead root to other files.
 */
export async function asOwner<T>(directory: string, act: () => T | Promise<T>): Promise<T> {
  const owner = otherOwner(directory);
  if (owner === null) return act();
  const groups = process.getgroups?.() ?? [];
  takeGroups(owner.uid, owner.gid);
  process.setegid?.(owner.gid);
  process.seteuid?.(owner.uid);
  try {
    return await act();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
    process.setgroups?.(groups);
  }
}

function otherOwner(directory: string): { readonly uid: number; readonly gid: number } | null {
  if (process.geteuid?.() !== 0 || !existsSync(directory)) return null;
  const { uid, gid } = statSync(directory);
  return uid === 0 ? null : { uid, gid };
}

type WithInitgroups = { readonly initgroups?: (user: number, group: number) => void };

function takeGroups(uid: number, gid: number): void {
  try {
    (process as WithInitgroups).initgroups?.(uid, gid);
  } catch {
    // A user without a name, as in a container, has no other groups.
    process.setgroups?.([gid]);
  }
}

export function syncFile(file: string): void {
  sync(file, 'r+');
}

/**
 * Syncs a folder: returns when the files that were created, linked and renamed in it are on disk. Ignores systems that cannot.
 */
export function syncFolder(folder: string): void {
  try {
    sync(folder, 'r');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && CANNOT_SYNC.includes(String(error.code)))) throw error;
  }
}

function sync(path: string, flags: string): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const BLOCK = new Uint8Array(4096);
/** The free space, in bytes, below which a disk counts as full once something has failed on it. */
const ROOM = 1024 * 1024;

export type DiskFault = 'ENOSPC' | 'EDQUOT' | 'EROFS' | 'EIO';

const FAULTS: Readonly<Record<DiskFault, { readonly reason: string; readonly remedy: string }>> = {
  ENOSPC: { reason: 'the disk is full', remedy: 'free some space' },
  EDQUOT: { reason: 'the disk quota is used up', remedy: 'free some space' },
  EROFS: {
    reason: 'the file system is read-only, perhaps since an error',
    remedy: 'look into the system log, check the disk, and mount it for writing',
  },
  EIO: { reason: 'the disk fails (EIO)', remedy: 'look into the system log, and check the disk' },
};

/**
 * Returns the fault of the disk that prevents writing in a directory; null without one. Writes and deletes a block, since a
 * file system that turned read-only after an error still grants access(2).
 */
export function findDiskFault(directory: string): DiskFault | null {
  const probe = join(directory, `.probe-${crypto.randomUUID()}`);
  try {
    writeFileSync(probe, BLOCK, { flag: 'wx', mode: 0o600 });
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return Object.hasOwn(FAULTS, code) ? (code as DiskFault) : null;
  } finally {
    // Looks first, because deleting a missing file fails on a read-only file system.
    if (existsSync(probe)) rmSync(probe, { force: true });
  }
}

/** Returns the fault of the disk that explains a failure in a directory; null without one. Little free space counts as full. */
export const explainFailure = (directory: string): DiskFault | null =>
  findDiskFault(directory) ?? (hasLittleRoom(directory) ? 'ENOSPC' : null);

/**
 * Runs a change of files in a directory. Ignores a failure if the disk cannot be written, since the server can serve without
 * the change.
 */
export function unlessDiskFault(directory: string, change: () => void): void {
  try {
    change();
  } catch (error) {
    if (findDiskFault(directory) === null) throw error;
  }
}

export const describeDiskFault = (fault: DiskFault): { readonly reason: string; readonly remedy: string } =>
  FAULTS[fault];

function hasLittleRoom(directory: string): boolean {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize < ROOM;
}
