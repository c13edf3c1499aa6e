/** The Worker that owns the one writing connection. Requests that wait together share a commit. */
import type { Database } from 'bun:sqlite';
import { Refusal } from '../refusal.ts';
import { openForWriting } from './database.ts';
import { createWrites, type WriteName } from './writes.ts';

export type WriterRequest =
  | { readonly type: 'open'; readonly file: string }
  | { readonly type: 'write'; readonly id: number; readonly name: WriteName; readonly argument: unknown }
  | { readonly type: 'close' };

export type WriterReply =
  | { readonly type: 'opened' }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'written'; readonly results: readonly WriteReply[] }
  | { readonly type: 'closed' };

export type WriteReply = { readonly id: number; readonly result: unknown; readonly error: string | null };

type Write = Extract<WriterRequest, { type: 'write' }>;
type Run = (argument: unknown) => unknown;

declare const self: Worker;
const waiting: Write[] = [];
let db: Database | null = null;
let writes: Readonly<Record<string, Run>> = {};

self.onmessage = (event: MessageEvent<WriterRequest>) => {
  const request = event.data;
  if (request.type === 'write') {
    waiting.push(request);
    // The messages that already lie in the mailbox are delivered first, and join this commit.
    if (waiting.length === 1) setImmediate(commitWaiting);
  } else if (request.type === 'open') open(request.file);
  else close();
};

function open(file: string): void {
  try {
    db = openForWriting(file);
    writes = createWrites(db) as Readonly<Record<string, Run>>;
    reply({ type: 'opened' });
  } catch (error) {
    reply({
      type: 'refused',
      message: error instanceof Refusal ? error.message : `Cannot open "${file}": ${describe(error)}`,
    });
  }
}

function commitWaiting(): void {
  const batch = waiting.splice(0);
  if (db === null || batch.length === 0) return;
  let results: readonly WriteReply[];
  try {
    db.run('BEGIN IMMEDIATE');
    results = batch.map(runWrite);
    db.run('COMMIT');
  } catch (error) {
    if (db.inTransaction) db.run('ROLLBACK');
    results = batch.map(({ id }) => ({ id, result: null, error: describe(error) }));
  }
  reply({ type: 'written', results });
}

/** One write in a savepoint of its own, so that a failing neighbour takes nothing with it. */
function runWrite({ id, name, argument }: Write): WriteReply {
  db?.run('SAVEPOINT one');
  try {
    const result = writes[name]?.(argument);
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
  return error instanceof Error ? error.message : String(error);
}
