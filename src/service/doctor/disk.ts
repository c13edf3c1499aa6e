import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readBackupRecord } from '../../store/backup-record.ts';
import { listOwnFiles } from './footprint.ts';
import { fail, ok, type Result, size, skip, warn } from './result.ts';
import type { Subject } from './subject.ts';
import { THRESHOLD } from './threshold.ts';

/** Whether the data can grow: room and inodes for all that is kept once more, since old and new lie side by side for a while. */
export function examineDataDisk({ config: { data } }: Subject): Result {
  const { free, inodes } = roomOf(data);
  const files = listOwnFiles(data);
  const taken = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (free < THRESHOLD.leastFree)
    return fail(
      `${size(free)} are free where the data lies: soon nothing can be written`,
      `Make room on the file system of "${data}"`,
    );
  if (inodes < THRESHOLD.leastInodes)
    return fail(
      `${inodes} inodes are free where the data lies: soon no file can be made`,
      `Delete files that nobody needs from the file system of "${data}"`,
    );
  if (free < Math.max(taken, THRESHOLD.wantedFree) || inodes < files.length)
    return warn(
      `${size(free)} are free, and the stall's ${files.length} files take ${size(taken)}: too little to compile all of it anew`,
      `Make room on the file system of "${data}", or move the data to a larger one`,
    );
  return ok(`${size(free)} are free; the stall's files take ${size(taken)}`);
}

/** The stall only reads its content: what is wanted is room for the next item. */
export function examineContentDisk({ config: { content, data } }: Subject): Result {
  if (!existsSync(content)) return skip('There is no content directory');
  if (existsSync(data) && isSameDisk(content, data)) return ok('The same as of the data');
  if (!isWritable(content)) return ok('The content can only be read here, and needs no room');
  const { free } = roomOf(content);
  if (free < THRESHOLD.leastFree)
    return warn(
      `${size(free)} are free where the content lies`,
      `Make room on the file system of "${content}" before you add items`,
    );
  return ok(`${size(free)} are free`);
}

/** Whether the next backup fits where the last one went. */
export function examineBackupDisk({ config: { data } }: Subject): Result {
  const record = readBackupRecord(data);
  const folder = record === null ? null : dirname(record.path);
  if (record === null || folder === null || !existsSync(folder)) return skip('There is no backup yet');
  const { free } = roomOf(folder);
  if (free < Math.max(record.bytes, THRESHOLD.leastFree))
    return warn(
      `${size(free)} are free in "${folder}", and a backup takes ${size(record.bytes)}`,
      'Make room there, or write backups elsewhere',
    );
  return ok(`${size(free)} are free; a backup takes ${size(record.bytes)}`);
}

/** What an ordinary user may still take. A file system that counts no inodes has enough of them. */
function roomOf(path: string): { readonly free: number; readonly inodes: number } {
  const { bavail, bsize, files, ffree } = statfsSync(path);
  return { free: bavail * bsize, inodes: files === 0 ? Number.MAX_SAFE_INTEGER : ffree };
}

function isSameDisk(a: string, b: string): boolean {
  return statSync(a).dev === statSync(b).dev;
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
