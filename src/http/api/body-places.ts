/** A place of a client while its body is read; `lost` rejects if the place is given to another client. */
export type BodyPlace = { readonly lost: Promise<never>; readonly leave: () => void };

/**
 * Places for bodies that are read at the same time. When all are taken, the client that holds the most gives up its
 * oldest to one that holds fewer: a few clients that send slowly do not keep all others out.
 */
export function createBodyPlaces(most: number, lose: () => Error) {
  /** What takes each place back, by client, the oldest first. */
  const held = new Map<string, Set<() => void>>();
  let free = most;

  const makeRoom = (client: string): boolean => {
    const [first = new Set(), ...others] = held.values();
    const largest = others.reduce((found, one) => (one.size > found.size ? one : found), first);
    const [takeOldest] = largest;
    if (takeOldest === undefined || largest.size <= (held.get(client)?.size ?? 0)) return false;
    takeOldest();
    return true;
  };

  return {
    /** Null if all places are taken, and no client holds more of them. */
    enter(client: string): BodyPlace | null {
      if (free === 0 && !makeRoom(client)) return null;
      const { promise: lost, reject } = Promise.withResolvers<never>();
      // It may be lost when nobody waits any more.
      lost.catch(() => {});
      const own = held.get(client) ?? new Set();
      held.set(client, own);
      const leave = (): void => {
        if (!own.delete(takeBack)) return;
        free += 1;
        if (own.size === 0) held.delete(client);
      };
      const takeBack = (): void => {
        leave();
        reject(lose());
      };
      own.add(takeBack);
      free -= 1;
      return { lost, leave };
    },
  };
}
