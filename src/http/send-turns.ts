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

/** How long requests may hold the main thread in one turn of the event loop before the others wait, in milliseconds. */
const MOST_MS = 8;

/** Shares out the time of the main thread between requests: a burst of one client is worked off while others are served. */
type RequestTurns = {
  /** Takes part of this turn, or waits until it is the client's turn; undefined if there is no wait. */
  readonly take: (client: string) => Promise<void> | undefined;
};

export function createRequestTurns(): RequestTurns {
  const waiting = new Map<string, (() => void)[]>();
  let startedAt = 0;
  let isScheduled = false;

  const letIn = (): void => {
    const [client, requests] = waiting.entries().next().value ?? [];
    if (client === undefined || requests === undefined) return;
    requests.shift()?.();
    // The next of the same client comes after one of each other.
    waiting.delete(client);
    if (requests.length > 0) waiting.set(client, requests);
  };
  const schedule = (): void => {
    startedAt = performance.now();
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      letIn();
      if (waiting.size > 0) schedule();
    });
  };

  return {
    take(client) {
      if (!isScheduled) schedule();
      if (waiting.size === 0 && performance.now() - startedAt < MOST_MS) return undefined;
      return new Promise((resolve) => {
        const requests = waiting.get(client);
        if (requests === undefined) waiting.set(client, [resolve]);
        else requests.push(resolve);
      });
    },
  };
}
