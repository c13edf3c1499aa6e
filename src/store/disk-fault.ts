import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
export function explainFailure(directory: string): DiskFault | null {
  return findDiskFault(directory) ?? (hasLittleRoom(directory) ? 'ENOSPC' : null);
}

/** Changes files in a directory, and ignores a failure if its disk cannot be written: the stall can be served from there. */
export function unlessDiskFault(directory: string, change: () => void): void {
  try {
    change();
  } catch (error) {
    if (findDiskFault(directory) === null) throw error;
  }
}

/** A fault and what to do about it, as parts of a sentence. */
export function describeDiskFault(fault: DiskFault): { readonly reason: string; readonly remedy: string } {
  return FAULTS[fault];
}

function hasLittleRoom(directory: string): boolean {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize < ROOM;
}
