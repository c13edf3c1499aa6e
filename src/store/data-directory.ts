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

/** Error codes of systems that cannot sync a folder. */
const CANNOT_SYNC = ['EISDIR', 'EINVAL', 'EPERM', 'EACCES', 'ENOTSUP'];

/**
 * Makes the data directory if it is missing, for its owner alone; an existing empty one is closed to others
 * too. Each folder made is synced into the one above it: otherwise a power cut could take it, and with it a
 * database that is synced itself. Throws system errors.
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
    // Another user's, a volume for example: the doctor says if others can change it.
  }
}

/**
 * Root becomes the owner of a data directory for good, so that the server can read what a command writes. Does nothing
 * for another user, without a directory, and in one of root's.
 */
export function becomeOwner(directory: string): void {
  const owner = otherOwner(directory);
  if (owner === null) return;
  takeGroups(owner.uid, owner.gid);
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
}

/**
 * Runs `act` on the files of a directory with the rights of its owner if root is asked, who stays root after it: a link
 * that the owner put there must not lead root elsewhere.
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

/** For root, the owner of a directory that is another user's; otherwise null. */
function otherOwner(directory: string): { readonly uid: number; readonly gid: number } | null {
  if (process.geteuid?.() !== 0 || !existsSync(directory)) return null;
  const { uid, gid } = statSync(directory);
  return uid === 0 ? null : { uid, gid };
}

/** A function of Node that its types lack. */
type WithInitgroups = { readonly initgroups?: (user: number, group: number) => void };

function takeGroups(uid: number, gid: number): void {
  try {
    (process as WithInitgroups).initgroups?.(uid, gid);
  } catch {
    // A user without a name, as in a container, has no other groups.
    process.setgroups?.([gid]);
  }
}

/** Returns when the file's bytes are on disk. */
export function syncFile(file: string): void {
  sync(file, 'r+');
}

/** Returns when the names in a folder are on disk: those of files made, linked and renamed in it. */
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
/** A disk with fewer bytes to give is called full if something failed on it. */
const ROOM = 1024 * 1024;

/** Faults of a disk, not of permissions: full, over quota, read-only, broken. */
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
 * Why no file can be written in a directory, or null. A file system that turned read-only after an error still grants
 * access(2), so that a block is written. Leaves nothing.
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
    // Not on a read-only file system, which refuses to look for it.
    if (existsSync(probe)) rmSync(probe, { force: true });
  }
}

/** The fault that explains why something failed in a directory, or null: a nearly full disk has room for a block, and not for more. */
export const explainFailure = (directory: string): DiskFault | null =>
  findDiskFault(directory) ?? (hasLittleRoom(directory) ? 'ENOSPC' : null);

/** Changes files in a directory, and ignores a failure if its disk cannot be written: the stall can be served from there. */
export function unlessDiskFault(directory: string, change: () => void): void {
  try {
    change();
  } catch (error) {
    if (findDiskFault(directory) === null) throw error;
  }
}

/** A fault and what to do about it, as parts of a sentence. */
export const describeDiskFault = (fault: DiskFault): { readonly reason: string; readonly remedy: string } =>
  FAULTS[fault];

function hasLittleRoom(directory: string): boolean {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize < ROOM;
}
