import type { Limits } from '../item/limit.ts';
import type { InspectedItem } from './inspect.ts';
import type { RefreshJob, Refreshed } from './refresh-job.ts';
import type { ItemFolder } from './scan.ts';

/** What a compiler is given: an item to bring up to date, or one only to be judged. */
export type CompilerJob =
  | { readonly task: 'refresh'; readonly job: RefreshJob }
  | { readonly task: 'inspect'; readonly item: ItemFolder; readonly limits: Limits };

/** What a pool needs of a compiler: a Worker that answers each job with one result. */
export type StartCompiler = () => Worker;

type Waiting = {
  readonly job: CompilerJob;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
};

/** Reads and compiles items in Workers, one job each at a time, started when first needed and ended when nothing waits. */
export function createCompilePool(start: StartCompiler, size: number) {
  const waiting: Waiting[] = [];
  const workers = new Set<Worker>();

  const employ = (worker: Worker): void => {
    const next = waiting.shift();
    if (next === undefined) return dismiss(worker);
    worker.onmessage = ({ data }: MessageEvent<unknown>) => {
      next.resolve(data);
      employ(worker);
    };
    worker.onerror = (event) => {
      next.reject(new Error(`The compiler ended: ${event.message}`));
      dismiss(worker);
      staff();
    };
    worker.postMessage(next.job);
  };
  const dismiss = (worker: Worker): void => {
    workers.delete(worker);
    worker.terminate();
  };
  const staff = (): void => {
    while (workers.size < Math.min(size, waiting.length + workers.size)) {
      const worker = start();
      workers.add(worker);
      employ(worker);
    }
  };

  const run = (job: CompilerJob): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.push({ job, resolve, reject });
      staff();
    });

  return {
    /** Kept when the item is compiled; broken only where the compiler itself died. */
    compile: (job: RefreshJob) => run({ task: 'refresh', job }) as Promise<Refreshed>,
    /** Kept when the item is judged; nothing is written. */
    inspect: (item: ItemFolder, limits: Limits) =>
      run({ task: 'inspect', item, limits }) as Promise<InspectedItem>,
    close(): void {
      // Never answered: a stop in mid-compile is no problem of the items that still wait.
      waiting.length = 0;
      workers.forEach(dismiss);
    },
  };
}

export type CompilePool = ReturnType<typeof createCompilePool>;
