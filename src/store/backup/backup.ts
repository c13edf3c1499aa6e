import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Refusal } from '../../refusal.ts';
import { replaceFileSync } from '../../replace-file.ts';
import { workerUrl } from '../../worker.ts';
import { backupName, backupTime, copyDatabase, type DatabaseProof, refuseTaken } from '../copy/copy.ts';
import { migrations } from '../database/migrations.ts';
import { syncFolder } from '../lock/data-directory.ts';

/**
 * The data to back up, and the target: a file, or a folder in which backups are named by their time (`at`, in
 * milliseconds since 1970) and all but the newest `keep` are removed; null removes none.
 */
export type BackupJob = {
  readonly dataDirectory: string;
  readonly at: number;
  readonly to: { readonly file: string } | { readonly folder: string; readonly keep: number | null };
};

/** What the Worker answers. */
export type BackupReply = { readonly backup: Backup } | { readonly refusal: string };

/** A verified backup, and the names of the older ones that were removed for it. */
export type Backup = DatabaseProof & { readonly path: string; readonly removed: readonly string[] };

/** Makes one backup in a Worker of its own, while others read and write the database. `signal` abandons it. */
export async function runBackup(job: BackupJob, signal?: AbortSignal): Promise<Backup> {
  const worker = new Worker(workerUrl('store/backup/backup-worker'));
  const { promise, resolve, reject } = Promise.withResolvers<BackupReply>();
  const abandon = (): void => reject(unavailable('Cannot end the backup: the server stops'));
  worker.onmessage = ({ data }: MessageEvent<BackupReply>) => resolve(data);
  worker.onerror = ({ message }) => reject(unavailable(`Cannot back up: the Worker ended, ${message}`));
  signal?.addEventListener('abort', abandon, { once: true });
  worker.postMessage(job);
  try {
    const reply = await promise;
    if ('backup' in reply) return reply.backup;
    throw unavailable(reply.refusal);
  } finally {
    signal?.removeEventListener('abort', abandon);
    worker.terminate();
  }
}

function unavailable(sentence: string): Refusal {
  return new Refusal('storage-unavailable', sentence);
}

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

function note(dataDirectory: string, record: BackupRecord): void {
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

/** The newest verified backup: `at` in ISO 8601 UTC, `bytes` of the file at `path`, `sha256` in lower-case hex. */
interface BackupRecord {
  readonly at: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The newest verified backup of a data directory; null if none was made, or its note cannot be read. */
export function readBackupRecord(dataDirectory: string): BackupRecord | null {
  try {
    const recorded: unknown = JSON.parse(readFileSync(recordFile(dataDirectory), 'utf8'));
    return isBackupRecord(recorded) ? recorded : null;
  } catch {
    return null;
  }
}

/** Writes a note of a verified backup. */
export function writeBackupRecord(dataDirectory: string, record: BackupRecord): void {
  replaceFileSync(recordFile(dataDirectory), `${JSON.stringify(record)}\n`);
}

function isBackupRecord(recorded: unknown): recorded is BackupRecord {
  const { at, path, bytes, sha256 } = Object(recorded) as Record<keyof BackupRecord, unknown>;
  const areTexts = typeof at === 'string' && typeof path === 'string' && typeof sha256 === 'string';
  return areTexts && typeof bytes === 'number' && !Number.isNaN(Date.parse(at));
}

function recordFile(dataDirectory: string): string {
  return join(dataDirectory, 'backup.json');
}
