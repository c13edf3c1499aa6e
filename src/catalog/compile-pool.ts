import type { Limits } from '../item/limit.ts';
import type { InspectedItem, ItemFolder } from './scan.ts';
import type { Refreshed, RefreshJob } from './catalog.ts';
import type { Restoration } from './refresh.ts';

/** A job for a compiler: an item to bring up to date, a kept edition to compile again, or an item to inspect only. */
export type CompilerJob =
  | { readonly task: 'refresh'; readonly job: RefreshJob }
  | { readonly task: 'restore'; readonly job: RefreshJob; readonly from: Restoration }
  | { readonly task: 'inspect'; readonly item: ItemFolder; readonly limits: Limits };

/** Starts a Worker that answers each job with one result. */
export type StartCompiler = () => Worker;

type Waiting = {
  readonly job: CompilerJob;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
};

/** Inspects and compiles items in Workers, which start when they are needed and end when the queue is empty. */
export function createCompilePool(start: StartCompiler, size: number) {
  const waiting: Waiting[] = [];
  const workers = new Set<Worker>();

  const assign = (worker: Worker): void => {
    const next = waiting.shift();
    if (next === undefined) return stop(worker);
    worker.onmessage = ({ data }: MessageEvent<unknown>) => {
      next.resolve(data);
      assign(worker);
    };
    worker.onerror = (event) => {
      next.reject(new Error(`The compiler ended: ${event.message}`));
      stop(worker);
      startWorkers();
    };
    worker.postMessage(next.job);
  };
  const stop = (worker: Worker): void => {
    workers.delete(worker);
    worker.terminate();
  };
  const startWorkers = (): void => {
    while (workers.size < Math.min(size, waiting.length + workers.size)) {
      const worker = start();
      workers.add(worker);
      assign(worker);
    }
  };

  const run = (job: CompilerJob): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.push({ job, resolve, reject });
      startWorkers();
    });

  return {
    /** Rejects only if the compiler itself died. */
    compile: (job: RefreshJob) => run({ task: 'refresh', job }) as Promise<Refreshed>,
    /** Compiles a kept edition; of `job`, its directory and limits count. */
    restore: (job: RefreshJob, from: Restoration) =>
      run({ task: 'restore', job, from }) as Promise<Refreshed>,
    /** Writes nothing. */
    inspect: (item: ItemFolder, limits: Limits) =>
      run({ task: 'inspect', item, limits }) as Promise<InspectedItem>,
    close(): void {
      // Left unsettled: items that still wait when the server stops have no problem.
      waiting.length = 0;
      workers.forEach(stop);
    },
  };
}

export type CompilePool = ReturnType<typeof createCompilePool>;
