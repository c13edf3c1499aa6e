/** How many are kept at most, so that no stranger fills the memory. */
const MOST = 10_000;

export type Memo<Value> = <Found extends Value | null>(
  name: string,
  read: () => Promise<Found>,
  isFresh?: (value: Value) => boolean,
) => Value | Promise<Found | Value>;

/**
 * Remembers what `read` found for as long as `generation` stays the same, that is, no process has written since,
 * and `isFresh` says so. What was not found is not remembered. What is known is given without a promise around it.
 */
export function createMemo<Value extends object>(generation: () => number): Memo<Value> {
  const known = new Map<string, Value>();
  let current = -1;
  return (name, read, isFresh) => {
    const now = generation();
    if (now !== current || known.size >= MOST) known.clear();
    current = now;
    const value = known.get(name);
    if (value !== undefined && (isFresh === undefined || isFresh(value))) return value;
    return read().then((found) => {
      // Written in between: the value that was read may be older.
      if (found !== null && generation() === now) known.set(name, found);
      return found;
    });
  };
}
