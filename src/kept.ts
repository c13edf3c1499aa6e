/** Keeps values by name, those used last, as long as their sizes together are at most `most`. */
export function createKept<Value>(most: number, sizeOf: (value: Value) => number = () => 1) {
  const kept = new Map<string, Value>();
  let held = 0;
  const drop = (name: string): void => {
    const value = kept.get(name);
    if (value !== undefined) held -= sizeOf(value);
    kept.delete(name);
  };
  return {
    drop,
    get(name: string): Value | undefined {
      const value = kept.get(name);
      if (value === undefined) return undefined;
      // Moved to the end: the first entries are dropped first.
      kept.delete(name);
      kept.set(name, value);
      return value;
    },
    set(name: string, value: Value): Value {
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

/** Does what has a name once at a time: all who ask while it runs wait for the same result. */
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
