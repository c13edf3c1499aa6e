/**
 * Makes a cache of values by name. When the sizes of the values together exceed `most`, it drops the least recently used ones
 * and calls `end` for each.
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
      // Moves the entry to the end of the Map, since entries are dropped from its beginning.
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
 * Returns a function that creates a value once for each name and caches the `most` last used values. Failures are not cached.
 */
export function createMadeOnce<Value>(most: number) {
  const kept = createKept<Promise<Value>>(most);
  return (name: string, make: () => Promise<Value>): Promise<Value> => {
    const made = kept.get(name) ?? kept.set(name, make());
    made.catch(() => kept.drop(name));
    return made;
  };
}

/** Returns a function that runs tasks by name. While a task runs, further calls with its name wait for the same result. */
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
