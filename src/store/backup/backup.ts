import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { backupName, backupTime } from '../copy/backup-name.ts';
import { writeBackupRecord } from './backup-record.ts';
import { copyDatabase, refuseTaken } from '../copy/copy.ts';
import { migrations } from '../database/migrations.ts';
import type { DatabaseProof } from '../copy/verify-database.ts';
import { syncFolder } from '../lock/sync.ts';

/**
 * The data to back up, and the target: a file, or a folder in which backups are named by their time (`at`, in
 * milliseconds since 1970) and all but the newest `keep` are removed; null removes none.
 */
export type BackupJob = {
  readonly dataDirectory: string;
  readonly at: number;
  readonly to: { readonly file: string } | { readonly folder: string; readonly keep: number | null };
};

/** A verified backup, and the names of the older ones that were removed for it. */
export type Backup = DatabaseProof & { readonly path: string; readonly removed: readonly string[] };

/** Makes one backup and its checksum file, and writes a note to the data directory. Refuses whatever `copyDatabase` refuses. */
export function makeBackup({ dataDirectory, at, to }: BackupJob): Backup {
  const path = resolve('file' in to ? to.file : join(openFolder(to.folder), backupName(at)));
  [path, checksumFile(path)].forEach(refuseTaken);
  const proof = copyDatabase(join(dataDirectory, 'bookstall.db'), path, migrations);
  writeChecksum(path, proof.sha256);
  note(dataDirectory, { at: new Date(at).toISOString(), path, bytes: proof.bytes, sha256: proof.sha256 });
  const removed = 'file' in to || to.keep === null ? [] : removeOldest(path, to.keep);
  return { path, ...proof, removed };
}

/** The file beside a backup that `sha256sum -c` reads. */
export function checksumFile(path: string): string {
  return `${path}.sha256`;
}

function openFolder(folder: string): string {
  // Not with its parents: a disk that is not mounted is no place for a backup.
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // It exists, or the copy's own error will say why it cannot be made.
  }
  return folder;
}

function writeChecksum(path: string, sha256: string): void {
  try {
    const descriptor = openSync(checksumFile(path), 'wx', 0o600);
    writeSync(descriptor, `${sha256}  ${basename(path)}\n`);
    fsyncSync(descriptor);
    closeSync(descriptor);
    syncFolder(dirname(path));
  } catch (error) {
    for (const file of [checksumFile(path), path]) rmSync(file, { force: true });
    throw error;
  }
}

function note(dataDirectory: string, record: Parameters<typeof writeBackupRecord>[1]): void {
  try {
    writeBackupRecord(dataDirectory, record);
  } catch {
    // A full data disk takes nothing from a backup that is safe elsewhere.
  }
}

/** Never removes the one just made: if the clock was set back, its name is not the last. */
function removeOldest(made: string, keep: number): readonly string[] {
  const folder = dirname(made);
  const others = readdirSync(folder).filter((name) => backupTime(name) !== null && name !== basename(made));
  const removed = others.toSorted().slice(0, Math.max(0, others.length + 1 - keep));
  for (const name of removed)
    for (const file of [name, checksumFile(name)]) rmSync(join(folder, file), { force: true });
  return removed;
}
