import { isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { error, quote, type Problem } from '../platform/base/problem.ts';
import { messageOf } from '../platform/base/refusal.ts';

export type TreeFile = {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
  readonly stat: BigIntStats;
};

export type Tree = { readonly files: readonly TreeFile[]; readonly problems: readonly Problem[] };

/**
 * Tells whether a path is left out. It is called before all checks of the path, so that a path left out is never
 * reported as a problem.
 */
type LeaveOut = (path: string, isDirectory: boolean) => boolean;

/**
 * Lists every regular file below a folder. Links, devices, unreadable files and names that are not UTF-8 are problems.
 * Links are not followed.
 */
export function walkTree(folder: string, leaveOut: LeaveOut): Tree {
  const files: TreeFile[] = [];
  const problems: Problem[] = [];
  const visit = (directory: string): void => {
    for (const raw of readdirSync(join(folder, directory), { encoding: 'buffer' })) {
      const name = isUtf8(raw) ? raw.toString() : null;
      if (name === null) problems.push(notUtf8(directory, raw));
      else tryToVisit(visitEntry, directory === '' ? name : `${directory}/${name}`);
    }
  };
  const tryToVisit = (step: (path: string) => void, path: string): void => {
    try {
      step(path);
    } catch (cause) {
      problems.push(unreadable(path, cause));
    }
  };
  const visitEntry = (path: string): void => {
    const stat = lstatSync(join(folder, path), { bigint: true, throwIfNoEntry: false });
    // The file was removed since the folder was listed, as an editor's temporary file may be.
    if (stat === undefined) return;
    if (leaveOut(path, stat.isDirectory())) return;
    if (stat.isDirectory()) visit(path);
    else if (stat.isFile())
      files.push({ path, size: Number(stat.size), executable: (stat.mode & 0o100n) !== 0n, stat });
    else problems.push(notRegular(path, stat.isSymbolicLink()));
  };
  tryToVisit(visit, '');
  return { files, problems };
}

export function unreadable(path: string, cause: unknown): Problem {
  const reason = messageOf(cause);
  return error(
    'unreadable',
    path,
    `Cannot read ${path === '' ? 'the folder' : quote(path)}: ${reason}`,
    'Check its permissions, and that nothing else is writing it',
  );
}

function notUtf8(directory: string, raw: Buffer): Problem {
  const path = `${directory === '' ? '' : `${directory}/`}${raw.toString('latin1')}`;
  return error('name-not-utf8', path, `Cannot distribute ${quote(path)}: its name is not UTF-8`, 'Rename it');
}

export function notRegular(path: string, isLink: boolean): Problem {
  const what = isLink ? 'a symbolic link' : 'a device, pipe or socket';
  const remedy = isLink ? 'Put a copy of its target there' : 'Remove it';
  return error(
    isLink ? 'link' : 'device',
    path,
    `Cannot distribute ${quote(path)}: it is ${what}`,
    `${remedy}, or name it in ".bookstallignore"`,
  );
}
