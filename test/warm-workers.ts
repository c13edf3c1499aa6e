import { afterAll } from 'bun:test';

/** So many Workers wait for another use at most. */
const MOST_IDLE = 4;

/**
 * Makes a function that starts a Worker of a file below `src`, or takes one that another stall of this test file has ended:
 * importing the sources costs far more than a job. One that is ended in the middle of a job is really ended.
 */
export function createWarmWorkers(path: string): () => Worker {
  const idle: Worker[] = [];
  let most = MOST_IDLE;
  const endAll = (): void => {
    most = 0;
    for (const worker of idle.splice(0)) worker.terminate();
  };
  try {
    afterAll(endAll);
  } catch {
    // A bench takes fixtures from the harness, outside of the test runner, and starts no Worker of it.
  }
  const end = (worker: Worker, isBusy: boolean): void => {
    if (isBusy || idle.length >= most) worker.terminate();
    else idle.push(worker);
  };
  return () => {
    const worker = idle.pop() ?? new Worker(new URL(`../src/${path}.ts`, import.meta.url));
    let jobs = 0;
    let isEnded = false;
    const terminate = (): void => {
      if (!isEnded) end(worker, jobs > 0);
      isEnded = true;
    };
    return new Proxy(worker, {
      get(_, key) {
        if (key === 'postMessage') return (message: unknown) => (jobs++, worker.postMessage(message));
        if (key === 'terminate') return terminate;
        return Reflect.get(worker, key, worker);
      },
      set(_, key, value) {
        const listen = value as (event: MessageEvent) => void;
        if (key === 'onmessage') worker.onmessage = (event) => (jobs--, listen(event));
        else Reflect.set(worker, key, value, worker);
        return true;
      },
    });
  };
}
