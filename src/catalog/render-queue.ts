import type { RenderJob, RenderResult } from './page-file.ts';

/** Starts the Worker that renders. */
export type StartRenderer = () => Worker;

/** The longest a job may take and how long an idle renderer is kept, in milliseconds. */
export type RenderTimes = { readonly limit: number; readonly idle: number };

const TIMES: RenderTimes = { limit: 850, idle: 10_000 };

/** Thrown where a job was cut because it took too long. */
export class RenderCut extends Error {}

/** The answer to a job; one of another kind than the reading pages' and covers' is known to who asks. */
type ResultOf<Job> = Job extends RenderJob ? RenderResult<Job> : unknown;

type Waiting = {
  readonly job: object;
  readonly limit: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
};

/**
 * Renders one text after the other in a Worker, which is started when it is needed and ended when it is idle. A job that
 * takes too long ends the Worker and is refused with RenderCut; the next job gets a new one.
 */
export function createRenderQueue<Known extends object = RenderJob>(
  start: StartRenderer,
  times: RenderTimes = TIMES,
) {
  const waiting: Waiting[] = [];
  let worker: Worker | null = null;
  let current: Waiting | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const stop = (): void => {
    clearTimeout(timer);
    worker?.terminate();
    worker = null;
  };
  const fail = (error: Error): void => {
    const job = current;
    current = null;
    stop();
    job?.reject(error);
    next();
  };
  const done = (data: { readonly result?: unknown; readonly error?: string }): void => {
    const job = current;
    current = null;
    clearTimeout(timer);
    if (data.error === undefined) job?.resolve(data.result);
    else job?.reject(new Error(data.error));
    next();
  };
  const open = (): Worker => {
    const started = start();
    started.onmessage = ({ data }: MessageEvent<{ result?: unknown; error?: string } | 'ready'>) => {
      if (started !== worker) return;
      // The limit is the job's own: loading the renderer on a busy machine is not.
      if (data === 'ready') return begin();
      done(data);
    };
    started.onerror = ({ message }) => {
      if (started === worker) fail(new Error(`The renderer ended: ${message}`));
    };
    return started;
  };
  const begin = (): void => {
    if (current === null || worker === null) return;
    timer = setTimeout(() => fail(new RenderCut('Rendering took too long')), current.limit);
    worker.postMessage(current.job);
  };
  const next = (): void => {
    if (current !== null) return;
    current = waiting.shift() ?? null;
    clearTimeout(timer);
    if (current === null) {
      timer = setTimeout(stop, times.idle);
      timer.unref();
    } else if (worker === null) worker = open();
    else begin();
  };

  return {
    run: <Job extends Known>(job: Job, limit = times.limit) =>
      new Promise<ResultOf<Job>>((resolve, reject) => {
        waiting.push({ job, limit, resolve: resolve as (result: unknown) => void, reject });
        next();
      }),
    close(): void {
      waiting.length = 0;
      current = null;
      stop();
    },
  };
}
