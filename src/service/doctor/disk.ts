import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readBackupRecord } from '../../store/backup/backup-record.ts';
import { listOwnFiles } from './footprint.ts';
import { fail, ok, type Result, size, skip, warn } from './result.ts';
import type { Subject } from './subject.ts';
import { THRESHOLD } from './threshold.ts';

/** Whether the data's disk can take more, and logs have room to grow. */
export async function examineFreeSpace({ config: { data } }: Subject): Promise<Result> {
  const { free, inodes } = await freeSpaceOf(data);
  if (free < THRESHOLD.leastFree)
    return fail(
      `${size(free)} are free on the data's disk: soon nothing can be written`,
      `Make room on the file system of "${data}"`,
    );
  if (inodes < THRESHOLD.leastInodes)
    return fail(
      `${inodes} inodes are free on the data's disk: soon no file can be made`,
      `Delete files that are not needed from the file system of "${data}"`,
    );
  if (free < THRESHOLD.wantedFree)
    return warn(
      `${size(free)} are free on the data's disk: logs and new items soon fill that`,
      `Make room on the file system of "${data}", or move the data to a larger one`,
    );
  return ok(`${size(free)} are free`);
}

/** Whether the data can grow: there must be room and inodes for all of it once more, since old and new files exist together for a while. */
export async function examineDataDisk(subject: Subject): Promise<Result> {
  const room = await examineFreeSpace(subject);
  if (room.status === 'fail') return room;
  const { data } = subject.config;
  const { free, inodes } = await freeSpaceOf(data);
  const files = listOwnFiles(data);
  const taken = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (free < Math.max(taken, THRESHOLD.wantedFree) || inodes < files.length)
    return warn(
      `${size(free)} are free, and the stall's ${files.length} files take ${size(taken)}: too little to compile all of it again`,
      `Make room on the file system of "${data}", or move the data to a larger one`,
    );
  return ok(`${size(free)} are free; the stall's files take ${size(taken)}`);
}

/** The stall only reads its content; room is needed for the next item. */
export async function examineContentDisk({ config: { content, data } }: Subject): Promise<Result> {
  const disk = await diskOf(content);
  if (disk === null) return skip('There is no content directory');
  if (disk === (await diskOf(data))) return ok('The same as of the data');
  if (!(await isWritable(content))) return ok('The content can only be read here, and needs no room');
  const { free } = await freeSpaceOf(content);
  if (free < THRESHOLD.leastFree)
    return warn(
      `${size(free)} are free on the content's disk`,
      `Make room on the file system of "${content}" before you add items`,
    );
  return ok(`${size(free)} are free`);
}

/** Whether the next backup fits on the disk of the last one. */
export async function examineBackupDisk({ config: { data } }: Subject): Promise<Result> {
  const record = readBackupRecord(data);
  const folder = record === null ? null : dirname(record.path);
  if (record === null || folder === null || (await diskOf(folder)) === null)
    return skip('There is no backup yet');
  const { free } = await freeSpaceOf(folder);
  if (free < Math.max(record.bytes, THRESHOLD.leastFree))
    return warn(
      `${size(free)} are free in "${folder}", and a backup takes ${size(record.bytes)}`,
      'Make room there, or write backups elsewhere',
    );
  return ok(`${size(free)} are free; a backup takes ${size(record.bytes)}`);
}

/**
 * The space and inodes that an ordinary user may still use. A file system that counts no inodes has enough. Asked from another
 * thread, as all of this: a network's disk that hangs must not hang a server.
 */
async function freeSpaceOf(path: string): Promise<{ readonly free: number; readonly inodes: number }> {
  const { bavail, bsize, files, ffree } = await statfs(path);
  return { free: bavail * bsize, inodes: files === 0 ? Number.MAX_SAFE_INTEGER : ffree };
}

/** Null if nothing has that name. */
function diskOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ dev }) => dev,
    () => null,
  );
}

function isWritable(directory: string): Promise<boolean> {
  return access(directory, constants.W_OK).then(
    () => true,
    () => false,
  );
}
