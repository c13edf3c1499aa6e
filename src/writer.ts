/** The Worker with the only connection that writes. Requests that arrive together share one commit. */
import type { Database } from 'bun:sqlite';
import { messageOf, Refusal } from './platform/base/refusal.ts';
import { isSqliteError } from './platform/store/copy.ts';
import { migrations, openForWriting } from './platform/store/database.ts';
import { statementsOf } from './platform/store/statements.ts';
import type { WriterReply, WriterRequest } from './platform/store/write-queue.ts';
import { createWrites } from './writes.ts';

/** How long to wait for another process that holds the write lock, in milliseconds. */
const PATIENCE = 5000;

type Run = (argument: unknown) => unknown;

declare const self: Worker;
const waiting: WriterRequest[] = [];
/** The connection; null before the first batch, and after `recover` closed it. The next batch then opens a new one. */
let db: Database | null = null;
const writes = createWrites(statementsOf(() => db ?? fail())) as Readonly<Record<string, Run>>;

self.onmessage = ({ data }: MessageEvent<WriterRequest>) => {
  waiting.push(data);
  // Other messages that have arrived already are handled before this runs, and join the same commit.
  if (waiting.length === 1) setImmediate(answerWaiting);
};

function fail(): never {
  throw new Error('The database is not open');
}

function answerWaiting(): void {
  const batch = waiting.splice(0);
  const replies = commit(batch);
  if (batch.at(-1)?.name === 'close') close();
  self.postMessage(replies);
}

function connect(file: string): Database {
  try {
    db = openForWriting(file);
    db.run('PRAGMA busy_timeout = 1');
    return db;
  } catch (error) {
    throw error instanceof Refusal ? error : Refusal.storage(`Cannot open "${file}": ${messageOf(error)}`);
  }
}

function commit(batch: readonly WriterRequest[]): readonly WriterReply[] {
  try {
    const connection = db ?? connect(batch[0]?.file ?? '');
    if (!batch.some(({ name }) => name in writes))
      return batch.map(({ id }) => ({ id, result: null, error: null }));
    begin(connection);
    const replies = batch.map((request) => runWrite(connection, request));
    connection.run('COMMIT');
    return replies;
  } catch (error) {
    recover(error);
    return batch.map(({ id }) => ({ id, result: null, error: messageOf(error) }));
  }
}

/**
 * Begins a transaction, and tries every millisecond to get the write lock. SQLite's own waiting tries less and less
 * often, at last every 100 ms: too late for a download's row when a few commands are writing.
 */
function begin(connection: Database): void {
  for (const end = performance.now() + PATIENCE; ;) {
    try {
      return void connection.run('BEGIN IMMEDIATE');
    } catch (error) {
      const isBusy = isSqliteError(error) && error.code.startsWith('SQLITE_BUSY');
      if (!isBusy || performance.now() > end) throw error;
    }
  }
}

function recover(error: unknown): void {
  const code = isSqliteError(error) ? error.code : '';
  try {
    if (db?.inTransaction) db.run('ROLLBACK');
    // A commit that could not be synced is complete in the write-ahead log, and would come back after a crash. So an empty
    // commit overwrites it there, synced or not (https://sqlite.org/walformat.html#recovery).
    if (code === 'SQLITE_IOERR_FSYNC')
      db?.run(`BEGIN IMMEDIATE; PRAGMA user_version = ${migrations.length}; COMMIT`);
    // A connection that was opened on a read-only file system stays read-only, so it is replaced.
    if (code !== 'SQLITE_READONLY') return;
  } catch {
    // The connection is closed below, and the next batch opens another.
  }
  db?.close();
  db = null;
}

/** Runs one write in its own savepoint, so that the batch's other writes stay if it fails. */
function runWrite(connection: Database, { id, name, ...sent }: WriterRequest): WriterReply {
  connection.run('SAVEPOINT one');
  try {
    const result = writes[name]?.('text' in sent ? JSON.parse(sent.text) : sent.argument);
    connection.run('RELEASE one');
    return { id, result, error: null };
  } catch (error) {
    // SQLite rolled back the whole transaction, as on a full disk, so nothing of the batch was written.
    if (!connection.inTransaction) throw error;
    connection.run('ROLLBACK TO one');
    connection.run('RELEASE one');
    return { id, result: null, error: messageOf(error) };
  }
}

function close(): void {
  try {
    // Does not wait for readers: the checkpoint would hold the write lock until the last reading process is done.
    db?.run('PRAGMA busy_timeout = 0');
    db?.run('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Even without the checkpoint every confirmed write is safe in the log, which the next start reads.
  } finally {
    db?.close();
    db = null;
  }
}
