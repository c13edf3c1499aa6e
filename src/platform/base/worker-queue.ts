/** Starts a Worker. It must send 'ready' once it is loaded, and then an `Answer` to each job. */
export type StartWorker = () => Worker;

type Answer = 'ready' | { readonly result?: unknown; readonly error?: string };

type Waiting = {
  readonly job: object;
  readonly limit: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
};

export class RenderCut extends Error {}

/**
 * Runs jobs in at most `size` Workers. A Worker is started when a job needs it, and ended after `idle` milliseconds without a
 * job. If a job takes longer than its time limit, its Worker is ended and the job is rejected with RenderCut.
 */
export function createWorkers(start: StartWorker, idle: number, size = 1) {
  const waiting: Waiting[] = [];
  const started = new Set<{ readonly wake: () => boolean; readonly end: () => void }>();

  const next = (): void => {
    if (waiting.length === 0) return;
    for (const one of started) if (one.wake()) return;
    if (started.size < size) open();
  };
  const open = (): void => {
    const worker = start();
    let current = waiting.shift();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (): void => {
      clearTimeout(timer);
      started.delete(own);
      worker.terminate();
    };
    const fail = (error: Error): void => {
      if (!started.has(own)) return;
      end();
      current?.reject(error);
      next();
    };
    const begin = (): void => {
      clearTimeout(timer);
      if (current === undefined && idle === 0) return end();
      if (current === undefined) return void (timer = setTimeout(end, idle).unref());
      const { job, limit } = current;
      if (limit < Infinity) timer = setTimeout(() => fail(new RenderCut('Rendering took too long')), limit);
      worker.postMessage(job);
    };
    const own = {
      end,
      wake(): boolean {
        if (current !== undefined) return false;
        current = waiting.shift();
        begin();
        return true;
      },
    };
    started.add(own);
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (!started.has(own)) return;
      if (data !== 'ready') {
        if (data.error === undefined) current?.resolve(data.result);
        else current?.reject(new Error(data.error));
        current = waiting.shift();
      }
      // The time limit begins here and not at the start of the Worker, which may load slowly on a busy machine.
      begin();
    };
    worker.onerror = ({ message }) => fail(new Error(`The Worker ended: ${message}`));
  };

  return {
    run: (job: object, limit = Infinity) =>
      new Promise<unknown>((resolve, reject) => {
        waiting.push({ job, limit, resolve, reject });
        next();
      }),
    close(): void {
      // The promises of waiting and running jobs are never settled: the server stops, which is no failure of these jobs.
      waiting.length = 0;
      for (const { end } of started) end();
    },
  };
}

/** The time limit of one job, and how long a Worker without a job is kept, in milliseconds. */
export type RenderTimes = { readonly limit: number; readonly idle: number };

const TIMES: RenderTimes = { limit: 850, idle: 10_000 };

export function createJobQueue(start: StartWorker, times: RenderTimes = TIMES) {
  const { run, close } = createWorkers(start, times.idle);
  return { run: (job: object, limit = times.limit) => run(job, limit), close };
}
