/** The Worker that owns the one writing connection. Requests that wait together share a commit. */
import type { Database } from 'bun:sqlite';
import { messageOf, Refusal } from '../../refusal.ts';
import { openForWriting } from '../database/database.ts';
import { prepareLazily } from '../database/lazy-statements.ts';
import { createWrites, type WriteName } from './writes.ts';

export type WriterRequest =
  | { readonly type: 'open'; readonly file: string }
  | ({ readonly type: 'write'; readonly id: number; readonly name: WriteName } & Argument)
  | { readonly type: 'close' };

/** As it is, or as JSON: Bun copies ten thousand objects in 20 to 45 ms, and their text in less than one. */
type Argument = { readonly argument: unknown } | { readonly text: string };

export type WriterReply =
  | { readonly type: 'opened' }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'written'; readonly results: readonly WriteReply[] }
  | { readonly type: 'closed' };

export type WriteReply = { readonly id: number; readonly result: unknown; readonly error: string | null };

/** How long another process may hold the write lock, in milliseconds. */
const PATIENCE = 5000;

type Write = Extract<WriterRequest, { type: 'write' }>;
type Run = (argument: unknown) => unknown;

declare const self: Worker;
const waiting: Write[] = [];
let file = '';
/** Null before it is opened, and after an I/O error left the last one in an unknown state: the next batch opens another. */
let db: Database | null = null;
let writes: Readonly<Record<string, Run>> = {};

self.onmessage = (event: MessageEvent<WriterRequest>) => {
  const request = event.data;
  if (request.type === 'write') {
    waiting.push(request);
    // The messages that are already in the mailbox are delivered first, and join this commit.
    if (waiting.length === 1) setImmediate(commitWaiting);
  } else if (request.type === 'open') {
    file = request.file;
    open();
  } else close();
};

function open(): void {
  try {
    connect();
    reply({ type: 'opened' });
  } catch (error) {
    reply({
      type: 'refused',
      message: error instanceof Refusal ? error.message : `Cannot open "${file}": ${describe(error)}`,
    });
  }
}

function connect(): Database {
  const opened = openForWriting(file);
  opened.run('PRAGMA busy_timeout = 1');
  writes = createWrites(prepareLazily(opened)) as Readonly<Record<string, Run>>;
  db = opened;
  return opened;
}

function commitWaiting(): void {
  const batch = waiting.splice(0);
  if (batch.length > 0) reply({ type: 'written', results: commit(batch) });
}

function commit(batch: readonly Write[]): readonly WriteReply[] {
  try {
    const connection = db ?? connect();
    begin(connection);
    const results = batch.map(runWrite);
    connection.run('COMMIT');
    return results;
  } catch (error) {
    recover(error);
    return batch.map(({ id }) => ({ id, result: null, error: describe(error) }));
  }
}

/**
 * Looks for the write lock every millisecond. SQLite itself looks ever more seldom, at last every 100 ms, and behind a few
 * busy commands that is when a download's row is due.
 */
function begin(connection: Database): void {
  for (const end = performance.now() + PATIENCE; ;) {
    try {
      return void connection.run('BEGIN IMMEDIATE');
    } catch (error) {
      const isBusy =
        error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
      if (!isBusy || performance.now() > end) throw error;
    }
  }
}

/** Makes the connection ready for the next batch, and a batch that was refused stay so. */
function recover(error: unknown): void {
  try {
    if (db?.inTransaction) db.run('ROLLBACK');
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'SQLITE_IOERR_FSYNC') effaceRefused();
    // It was opened while the file system was read-only, and would stay so.
    if (code === 'SQLITE_READONLY') throw error;
  } catch {
    db?.close();
    db = null;
  }
}

/**
 * A commit that could not be synced is whole in the write-ahead log, and a crash would bring it back: an empty commit takes
 * its place there, whether or not this one can be synced (https://sqlite.org/walformat.html#recovery).
 */
function effaceRefused(): void {
  const version = Object.values(db?.query<Record<string, number>, []>('PRAGMA user_version').get() ?? {})[0];
  try {
    db?.run('BEGIN IMMEDIATE');
    db?.run(`PRAGMA user_version = ${version}`);
    db?.run('COMMIT');
  } catch {
    if (db?.inTransaction) db.run('ROLLBACK');
  }
}

/** One write in a savepoint of its own, so that a failing neighbour takes nothing with it. */
function runWrite(write: Write): WriteReply {
  const { id, name } = write;
  db?.run('SAVEPOINT one');
  try {
    const result = writes[name]?.('text' in write ? JSON.parse(write.text) : write.argument);
    db?.run('RELEASE one');
    return { id, result, error: null };
  } catch (error) {
    // A full disk rolls back the whole transaction: then none of the batch was written.
    if (!db?.inTransaction) throw error;
    db.run('ROLLBACK TO one');
    db.run('RELEASE one');
    return { id, result: null, error: describe(error) };
  }
}

function close(): void {
  commitWaiting();
  try {
    // Not waited for: it would hold the write lock until the last reader of another process has ended.
    db?.run('PRAGMA busy_timeout = 0');
    db?.run('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Every acknowledged write is synced in the log, which the next start reads.
  } finally {
    db?.close();
    db = null;
    reply({ type: 'closed' });
  }
}

function reply(message: WriterReply): void {
  self.postMessage(message);
}

function describe(error: unknown): string {
  return messageOf(error);
}
