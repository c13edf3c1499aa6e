/** Gives others their turn once a task has had a long one. */
type Turn = () => Promise<void>;

type Compare<Row> = (a: Row, b: Row) => number;

/** Rows that are sorted at once, in less than a millisecond. */
const RUN = 64;

/** A stable merge sort in slices, between which others have their turn. */
export async function sortInSlices<Row>(
  rows: readonly Row[],
  compare: Compare<Row>,
  turn: Turn,
): Promise<readonly Row[]> {
  let runs: (readonly Row[])[] = [];
  for (let at = 0; at < rows.length; at += RUN) {
    runs.push(rows.slice(at, at + RUN).sort(compare));
    await turn();
  }
  while (runs.length > 1) {
    const merged: (readonly Row[])[] = [];
    for (let n = 0; n < runs.length; n += 2)
      merged.push(await mergeInSlices(runs[n] ?? [], runs[n + 1] ?? [], compare, turn));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Merges two sorted lists, in slices too. */
export async function mergeInSlices<Row>(
  one: readonly Row[],
  other: readonly Row[],
  compare: Compare<Row>,
  turn: Turn,
): Promise<readonly Row[]> {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one;
  const merged: Row[] = [];
  let n = 0;
  for (const row of one) {
    for (let next = other[n]; next !== undefined && compare(next, row) < 0; next = other[n]) {
      merged.push(next);
      n++;
      await turn();
    }
    merged.push(row);
    await turn();
  }
  return merged.concat(other.slice(n));
}
