/**
 * Makes a cache of values by name. While their sizes (by default 1 each) exceed `most` together, drops the least recently used
 * value. Calls `end` for each value that it drops or replaces.
 */
export function createKept<Value, Name = string>(
  most: number,
  sizeOf: (value: Value) => number = () => 1,
  end: (value: Value) => void = () => {},
): Kept<Value, Name> {
  const kept = new Map<Name, Value>();
  let held = 0;
  const drop = (name: Name): void => {
    const value = kept.get(name);
    if (value === undefined) return;
    held -= sizeOf(value);
    kept.delete(name);
    end(value);
  };
  return {
    drop,
    names: (): readonly Name[] => [...kept.keys()],
    get(name: Name): Value | undefined {
      const value = kept.get(name);
      if (value === undefined) return undefined;
      // Moves the entry to the end of the Map: entries are dropped from its beginning.
      kept.delete(name);
      kept.set(name, value);
      return value;
    },
    set(name: Name, value: Value): Value {
      drop(name);
      kept.set(name, value);
      held += sizeOf(value);
      for (const oldest of kept.keys()) {
        if (held <= most) break;
        drop(oldest);
      }
      return value;
    },
  };
}

export type Kept<Value, Name = string> = {
  readonly drop: (name: Name) => void;
  readonly names: () => readonly Name[];
  readonly get: (name: Name) => Value | undefined;
  readonly set: (name: Name, value: Value) => Value;
};

/**
 * Returns a function that returns the cached value of a name, or makes it. Caches the `most` last used values, and no failures.
 */
export function createMadeOnce<Value>(most: number) {
  const kept = createKept<Promise<Value>>(most);
  return (name: string, make: () => Promise<Value>): Promise<Value> => {
    const made = kept.get(name) ?? kept.set(name, make());
    made.catch(() => kept.drop(name));
    return made;
  };
}

/** Runs tasks by name. `run` returns the promise of a running task of the same name instead of starting another. */
export function createOnce<Value>() {
  const running = new Map<string, Promise<Value>>();
  return {
    count: (): number => running.size,
    find: (name: string): Promise<Value> | undefined => running.get(name),
    run(name: string, make: () => Promise<Value>): Promise<Value> {
      const made = running.get(name) ?? make().finally(() => running.delete(name));
      running.set(name, made);
      return made;
    },
  };
}
