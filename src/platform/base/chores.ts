import { messageOf } from './refusal.ts';

/**
 * Runs `act` every `every` milliseconds (null: never), and whenever `run` is called. Runs never overlap. If a run fails, `fail`
 * gets the reason, and the next run tries again.
 */
export function startChore(every: number | null, act: () => Promise<void>, fail: (reason: string) => void) {
  const flight = singleFlight(() => act().catch((error: unknown) => fail(messageOf(error))));
  let last = Promise.resolve();
  const run = (): Promise<void> => (last = flight.call());
  const timer = every === null ? undefined : setInterval(() => void run(), every);
  timer?.unref();
  return {
    run,
    settled: (): Promise<void> => last,
    close: (): void => clearInterval(timer),
  };
}

/**
 * Makes a function whose runs never overlap. Calls during a run share one run after it, since the active run may have missed
 * the change that they are about.
 */
export function singleFlight<T>(run: () => Promise<T>): {
  readonly call: () => Promise<T>;
  readonly isIdle: () => boolean;
} {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;

  const start = (): Promise<T> => {
    running = run().finally(() => (running = null));
    return running;
  };
  const call = (): Promise<T> => {
    if (running === null) return start();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null;
        return start();
      });
    return next;
  };
  return { call, isIdle: () => running === null && next === null };
}
