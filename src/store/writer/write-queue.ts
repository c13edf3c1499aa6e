import { Refusal } from '../../refusal.ts';
import { workerUrl } from '../../worker.ts';
import type { WriterReply, WriterRequest } from './writer.ts';
import type { Writes } from './writes.ts';

type Waiter = { resolve(result: unknown): void; reject(error: Refusal): void };

/** The writes of `writes.ts`: each resolves when it is on disk; refused with STORAGE_UNAVAILABLE if it cannot be, and then none of it is. */
export type Write = {
  readonly [Name in keyof Writes]: (...row: Parameters<Writes[Name]>) => Promise<ReturnType<Writes[Name]>>;
};

type WriteQueue = { readonly write: Write; open(): Promise<void>; close(): Promise<void> };

/**
 * The queue of writes to a database file. `open` starts the writer's Worker and waits until the file is migrated; it refuses
 * what `openForWriting` refuses. Without it, and after the Worker ended, the next write starts one. `written` is called before
 * a write resolves.
 */
export function createWriteQueue(file: string, written: () => void = () => {}): WriteQueue {
  const waiters = new Map<number, Waiter>();
  let nextId = 0;
  let worker: Worker | null = null;

  function startWriter(): Worker {
    const started = new Worker(workerUrl('store/writer/writer'));
    started.onmessage = ({ data }: MessageEvent<readonly WriterReply[]>) => data.forEach(settle);
    started.onerror = (event) => {
      worker = null;
      for (const waiter of waiters.values()) waiter.reject(unavailable(`the writer ended, ${event.message}`));
      waiters.clear();
    };
    return started;
  }

  function settle({ id, result, error }: WriterReply): void {
    const waiter = waiters.get(id);
    waiters.delete(id);
    if (error === null) waiter?.resolve(result);
    else waiter?.reject(error.startsWith('Cannot ') ? refused(error) : unavailable(error));
  }

  function send(name: WriterRequest['name'], argument: unknown = null): Promise<unknown> {
    worker ??= startWriter();
    const id = nextId++;
    const answered = new Promise<unknown>((resolve, reject) => waiters.set(id, { resolve, reject }));
    const sent = name === 'publishItems' ? { text: JSON.stringify(argument) } : { argument };
    worker.postMessage({ file, id, name, ...sent } satisfies WriterRequest);
    return answered;
  }

  /** A Worker would keep the process from ending. */
  function end(): void {
    worker?.terminate();
    worker = null;
  }

  return {
    async open() {
      await send('open').catch((error: unknown) => {
        end();
        throw error;
      });
    },
    write: new Proxy({} as Write, {
      get: (_, name) => async (row: unknown) => {
        const result = await send(name as keyof Writes, row);
        written();
        return result;
      },
    }),
    async close() {
      const late = new Promise((resolve) => setTimeout(resolve, 10_000).unref());
      if (worker !== null) await Promise.race([send('close').catch(() => {}), late]);
      end();
    },
  };
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
