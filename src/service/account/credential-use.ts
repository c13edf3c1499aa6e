/** Last uses are written at most this often, in milliseconds. */
const USE_INTERVAL = 60_000;
const REMEMBERED_USES = 10_000;

type Used = { readonly id: number; readonly lastUsedAt: number | null };

/** Records the last uses of keys or tokens, each at most once a minute. Nothing hangs on it: a full disk must not keep a reader out. */
export function createUseRecorder(write: (use: { id: number; at: number }) => Promise<unknown>) {
  const recorded = new Map<number, number>();
  return ({ id, lastUsedAt }: Used, at: number): void => {
    if (at - Math.max(lastUsedAt ?? 0, recorded.get(id) ?? 0) < USE_INTERVAL) return;
    if (recorded.size >= REMEMBERED_USES) recorded.clear();
    recorded.set(id, at);
    write({ id, at }).catch(() => recorded.delete(id));
  };
}
