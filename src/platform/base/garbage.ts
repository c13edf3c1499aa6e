/**
 * Makes a function to call with the number of bytes that became free. It collects garbage after every `most` bytes: Bun's
 * collector does not notice how much memory buffers and long texts hold, and one client could fill the memory with garbage.
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
