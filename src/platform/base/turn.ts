/** A task lets other work run once it has blocked the event loop for `LONGEST_TURN` milliseconds, or made `STEPS` steps. */
const LONGEST_TURN = 4;
const STEPS = 50;

const BATCH = 64;

/**
 * Makes a waiting line that is fair to names: after a task of one name, each other name has a turn before the name's next task.
 */
function createRounds() {
  const waiting = new Map<string, (() => void)[]>();
  return {
    isEmpty: (): boolean => waiting.size === 0,
    wait: (name: string): Promise<void> =>
      new Promise((resolve) => {
        waiting.getOrInsertComputed(name, () => []).push(resolve);
      }),
    letIn(): void {
      const [name, resolves] = waiting.entries().next().value ?? [];
      if (name === undefined || resolves === undefined) return;
      resolves.shift()?.();
      waiting.delete(name);
      if (resolves.length > 0) waiting.set(name, resolves);
    },
  };
}

/** Makes a queue that runs one task at a time. Waiting tasks take turns by name. */
export function createQueue() {
  const rounds = createRounds();
  let isBusy = false;
  let began: number | null = null;
  const beginTurn = (): number => {
    setImmediate(() => {
      began = null;
    });
    return performance.now();
  };
  const letNext = (): void => {
    isBusy = !rounds.isEmpty();
    rounds.letIn();
  };
  return async <Result>(name: string, task: () => Promise<Result>): Promise<Result> => {
    if (isBusy) await rounds.wait(name);
    isBusy = true;
    const since = (began ??= beginTurn());
    try {
      return await task();
    } finally {
      // Lets other work run after LONGEST_TURN: many tasks that never wait would otherwise block the event loop together.
      if (performance.now() - since < LONGEST_TURN) letNext();
      else setImmediate(letNext);
    }
  };
}

const longTasks = createRounds();
let isLetting = false;

/**
 * Waits for a turn of the event loop in which no other long task runs, so that many of them block it no longer than one. Tasks
 * take turns by name.
 */
export function nextTurn(name: string): Promise<void> {
  const letIn = (): void => {
    longTasks.letIn();
    isLetting = !longTasks.isEmpty();
    if (isLetting) setImmediate(letIn);
  };
  if (!isLetting) setImmediate(letIn);
  isLetting = true;
  return longTasks.wait(name);
}

/** Makes a function that a long task awaits after each step. It lets other work run after `STEPS` steps or `LONGEST_TURN`. */
export function createTurns(): () => Promise<void> {
  let since = performance.now();
  let steps = 0;
  return async () => {
    if (++steps < STEPS && performance.now() - since < LONGEST_TURN) return;
    await nextTurn('');
    since = performance.now();
    steps = 0;
  };
}

export async function mapInLanes<Element, Result>(
  list: readonly Element[],
  lanes: number,
  map: (element: Element) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  // All lanes share this iterator: each takes the next element when it is free.
  const queue = list.entries();
  const lane = async (): Promise<void> => {
    for (const [n, element] of queue) results[n] = await map(element);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

export async function mapInTurns<Element, Result>(
  list: readonly Element[],
  map: (element: Element) => Result | Promise<Result>,
): Promise<readonly Result[]> {
  const turn = createTurns();
  const results: Result[] = [];
  for (let at = 0; at < list.length; at += BATCH) {
    results.push(...(await Promise.all(list.slice(at, at + BATCH).map(map))));
    await turn();
  }
  return results;
}
