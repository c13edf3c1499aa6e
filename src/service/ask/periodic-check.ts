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
  let checkedAt = performance.now();
  let interrupt = (): void => {};
  const onInterrupt = (): void => interrupt();
  const timer = setInterval(onInterrupt, INTERVAL);
  signal.addEventListener('abort', onInterrupt);
  // A race with a promise that lives as long as the stream would keep every event in memory.
  const orInterrupt = <Value>(promise: Promise<Value>): Promise<Value | 'interrupted'> =>
    new Promise((resolve, reject) => {
      interrupt = () => resolve('interrupted');
      promise.then(resolve, reject);
    });
  try {
    let next = events.next();
    while (!signal.aborted) {
      const result = await orInterrupt(next);
      if (signal.aborted) return;
      if (performance.now() - checkedAt >= INTERVAL * 0.9) {
        checkedAt = performance.now();
        await check();
      }
      if (result === 'interrupted') continue;
      if (result.done === true) return;
      yield result.value;
      next = events.next();
    }
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', onInterrupt);
    // Not awaited, since a source that hangs must not keep the answer's log row open.
    void events.return?.()?.catch(() => {});
  }
}
