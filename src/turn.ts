import { setImmediate } from 'node:timers/promises';

/** How long a task may hold the event loop, in milliseconds, and how many short steps it may take. */
const LONGEST = 4;
const STEPS = 50;

/** Makes the function that a long task awaits between its steps: it gives others their turn once the task has had a long one. */
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
