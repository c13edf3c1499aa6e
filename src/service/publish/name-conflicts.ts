import { error, type Problem } from '../../item/problem.ts';

/** An item or a bundle with its names; `isHeld` if it is served already. */
export type Claimant = {
  readonly kind: string;
  readonly slug: string;
  readonly id: string | null;
  readonly isHeld: boolean;
};

/**
 * The items that cannot be served because another has the same slug or book id, each with its problem. The one that the
 * data directory holds stays; if it holds neither or both, neither is served (contract §2).
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
      if (holders.length !== 1 || loser !== holders[0]) losers.set(loser, conflict(name, loser, sharers));
    }
  }
  return losers;
}

function namesOf({ slug, id }: Claimant): readonly string[] {
  return [`slug "${slug}"`, ...(id === null ? [] : [`id "${id}"`])];
}

function conflict(name: string, loser: Claimant, sharers: readonly Claimant[]): Problem {
  const others = sharers.filter((other) => other !== loser).map(placeOf);
  return error(
    'clash',
    'item.yaml',
    `Cannot serve two items with the ${name}: ${others.join(', ')} has it too`,
    'Give one of them another folder name or id',
  );
}

function placeOf({ kind, slug }: Claimant): string {
  return kind === 'bundle' ? 'a bundle of stall.yaml' : `${kind}s/${slug}`;
}
