/** How many downloads run at once: enough to hide the waiting, few enough to leave a stall's budget to others. */
const LANES = 6;

/** Runs `work` on each thing, several at a time; the outcomes in the order of the things. */
export async function inParallel<T, R>(
  things: readonly T[],
  work: (thing: T) => Promise<R>,
): Promise<readonly PromiseSettledResult<R>[]> {
  const outcomes: PromiseSettledResult<R>[] = [];
  const queue = things.entries();
  const lane = async (): Promise<void> => {
    for (const [n, thing] of queue)
      outcomes[n] = await work(thing).then(
        (value) => ({ status: 'fulfilled', value }),
        (reason: unknown) => ({ status: 'rejected', reason }),
      );
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return outcomes;
}
