import { Database } from 'bun:sqlite';
import { closeSync, existsSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Refusal } from '../../refusal.ts';
import { syncFile, syncFolder } from '../lock/data-directory.ts';
import { holdOpenLock } from '../lock/file-lock.ts';
import { isSqliteError, type DatabaseProof, verifyDatabase } from './verify-database.ts';

/** How long a source may be locked by others, in milliseconds. */
const PATIENCE = 5000;

const REMEDIES: Readonly<Record<string, string>> = {
  ENOENT: 'make that folder first',
  ENOTDIR: 'name a file in a folder',
  EACCES: 'check who may write in that folder',
  EPERM: 'check who may write in that folder',
  EROFS: 'choose a disk that can be written',
};

const NAME = /^bookstall-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z\.db$/;
/** An unfinished copy: its final name, and the process that makes it; SQLite adds a journal. */
const UNFINISHED = /^(.*)\.unfinished-(\d+)(-journal)?$/s;

/** The name of a backup in a folder of them: `bookstall-20261120T181900123Z.db`, so that names sort by time. */
export function backupName(at: number): string {
  return `bookstall-${new Date(at).toISOString().replaceAll(/[-:.]/g, '')}.db`;
}

/** When a backup of that name was made, in milliseconds since 1970; null if the name is not that of a backup. */
export function backupTime(name: string): number | null {
  const [, year, month, day, hour, minute, second, rest] = NAME.exec(name) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${rest}Z`);
  return Number.isNaN(at) ? null : at;
}

/**
 * Copies a database as it is at one moment, also while others write to it, to a new file of mode 0600: under a
 * temporary name first, synced, read again and verified, and only then under its own. Refuses a name that is taken, and a
 * schema that is not the one of `list`, if there is one.
 */
export function copyDatabase(source: string, target: string, list: readonly string[] | null): DatabaseProof {
  refuseTaken(target);
  const unfinished = `${target}.unfinished-${process.pid}`;
  removeUnfinished(target);
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
    refuseTaken(target);
    renameSync(unfinished, target);
    syncFolder(dirname(target));
    return proof;
  } catch (error) {
    throw asRefusal(error, source, target);
  } finally {
    removeUnfinished(target);
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

/** Removes the unfinished copies of this process, and those of killed processes in the same folder. Never fails. */
function removeUnfinished(target: string): void {
  const folder = dirname(target);
  try {
    for (const name of readdirSync(folder)) {
      const [, whole = '', pid] = UNFINISHED.exec(name) ?? [];
      const isOurs = whole === basename(target) || backupTime(whole) !== null;
      if (isOurs && !isAtWork(Number(pid))) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // The copy itself reports whatever is in its way.
  }
}

/** A copy of this process is over when the next begins. */
function isAtWork(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
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
