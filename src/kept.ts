/**
 * Keeps values by name, the last used first, as long as their sizes together are at most `most`; `end` is
 * called for each that is dropped.
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
      // Moved to the end: the first entries are dropped first.
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
  /** Returns the value. */
  readonly set: (name: Name, value: Value) => Value;
};

/** Makes a value once for each name, and keeps the last used. */
export function createMadeOnce<Value>(most: number) {
  const kept = createKept<Promise<Value>>(most);
  return (name: string, make: () => Promise<Value>): Promise<Value> => {
    const made = kept.get(name) ?? kept.set(name, make());
    made.catch(() => kept.drop(name));
    return made;
  };
}

/** Runs a task once for each name at a time: all who ask while it runs wait for the same result. */
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
