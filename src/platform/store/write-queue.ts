import { Refusal } from '../base/refusal.ts';
import { workerUrl } from '../base/runtime.ts';

/**
 * A request to write to a file. `name` is that of a write, `open` (answered when the file is open), or `close`, the last
 * request.
 */
export type WriterRequest = {
  readonly file: string;
  readonly id: number;
  readonly name: string;
} & Argument;

/**
 * A write's argument, or its JSON: to copy ten thousand objects to the Worker takes 20 to 45 ms, to copy their text less than
 * one.
 */
type Argument = { readonly argument: unknown } | { readonly text: string };

/** The reply to one request. Those of a batch are sent together. */
export type WriterReply = { readonly id: number; readonly result: unknown; readonly error: string | null };

type Waiter = { resolve(result: unknown): void; reject(error: Refusal): void };

/**
 * The writes of `writes.ts`, as promises. Each resolves when its change is on disk. If it fails, it rejects with the refusal
 * `storage-unavailable`; unless the Worker crashed, nothing has changed.
 */
export type Write<Writes> = {
  readonly [Name in keyof Writes]: Writes[Name] extends (...row: infer Row) => infer Result
    ? (...row: Row) => Promise<Result>
    : never;
};

type WriteQueue<Writes> = { readonly write: Write<Writes>; open(): Promise<void>; close(): Promise<void> };

/**
 * Makes the queue of writes to a database file. `open` starts the Worker that writes and waits until the file is migrated; it
 * refuses whatever `openForWriting` refuses. If no Worker runs, the next write starts one. `written` is called before a write
 * resolves.
 */
export function createWriteQueue<Writes extends object>(
  file: string,
  written: () => void = () => {},
): WriteQueue<Writes> {
  const waiters = new Map<number, Waiter>();
  let nextId = 0;
  let worker: Worker | null = null;

  function startWriter(): Worker {
    const started = new Worker(workerUrl('writer'));
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
    else waiter?.reject(error.startsWith('Cannot ') ? Refusal.storage(error, 5) : unavailable(error));
  }

  function send(name: WriterRequest['name'], argument: unknown = null): Promise<unknown> {
    worker ??= startWriter();
    const id = nextId++;
    const answered = new Promise<unknown>((resolve, reject) => waiters.set(id, { resolve, reject }));
    const sent = name === 'publishItems' ? { text: JSON.stringify(argument) } : { argument };
    worker.postMessage({ file, id, name, ...sent } satisfies WriterRequest);
    return answered;
  }

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
    write: new Proxy({} as Write<Writes>, {
      get: (_, name) => async (row: unknown) => {
        const result = await send(String(name), row);
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

const unavailable = (reason: string): Refusal =>
  Refusal.storage(
    `Cannot write to the database: ${reason}; free disk space or check permissions, then try again`,
    5,
  );

/**
 * Makes a queue that writes rows later, so that no request waits for the disk. Put a row into `waiting` under a name and call
 * `begin`: after `delay` milliseconds, `write` gets all rows.
 */
export function createWriteBehind<Row>(delay: number, write: (rows: readonly Row[]) => Promise<void>) {
  let waiting = new Map<string, Row>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastBatch: Promise<void> = Promise.resolve();

  /** Writes all waiting rows. Resolves when they are written; if there are none, when the rows of the last flush are. */
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const rows = [...waiting.values()];
    waiting = new Map();
    if (rows.length > 0) lastBatch = write(rows);
    return lastBatch;
  };

  return {
    waiting: (): Map<string, Row> => waiting,
    begin: (): void => void (timer ??= setTimeout(() => void flush(), delay)),
    flush,
  };
}
