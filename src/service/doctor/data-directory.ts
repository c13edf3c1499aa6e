import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { findNetworkFileSystem } from '../../store/database/database.ts';
import { describeDiskFault, findDiskFault } from '../../store/lock/disk-fault.ts';
import { listOwnFiles, type OwnFile } from './footprint.ts';
import { fail, ok, type Result, some, warn } from './result.ts';
import { databaseFile, type Subject } from './subject.ts';
import { messageOf } from '../../refusal.ts';

const hasModes = process.platform !== 'win32';

/** Whether the directory exists, is usable, is closed to changes by others, and lies outside the content. */
export function examineDirectory({ config: { data, content } }: Subject): Result {
  const stat = statSync(data, { throwIfNoEntry: false });
  if (!stat?.isDirectory())
    return fail(
      `There is no data directory "${data}"`,
      'Name it with --data, or start "bookstall serve" with it once',
    );
  const obstacle = obstacleTo(data);
  if (obstacle !== null)
    return fail(
      `Cannot use the data directory "${data}": ${obstacle}`,
      'Run this as the user the stall runs as, or correct the permissions of the directory',
    );
  if (isInside(data, content))
    return fail(
      `The data directory "${data}" is inside the content directory "${content}"`,
      'Stop the server and move it elsewhere: a copy of the content would include the database',
    );
  if (hasModes && (stat.mode & 0o022) !== 0)
    return fail(
      `Other users may change files in "${data}" (mode ${octal(stat.mode)})`,
      `Close it: chmod 700 "${data}"`,
    );
  return ok(`"${data}" can be used, and no other user can change it`);
}

/** Whether the database and the compiled items are closed to other users, and belong to one user. */
export function examineFiles({ config }: Subject): Result {
  const { data } = config;
  const directory = statSync(data).mode;
  const files = listOwnFiles(data);
  const open = (bits: number): readonly OwnFile[] =>
    files.filter(({ path, mode }) => isPrivate(path) && (mode & bits) !== 0);
  // Modes inside do not matter to users who may not enter the directory.
  const toOthers = hasModes && (directory & 0o001) !== 0 ? open(0o007) : [];
  const toGroup = hasModes && (directory & 0o010) !== 0 ? open(0o070) : [];
  if (toOthers.length > 0)
    return fail(`Other users can read ${namesOf(toOthers)} in "${data}"`, closing(data, toOthers, 'o'));
  const owner = statSync(databaseFile(config), { throwIfNoEntry: false })?.uid ?? files[0]?.owner ?? 0;
  const foreign = files.filter((file) => file.owner !== owner);
  if (foreign.length > 0)
    return fail(
      `${namesOf(foreign)} in "${data}" belong to user ${foreign[0]?.owner}, the database to user ${owner}`,
      `Give all to one user: chown -R ${owner} "${data}"; and run no command on it as another user`,
    );
  if (toGroup.length > 0)
    return warn(`Its group can read ${namesOf(toGroup)} in "${data}"`, closing(data, toGroup, 'g'));
  return ok('The database and the compiled items are closed to others, and belong to one user');
}

/** Whether the file system is local, and can be written: after an error it may have turned read-only beside the server. */
export function examineFileSystem({ config: { data } }: Subject): Result {
  const name = findNetworkFileSystem(data);
  const fault = name === null ? findDiskFault(data) : null;
  if (fault !== null) {
    const { reason, remedy } = describeDiskFault(fault);
    return fail(`Nothing can be written to "${data}": ${reason}`, capitalize(remedy));
  }
  if (name === null) return ok('The data is on a local file system');
  return fail(
    `The data directory "${data}" is on a network file system (${name}), where SQLite can lose data`,
    'Move it to a local directory, and name that with --data',
  );
}

/** A closed folder closes the compiled items in it, whatever their modes. */
function isPrivate(path: string): boolean {
  return /^[^/\\]*\.db|^(artefacts|editions|kept|backups)$/.test(path);
}

function closing(data: string, files: readonly OwnFile[], who: string): string {
  return `Close them: chmod ${who}-rwx ${files.map(({ path }) => `"${data}/${path}"`).join(' ')}`;
}

function namesOf(files: readonly OwnFile[]): string {
  return some(files.map(({ path }) => `"${path}"`));
}

function obstacleTo(directory: string): string | null {
  try {
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

function isInside(inner: string, outer: string): boolean {
  if (statSync(outer, { throwIfNoEntry: false }) === undefined) return false;
  const path = relative(realpathSync(outer), realpathSync(inner));
  return path === '' || !/^(\.\.([/\\]|$)|[/\\]|[A-Za-z]:)/.test(path);
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
