/**
 * Makes a function that is told how many bytes were used and are free again, and collects garbage after every `most` of them:
 * the collector does not notice how much memory bytes and long texts hold, and would let one client fill it with garbage.
 */
export function createCollector(most: number): (size: number) => void {
  let used = 0;
  return (size) => {
    used += size;
    if (used < most) return;
    used = 0;
    Bun.gc(true);
  };
}
