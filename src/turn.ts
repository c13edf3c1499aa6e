/** How long a task may hold the event loop, in milliseconds, and how many short steps it may take. */
const LONGEST = 4;
const STEPS = 50;

/** How many elements `mapInTurns` maps at the same time. */
const BATCH = 64;

/** Makes a waiting line with turns by name: the next of one name comes after one of each other name. */
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

/**
 * Makes a queue that runs one task at a time. Those who wait take turns by name, and a crowd holds the event loop no longer
 * than a single task does.
 */
export function createQueue() {
  const rounds = createRounds();
  let isBusy = false;
  /** When the first task of this turn of the event loop began. */
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
      // Ends the turn after LONGEST, since a crowd whose tasks never wait would hold the event loop in a single one.
      if (performance.now() - since < LONGEST) letNext();
      else setImmediate(letNext);
    }
  };
}

const longTasks = createRounds();
let isLetting = false;

/** Waits for a turn of the event loop that no other long task has, so that a crowd of them holds it no longer than one. */
function nextTurn(): Promise<void> {
  const letIn = (): void => {
    longTasks.letIn();
    isLetting = !longTasks.isEmpty();
    if (isLetting) setImmediate(letIn);
  };
  if (!isLetting) setImmediate(letIn);
  isLetting = true;
  return longTasks.wait('');
}

/**
 * Makes the function that a long task awaits between its steps. It lets other work run once the task has held the event loop
 * for a while.
 */
export function createTurns(): () => Promise<void> {
  let since = performance.now();
  let steps = 0;
  return async () => {
    if (++steps < STEPS && performance.now() - since < LONGEST) return;
    await nextTurn();
    since = performance.now();
    steps = 0;
  };
}

/** Maps a list, `lanes` elements at a time; the results are in the list's order. */
export async function mapInLanes<Element, Result>(
  list: readonly Element[],
  lanes: number,
  map: (element: Element) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  // Shared by all lanes: each takes the next element.
  const queue = list.entries();
  const lane = async (): Promise<void> => {
    for (const [n, element] of queue) results[n] = await map(element);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

/** Maps a long list in order, a batch at a time, and lets other work run between two batches. */
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
