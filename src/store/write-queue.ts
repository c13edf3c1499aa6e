import { messageOf, Refusal } from '../refusal.ts';
import { workerUrl } from '../runtime.ts';
import type { WriterReply, WriterRequest } from './writer.ts';
import type { Writes } from './writes.ts';
import type { Log } from '../log.ts';
import type { Download } from './tables/logs.ts';

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
    const started = new Worker(workerUrl('store/writer'));
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

/** The most a crash can lose, in milliseconds of downloads. */
const INTERVAL = 100;

/**
 * Write-behind: a download's row waits a tenth of `INTERVAL`, so that no archive waits for a disk and the commit has
 * the rest of it to wait for commands that hold the write lock.
 * Rows that cannot be written are counted and logged; installs continue.
 */
export function createDownloadQueue(write: Pick<Write, 'addDownloads'>, log: Log) {
  let waiting: Download[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  let lost = 0;
  let lastBatch: Promise<void> = Promise.resolve();

  const writeRows = async (rows: readonly Download[]): Promise<void> => {
    try {
      await write.addDownloads(JSON.stringify(rows));
    } catch (error) {
      lost += rows.length;
      const reason = messageOf(error);
      log({ event: 'downloads-lost', message: `Cannot write ${rows.length} downloads: ${reason}`, lost });
    }
  };

  /** Kept when every row added so far is written, those of an earlier flush too, or counted as lost. */
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const rows = waiting;
    waiting = [];
    // The writer keeps their order: the last batch is written last.
    if (rows.length > 0) lastBatch = writeRows(rows);
    return lastBatch;
  };

  return {
    add(download: Download): void {
      waiting.push(download);
      timer ??= setTimeout(() => void flush(), INTERVAL / 10);
    },
    flush,
  };
}

export type DownloadQueue = ReturnType<typeof createDownloadQueue>;
