/** Milliseconds between two checks of an open stream. */
const INTERVAL = 1000;

/**
 * Passes on a stream's events and calls `check` at least once a second, even while the stream is silent. An error of
 * `check` ends the stream; an aborted signal ends it without an error. `return` of the source is always called.
 */
export async function* withPeriodicCheck<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
  check: () => Promise<void>,
): AsyncGenerator<T> {
  const events = source[Symbol.asyncIterator]();
  const aborted = new Promise<'aborted'>((resolve) =>
    signal.addEventListener('abort', () => resolve('aborted'), { once: true }),
  );
  const tick = createTick();
  try {
    let next = events.next();
    while (!signal.aborted) {
      const happened = await Promise.race([next, aborted, tick.wait()]);
      if (happened === 'aborted') return;
      if (tick.isDue()) await check();
      if (happened === 'tick') continue;
      if (happened.done === true) return;
      yield happened.value;
      next = events.next();
    }
  } finally {
    tick.stop();
    // Not awaited, since a source that hangs must not keep the answer's log row open.
    void events.return?.()?.catch(() => {});
  }
}

/** A timer that ticks once an interval, however often it is awaited. */
function createTick() {
  let tickedAt = performance.now();
  let resolve: (tick: 'tick') => void = () => {};
  let waiting = new Promise<'tick'>((done) => (resolve = done));
  const timer = setInterval(() => {
    resolve('tick');
    waiting = new Promise<'tick'>((done) => (resolve = done));
  }, INTERVAL);
  return {
    wait: () => waiting,
    isDue(): boolean {
      const isDue = performance.now() - tickedAt >= INTERVAL * 0.9;
      if (isDue) tickedAt = performance.now();
      return isDue;
    },
    stop: () => clearInterval(timer),
  };
}
