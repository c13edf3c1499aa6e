/** How many downloads run in parallel: enough to hide latency, few enough to spare the stall's budget. */
const LANES = 6;

/** Runs `work` on each item, several in parallel; the outcomes are in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly PromiseSettledResult<R>[]> {
  const outcomes: PromiseSettledResult<R>[] = [];
  const queue = items.entries();
  const lane = async (): Promise<void> => {
    for (const [n, item] of queue)
      outcomes[n] = await work(item).then(
        (value) => ({ status: 'fulfilled', value }),
        (reason: unknown) => ({ status: 'rejected', reason }),
      );
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return outcomes;
}
