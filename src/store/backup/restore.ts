import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { Refusal } from '../../refusal.ts';
import { checksumFile } from './backup.ts';
import { backupName } from '../copy/backup-name.ts';
import { migrations } from '../database/migrations.ts';
import { makeDataDirectory } from '../lock/data-directory.ts';
import { holdSwapLock } from '../lock/open-lock.ts';
import { digestFile, type DatabaseProof, verifyDatabase } from '../copy/verify-database.ts';
import { swapDatabase, placeDatabase } from './swap-database.ts';
import { isServed, lockDataDirectory } from '../lock/serve-lock.ts';

/** `at` is in milliseconds since 1970: the database that is replaced is kept under a name with this time. */
type RestoreJob = {
  readonly file: string;
  readonly dataDirectory: string;
  readonly replace: boolean;
  readonly at: number;
};

/** The restored backup; `hasChecksum` if a checksum file matched; `kept` is the path of the database before, null if there was none. */
export type Restored = DatabaseProof & {
  readonly path: string;
  readonly hasChecksum: boolean;
  readonly kept: string | null;
};

/**
 * Verifies a backup, copies it into the data directory, and puts it in the place of the database. Refuses what cannot be
 * trusted, a newer schema, a directory that a server works in, and one that holds a database unless it may be replaced.
 * Nothing is changed before all of that is known.
 */
export function restoreDatabase({ file, dataDirectory, replace, at }: RestoreJob): Restored {
  refuseServed(dataDirectory);
  const place = join(dataDirectory, 'bookstall.db');
  if (!replace) refuseExisting(place);
  const proof = verifyBackup(file);
  const hasChecksum = compareChecksum(file, proof.sha256);
  const lock = hold(dataDirectory);
  const arriving = `${place}.restoring`;
  try {
    copyIn(file, arriving, proof.sha256);
    const kept = join(dataDirectory, backupName(at).replace('bookstall-', 'bookstall-replaced-'));
    const isThere = holdSwapLock(dataDirectory, () => put(arriving, place, kept));
    return { path: resolve(file), ...proof, hasChecksum, kept: isThere ? kept : null };
  } catch (error) {
    throw asRefusal(error, dataDirectory);
  } finally {
    rmSync(arriving, { force: true });
    lock.release();
  }
}

/** Whether there was a database in the place. */
function put(arriving: string, place: string, kept: string): boolean {
  const isThere = existsSync(place);
  if (isThere) swapDatabase(arriving, place, kept);
  else placeDatabase(arriving, place, kept);
  return isThere;
}

function verifyBackup(file: string): DatabaseProof {
  if (!existsSync(file) || !statSync(file).isFile())
    throw refusal(
      `Cannot restore "${file}": there is no such file; name a file that "bookstall backup" made`,
    );
  for (const end of ['-wal', '-journal'])
    if ((statSync(`${file}${end}`, { throwIfNoEntry: false })?.size ?? 0) > 0)
      throw refusal(
        `Cannot restore "${file}": it is half of a copied database, "${file}${end}" is the other; name a file that "bookstall backup" made`,
      );
  return verifyDatabase(
    file,
    (reason, remedy = 'use another backup') => `Cannot restore "${file}": ${reason}; ${remedy}`,
    migrations,
  );
}

/** False if there is no checksum file. */
function compareChecksum(file: string, sha256: string): boolean {
  if (!existsSync(checksumFile(file))) return false;
  const [, expected = ''] = /^\\?([0-9a-fA-F]{64})\s/.exec(readFileSync(checksumFile(file), 'utf8')) ?? [];
  if (expected.toLowerCase() === sha256) return true;
  throw refusal(
    `Cannot restore "${file}": its SHA-256 is ${sha256} and not the one in "${checksumFile(file)}", so it was changed since; use another backup`,
  );
}

function refuseServed(dataDirectory: string): void {
  if (existsSync(dataDirectory) && isServed(dataDirectory)) throw served(dataDirectory);
}

function refuseExisting(place: string): void {
  if (!existsSync(place)) return;
  throw refusal(
    `Cannot restore to "${place}": there is a database already; add --replace, which keeps it under another name`,
  );
}

/** Makes the data directory if it is missing, and keeps servers out of it. */
function hold(dataDirectory: string): ReturnType<typeof lockDataDirectory> {
  try {
    makeDataDirectory(dataDirectory);
    return lockDataDirectory(dataDirectory);
  } catch (error) {
    throw error instanceof Refusal ? served(dataDirectory) : asRefusal(error, dataDirectory);
  }
}

/** Copies the same bytes that were verified, for their owner alone. */
function copyIn(file: string, arriving: string, proven: string): void {
  // A restore that was killed left it.
  rmSync(arriving, { force: true });
  const descriptor = openSync(arriving, 'wx', 0o600);
  try {
    const { sha256 } = digestFile(file, (piece) => writeWhole(descriptor, piece));
    if (sha256 !== proven) throw refusal(`Cannot restore "${file}": it changed while it was read; try again`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function writeWhole(descriptor: number, piece: Uint8Array): void {
  for (let at = 0; at < piece.length;) at += writeSync(descriptor, piece, at);
}

function served(dataDirectory: string): Refusal {
  return refusal(`Cannot restore into "${dataDirectory}": a server works in it; stop the server first`);
}

/** An error of the system, such as a full disk, in a sentence. */
function asRefusal(error: unknown, dataDirectory: string): unknown {
  if (error instanceof Refusal || !(error instanceof Error && 'code' in error)) return error;
  return refusal(
    `Cannot restore into "${dataDirectory}": ${error.message}; check its permissions and free space; the database is as it was`,
  );
}

function refusal(sentence: string): Refusal {
  return new Refusal('storage-unavailable', sentence);
}
