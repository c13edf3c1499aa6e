import { error, type Problem } from '../../item/problem.ts';

/** What two items may have in common without meaning to; `isHeld` where this data directory holds its last good edition. */
export type Claimant = {
  readonly kind: string;
  readonly slug: string;
  readonly id: string | null;
  readonly isHeld: boolean;
};

/**
 * Of two items with one slug or one book id the one that the data directory already held stays; where neither or both
 * were held, neither is served (contract §2). Gives the losers, each with the reason.
 */
export function findNameConflicts<T extends Claimant>(claimants: readonly T[]): ReadonlyMap<T, Problem> {
  const names = Map.groupBy(
    claimants.flatMap((claimant) => namesOf(claimant).map((name) => ({ name, claimant }))),
    ({ name }) => name,
  );
  const losers = new Map<T, Problem>();
  for (const [name, claims] of names) {
    const sharers = claims.map(({ claimant }) => claimant);
    const holders = sharers.filter(({ isHeld }) => isHeld);
    for (const loser of sharers.length < 2 ? [] : sharers) {
      if (holders.length !== 1 || loser !== holders[0]) losers.set(loser, clash(name, loser, sharers));
    }
  }
  return losers;
}

function namesOf({ slug, id }: Claimant): readonly string[] {
  return [`slug "${slug}"`, ...(id === null ? [] : [`id "${id}"`])];
}

function clash(name: string, loser: Claimant, sharers: readonly Claimant[]): Problem {
  const others = sharers.filter((other) => other !== loser).map(({ kind, slug }) => `${kind}s/${slug}`);
  return error(
    'clash',
    'item.yaml',
    `Cannot serve two items with the ${name}: ${others.join(', ')} has it too`,
    'Give one of them another folder name or id',
  );
}
