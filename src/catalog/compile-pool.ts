import type { RefreshJob, Refreshed } from './refresh.ts';

/** What a pool needs of a compiler: a Worker that answers each job with one Refreshed. */
export type StartCompiler = () => Worker;

type Waiting = {
  readonly job: RefreshJob;
  readonly resolve: (refreshed: Refreshed) => void;
  readonly reject: (error: Error) => void;
};

/** Compiles items in Workers, one job each at a time, started when first needed and ended when nothing waits. */
export function createCompilePool(start: StartCompiler, size: number) {
  const waiting: Waiting[] = [];
  const workers = new Set<Worker>();

  const employ = (worker: Worker): void => {
    const next = waiting.shift();
    if (next === undefined) return dismiss(worker);
    worker.onmessage = ({ data }: MessageEvent<Refreshed>) => {
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

  return {
    /** Kept when the item is compiled; broken only where the compiler itself died. */
    compile(job: RefreshJob): Promise<Refreshed> {
      return new Promise((resolve, reject) => {
        waiting.push({ job, resolve, reject });
        staff();
      });
    },
    close(): void {
      workers.forEach(dismiss);
    },
  };
}

export type CompilePool = ReturnType<typeof createCompilePool>;
