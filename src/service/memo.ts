/** Kept at most, so that no stranger fills the memory. */
const MOST = 10_000;

type Memo<Value> = <Found extends Value | null>(
  name: string,
  read: () => Promise<Found>,
  isFresh?: (value: Value) => boolean,
) => Promise<Found | Value>;

/**
 * Remembers what `read` found for as long as `generation` stays the same, that is, nobody in any process has written since,
 * and `isFresh` says so. What was not found is not remembered.
 */
export function createMemo<Value extends object>(generation: () => number): Memo<Value> {
  const known = new Map<string, Value>();
  let current = -1;
  return async (name, read, isFresh = () => true) => {
    const now = generation();
    if (now !== current || known.size >= MOST) known.clear();
    current = now;
    const value = known.get(name);
    if (value !== undefined && isFresh(value)) return value;
    const found = await read();
    // Written meanwhile: what was read may be older than that.
    if (found !== null && generation() === now) known.set(name, found);
    return found;
  };
}
