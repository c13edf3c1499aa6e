/** Bytes that all answers together hand to the kernel in one turn of the event loop: about a millisecond of copying. */
const PER_TURN = 2 * 1024 * 1024;

/** Shares out the time of the main thread: without it a crowd that asks at once is served in one piece, and all others wait. */
type SendTurns = {
  /** Takes `bytes` of this turn, or waits for a turn that has room; undefined if there is no wait. */
  readonly take: (bytes: number) => Promise<void> | undefined;
};

type Waiting = { readonly bytes: number; readonly resolve: () => void };

export function createSendTurns(): SendTurns {
  const waiting: Waiting[] = [];
  let left = PER_TURN;
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      left = PER_TURN;
      while (left > 0 && waiting.length > 0) {
        const { bytes, resolve } = waiting.shift()!;
        left -= bytes;
        resolve();
      }
      if (waiting.length > 0) schedule();
    });
  };

  return {
    take(bytes) {
      schedule();
      const cost = Math.min(bytes, PER_TURN);
      if (left > 0 && waiting.length === 0) {
        left -= cost;
        return undefined;
      }
      return new Promise((resolve) => waiting.push({ bytes: cost, resolve }));
    },
  };
}
