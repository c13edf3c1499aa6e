import { Refusal } from '../../refusal.ts';
import { workerUrl } from '../../worker.ts';
import type { WriteReply, WriterReply, WriterRequest } from './writer.ts';
import type { WriteArgument, WriteName, WriteResult } from './writes.ts';

/** Writes of thousands of rows. */
const AS_TEXT: ReadonlySet<WriteName> = new Set<WriteName>(['publishItems']);

type Waiter = { resolve(result: unknown): void; reject(error: Refusal): void };

/** Resolves when the write is on disk; refused with STORAGE_UNAVAILABLE if it cannot be written, and then none of it is. */
export type Write = <Name extends WriteName>(
  name: Name,
  argument: WriteArgument<Name>,
) => Promise<WriteResult<Name>>;

/**
 * Starts the writer's Worker over a database file and waits until it is migrated; one that ended is started again by the
 * next write. Refuses what `openForWriting` refuses.
 */
export async function openWriteQueue(file: string): Promise<WriteQueue> {
  const queue = deferWriteQueue(file);
  await queue.open();
  return queue;
}

type WriteQueue = { readonly write: Write; open(): Promise<void>; close(): Promise<void> };

/** The same without a Worker: the first write starts it, and each is refused until the database can be opened. */
export function deferWriteQueue(file: string): WriteQueue {
  const waiters = new Map<number, Waiter>();
  let nextId = 0;
  let worker: Worker | null = null;

  function startWriter(): Worker {
    const started = new Worker(workerUrl('store/writer/writer'));
    started.onmessage = (event: MessageEvent<WriterReply>) => {
      if (event.data.type === 'written') event.data.results.forEach(settle);
    };
    started.onerror = (event) => {
      worker = null;
      for (const waiter of waiters.values()) waiter.reject(unavailable(`the writer ended, ${event.message}`));
      waiters.clear();
    };
    return started;
  }

  /** Its writes wait for the opening; if that is refused, each of them is refused with the reason. */
  function startAgain(): Worker {
    const started = startWriter();
    started.postMessage({ type: 'open', file } satisfies WriterRequest);
    return started;
  }

  function settle({ id, result, error }: WriteReply): void {
    const waiter = waiters.get(id);
    waiters.delete(id);
    if (error === null) waiter?.resolve(result);
    else waiter?.reject(error.startsWith('Cannot ') ? refused(error) : unavailable(error));
  }

  return {
    async open() {
      const started = (worker = startWriter());
      await request(started, { type: 'open', file }, 'opened').catch((error: unknown) => {
        // Otherwise it would keep the process from ending.
        started.terminate();
        throw error;
      });
    },
    write(name, argument) {
      worker ??= startAgain();
      const id = nextId++;
      const written = new Promise<unknown>((resolve, reject) => waiters.set(id, { resolve, reject }));
      const sent = AS_TEXT.has(name) ? { text: JSON.stringify(argument) } : { argument };
      worker.postMessage({ type: 'write', id, name, ...sent } satisfies WriterRequest);
      return written as Promise<WriteResult<typeof name>>;
    },
    async close() {
      if (worker === null) return;
      await Promise.race([request(worker, { type: 'close' }, 'closed'), Bun.sleep(10_000)]);
      worker?.terminate();
    },
  };
}

function request(worker: Worker, message: WriterRequest, expected: WriterReply['type']): Promise<void> {
  const answered = new Promise<void>((resolve, reject) => {
    const onMessage = ({ data }: MessageEvent<WriterReply>) => {
      if (data.type === 'refused') reject(new Refusal('storage-unavailable', data.message));
      else if (data.type !== expected) return;
      else resolve();
      worker.removeEventListener('message', onMessage);
    };
    worker.addEventListener('message', onMessage);
    worker.addEventListener('error', (event) => reject(new Error(`The writer ended: ${event.message}`)), {
      once: true,
    });
  });
  worker.postMessage(message);
  return answered;
}

/** The refusal of a database that cannot be opened, which says why in a whole sentence. */
function refused(sentence: string): Refusal {
  return new Refusal('storage-unavailable', sentence, 5);
}

function unavailable(reason: string): Refusal {
  return new Refusal(
    'storage-unavailable',
    `Cannot write to the database: ${reason}; free disk space or check permissions, then try again`,
    5,
  );
}
