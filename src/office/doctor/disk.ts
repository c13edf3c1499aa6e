import { accessSync, constants, lstatSync, readdirSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseNetworkFileSystem } from '../../platform/store/database.ts';
import { describeDiskFault, findDiskFault } from '../../platform/store/data-directory.ts';
import { capitalize, databaseFile, fail, ok, type Result, some, type Subject, warn } from './subject.ts';
import { formatBytes } from '../../platform/base/text.ts';

const hasModes = process.platform !== 'win32';

export function examineDirectory(subject: Subject): Result {
  const { data } = subject.config;
  const directory = statSync(data, { throwIfNoEntry: false });
  if (!directory?.isDirectory())
    return fail(
      `There is no data directory "${data}"`,
      'Name it with --data, or start "bookstall serve" with it once',
    );
  refuseNetworkFileSystem(data);
  // A disk error may have made the file system read-only while the server runs.
  const fault = findDiskFault(data);
  if (fault !== null) {
    const { reason, remedy } = describeDiskFault(fault);
    return fail(`Nothing can be written to "${data}": ${reason}`, capitalize(remedy));
  }
  if (subject.serving !== null) return ok('The data can be written, on a local file system');
  accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK);
  if (hasModes && (directory.mode & 0o022) !== 0)
    return fail(
      `Other users may change files in "${data}" (mode ${(directory.mode & 0o777).toString(8).padStart(4, '0')})`,
      `Close it: chmod 700 "${data}"`,
    );
  return examineFiles(subject, directory.mode);
}

/** Checks that other users cannot read the database and the compiled items, and that all belong to one user. */
function examineFiles({ config }: Subject, directoryMode: number): Result {
  const { data } = config;
  const files = listOwnFiles(data);
  // Modes of files do not matter to users who may not enter the directory.
  const bits = (directoryMode & 0o001 ? 0o007 : 0) | (directoryMode & 0o010 ? 0o070 : 0);
  const open = files.filter(({ path, mode }) => hasModes && PRIVATE.test(path) && (mode & bits) !== 0);
  const isOpenToAll = open.some(({ mode }) => (mode & bits & 0o007) !== 0);
  if (open.length > 0)
    return (isOpenToAll ? fail : warn)(
      `${isOpenToAll ? 'Other users' : 'Its group'} can read ${namesOf(open)} in "${data}"`,
      `Close them: chmod go-rwx ${open.map(({ path }) => `"${data}/${path}"`).join(' ')}`,
    );
  const owner = statSync(databaseFile(config), { throwIfNoEntry: false })?.uid ?? files[0]?.owner ?? 0;
  const foreign = files.filter((file) => file.owner !== owner);
  if (foreign.length > 0)
    return fail(
      `${namesOf(foreign)} in "${data}" belong to user ${foreign[0]?.owner}, the database to user ${owner}`,
      `Give all to one user: chown -R ${owner} "${data}"; and run no command on it as another user`,
    );
  return ok(`"${data}" can be used, and is closed to others`);
}

const namesOf = (files: readonly { readonly path: string }[]): string =>
  some(files.map(({ path }) => `"${path}"`));

/** Matches the stall's own files in its data directory, and copies of its database. */
const OWN =
  /^[^/\\]*\.db|^(artefacts|editions|kept|backups)(?![^/\\])|^(publication|backup)\.json$|^serve\.(lock|pid|json)$/;

/** Matches the files and folders whose modes matter. A closed folder protects all that is in it. */
const PRIVATE = /^[^/\\]*\.db|^(artefacts|editions|kept|backups)$/;

/** Lists the stall's own files and folders in a data directory, without those that disappear meanwhile. */
const listOwnFiles = (data: string) =>
  readdirSync(data, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
    const found = OWN.test(path) ? lstatSync(join(data, path), { throwIfNoEntry: false }) : undefined;
    if (found === undefined) return [];
    return [{ path, mode: found.mode, owner: found.uid, bytes: found.isFile() ? found.size : 0 }];
  });

const MEGABYTE = 1_000_000;
/** The minimum of free bytes and inodes; with less, writes are about to fail. */
const LEAST = { free: 64 * MEGABYTE, inodes: 1000 };
/** The free bytes that even a small stall needs for its logs. */
const WANTED = 256 * MEGABYTE;

/** Checks that the disk has room for a second copy of all data, since old and new files are side by side for a while. */
export async function examineDisks({ config: { data }, serving }: Subject): Promise<Result> {
  const { free, inodes } = await freeSpaceOf(data);
  const makeRoom = (path: string): string => `Make room on the file system of "${path}"`;
  if (free < LEAST.free || inodes < LEAST.inodes)
    return fail(
      `${free < LEAST.free ? formatBytes(free) : `${inodes} inodes`} are free on the data's disk: soon nothing can be written`,
      makeRoom(data),
    );
  const files = serving === null ? listOwnFiles(data) : [];
  const taken = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (free < Math.max(taken, WANTED) || inodes < files.length)
    return warn(
      `${formatBytes(free)} are free on the data's disk: too little for its logs, and to compile all items again`,
      `${makeRoom(data)}, or move the data to a larger one`,
    );
  return ok(
    `${formatBytes(free)} are free${serving === null ? `; the stall's files take ${formatBytes(taken)}` : ''}`,
  );
}

/**
 * Returns the bytes and inodes that are free for an ordinary user; a file system that counts no inodes has enough. Does not
 * block: a network disk that hangs must not hang the server.
 */
async function freeSpaceOf(path: string): Promise<{ readonly free: number; readonly inodes: number }> {
  const { bavail, bsize, files, ffree } = await statfs(path);
  return { free: bavail * bsize, inodes: files === 0 ? Number.MAX_SAFE_INTEGER : ffree };
}
