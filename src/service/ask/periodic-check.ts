/** How often an open stream is asked whether it may go on, in milliseconds. */
const INTERVAL = 1000;

/**
 * Passes a stream's events on, and calls `check` at least once a second, also while the stream is silent; what `check`
 * throws ends it. An aborted signal ends it without an error. The source is told to return however it ends.
 */
export async function* withPeriodicCheck<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
  check: () => Promise<void>,
): AsyncGenerator<T> {
  const events = source[Symbol.asyncIterator]();
  const left = new Promise<'left'>((resolve) =>
    signal.addEventListener('abort', () => resolve('left'), { once: true }),
  );
  const tick = createTick();
  try {
    let next = events.next();
    while (!signal.aborted) {
      const happened = await Promise.race([next, left, tick.wait()]);
      if (happened === 'left') return;
      if (tick.isDue()) await check();
      if (happened === 'tick') continue;
      if (happened.done === true) return;
      yield happened.value;
      next = events.next();
    }
  } finally {
    tick.stop();
    // Not awaited: a source that hangs must not keep the answer's log row open.
    void events.return?.()?.catch(() => {});
  }
}

/** A clock that strikes once an interval, however often it is waited for. */
function createTick() {
  let struckAt = performance.now();
  let resolve: (tick: 'tick') => void = () => {};
  let waiting = new Promise<'tick'>((done) => (resolve = done));
  const timer = setInterval(() => {
    resolve('tick');
    waiting = new Promise<'tick'>((done) => (resolve = done));
  }, INTERVAL);
  return {
    wait: () => waiting,
    isDue(): boolean {
      const isDue = performance.now() - struckAt >= INTERVAL * 0.9;
      if (isDue) struckAt = performance.now();
      return isDue;
    },
    stop: () => clearInterval(timer),
  };
}
