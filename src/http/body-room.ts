/** The room of a client's body while it is read; `lost` rejects if it is given to another client. */
type BodyPlace = { readonly lost: Promise<never>; readonly leave: () => void };

/** What one client holds: its room in all, and by body what takes it back, the oldest first. */
type Held = { size: number; readonly bodies: Set<() => void> };

/**
 * Room for bodies that are read at the same time. When it is full, the client that holds the most gives up its oldest
 * body to one that holds less: a few clients that send slowly do not keep all others out. Sizes are of any unit.
 */
export function createBodyRoom(most: number, lose: () => Error) {
  const clients = new Map<string, Held>();
  let free = most;

  const takeBack = (client: string): boolean => {
    const [first, ...others] = clients.values();
    const largest = others.reduce((found, one) => (found && one.size > found.size ? one : found), first);
    const [oldest] = largest?.bodies ?? [];
    if (largest === undefined || largest.size <= (clients.get(client)?.size ?? 0)) return false;
    oldest?.();
    return true;
  };

  return {
    /** Null if there is no room, and no client holds more. */
    enter(client: string, size: number): BodyPlace | null {
      while (free < size) if (!takeBack(client)) return null;
      const { promise: lost, reject } = Promise.withResolvers<never>();
      // It may be lost when nobody waits any more.
      lost.catch(() => {});
      const held: Held = clients.get(client) ?? { size: 0, bodies: new Set() };
      clients.set(client, held);
      const leave = (): void => {
        if (!held.bodies.delete(give)) return;
        free += size;
        held.size -= size;
        if (held.bodies.size === 0) clients.delete(client);
      };
      const give = (): void => {
        leave();
        reject(lose());
      };
      held.bodies.add(give);
      held.size += size;
      free -= size;
      return { lost, leave };
    },
  };
}
