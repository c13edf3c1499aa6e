// Contestants measured in turn, since a virtual machine swings from one minute to the next.

/**
 * Lets every contestant run once a round, each round beginning with the next one, after a round that does not count;
 * the median of each.
 */
export async function alternate<Name extends string>(
  rounds: number,
  contestants: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(contestants) as Name[];
  const figures = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const [place] of names.entries()) {
      const name = names[(round + 1 + place) % names.length] as Name;
      const figure = await contestants[name]();
      if (round >= 0) figures.get(name)?.push(figure);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(figures.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const [low = Number.NaN, high = low] = [sorted[sorted.length % 2 === 0 ? half - 1 : half], sorted[half]];
  return (low + high) / 2;
}
