import { Refusal } from '../platform/base/refusal.ts';

/** The maximum number of pushes at once: each takes a core and a disk. */
export const PUSHES_AT_ONCE = 2;

/** Limits a stall's pushes. `enter` admits one, and returns the function that ends it; `inOrder` runs functions one by one. */
export function createPushPlaces() {
  let running = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    enter() {
      if (running >= PUSHES_AT_ONCE)
        throw new Refusal(
          'overloaded',
          `Cannot take a push now: ${PUSHES_AT_ONCE} are running; send it again`,
          5,
        );
      running += 1;
      return () => void (running -= 1);
    },
    inOrder<T>(act: () => Promise<T>): Promise<T> {
      const next = last.then(act);
      last = next.catch(() => {});
      return next;
    },
  };
}

export type PushPlaces = ReturnType<typeof createPushPlaces>;
