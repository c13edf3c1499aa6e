import { setImmediate } from 'node:timers/promises';

/** How long a task may hold the event loop, in milliseconds, and how many short steps it may take. */
const LONGEST = 4;
const STEPS = 50;

/** Elements that `mapInTurns` maps at the same time. */
const BATCH = 64;

/**
 * Makes the function that a long task awaits between its steps: it lets other work run once the task has held the event
 * loop for a while.
 */
export function createTurns(): () => Promise<void> {
  let since = performance.now();
  let steps = 0;
  return async () => {
    if (++steps < STEPS && performance.now() - since < LONGEST) return;
    await setImmediate();
    since = performance.now();
    steps = 0;
  };
}

/** Maps a list in order, so many elements at a time. */
export async function mapInLanes<Element, Result>(
  list: readonly Element[],
  lanes: number,
  map: (element: Element) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  // Shared by all lanes: each takes the next one.
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
