import { messageOf } from '../refusal.ts';

export type Chore = ReturnType<typeof startChore>;

/**
 * Runs `act` when `run` is called, one run after the other, and every so many milliseconds; null is only when called.
 * `fail` is told why a run broke off; the next tries again.
 */
export function startChore(every: number | null, act: () => Promise<void>, fail: (reason: string) => void) {
  let last = Promise.resolve();
  const run = (): Promise<void> => (last = last.then(act).catch((error: unknown) => fail(messageOf(error))));
  const timer = every === null ? undefined : setInterval(() => void run(), every);
  timer?.unref();
  return {
    run,
    /** Resolves when every run that was asked for has ended. */
    settled: (): Promise<void> => last,
    /** No more runs by the clock. */
    close: (): void => clearInterval(timer),
  };
}
