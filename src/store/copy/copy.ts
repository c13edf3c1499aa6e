import { Database } from 'bun:sqlite';
import { closeSync, existsSync, linkSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { Refusal } from '../../refusal.ts';
import { holdOpenLock } from '../lock/open-lock.ts';
import { isSqliteError, type DatabaseProof, verifyDatabase } from './verify-database.ts';
import { syncFile, syncFolder } from '../lock/sync.ts';
import { removeTempFiles, tempName } from './temp-files.ts';

/** How long a source may be locked by others, in milliseconds. */
const PATIENCE = 5000;

const REMEDIES: Readonly<Record<string, string>> = {
  ENOENT: 'make that folder first',
  ENOTDIR: 'name a file in a folder',
  EACCES: 'check who may write in that folder',
  EPERM: 'check who may write in that folder',
  EROFS: 'choose a disk that can be written',
};

/** Error codes of file systems without hard links. */
const CANNOT_LINK = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * Copies a database as it is at one moment, also while others write to it, to a new file of mode 0600: under a
 * temporary name first, synced, read again and verified, and only then under its own. Refuses a name that is taken, and a
 * schema that is not the one of `list`, if there is one.
 */
export function copyDatabase(source: string, target: string, list: readonly string[] | null): DatabaseProof {
  refuseTaken(target);
  const unfinished = tempName(target);
  removeTempFiles(target);
  try {
    // Made by us, as SQLite would let others read it.
    closeSync(openSync(unfinished, 'wx', 0o600));
    vacuumInto(source, unfinished);
    syncFile(unfinished);
    const proof = verifyDatabase(
      unfinished,
      (reason, remedy = 'keep the last good backup') =>
        `Cannot back up "${source}": of its copy, ${reason}; ${remedy}`,
      list,
    );
    place(unfinished, target);
    return proof;
  } catch (error) {
    throw asRefusal(error, source, target);
  } finally {
    removeTempFiles(target);
  }
}

/** Refuses to overwrite a file. */
export function refuseTaken(target: string): void {
  if (!existsSync(target)) return;
  throw new Refusal(
    'invalid-request',
    `Cannot back up to "${target}": there is such a file already; name another`,
  );
}

function vacuumInto(source: string, target: string): void {
  holdOpenLock(dirname(source), () => {
    const db = new Database(source, { readonly: true });
    try {
      db.run(`PRAGMA busy_timeout = ${PATIENCE}`);
      db.run('VACUUM INTO ?', [target]);
    } finally {
      db.close();
    }
  });
}

/** Gives a whole file its name, unless the name was taken in between. */
function place(unfinished: string, target: string): void {
  try {
    linkSync(unfinished, target);
  } catch (error) {
    if (!CANNOT_LINK.includes(codeOf(error))) throw error;
    refuseTaken(target);
    renameSync(unfinished, target);
  }
  syncFolder(dirname(target));
}

function asRefusal(error: unknown, source: string, target: string): unknown {
  const code = codeOf(error);
  if (error instanceof Refusal || !(error instanceof Error) || code === '') return error;
  if (code === 'EEXIST') refuseTaken(target);
  const isSource = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'].some((name) => code.startsWith(name));
  const sentence = isSource
    ? `Cannot back up "${source}": it is damaged (${error.message}); restore the last good backup`
    : `Cannot back up to "${target}": ${reasonOf(error)}; ${REMEDIES[code] ?? 'free space there, or choose another place'}`;
  return new Refusal('storage-unavailable', sentence);
}

/** The error without the system call and the temporary name. */
function reasonOf(error: Error): string {
  return isSqliteError(error) ? error.message : (error.message.split(', ')[0] ?? '');
}

function codeOf(error: unknown): string {
  if (isSqliteError(error)) return error.code;
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
