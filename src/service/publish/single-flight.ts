/**
 * Runs one at a time. Calls during a run share one further run, since the running one may have already passed the place
 * that changed.
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
