import { type Need, pickEdition, type PickedEdition, writeNeed } from './need.rule.ts';
import { quote } from '../platform/base/problem.ts';
import { Refusal } from '../platform/base/refusal.ts';

export type Candidate = PickedEdition & { readonly needs: readonly Need[] };

/** An item with its needs: one that is being installed, or one that is installed beside it. */
export type Needer = {
  readonly slug: string;
  readonly needs: readonly Need[];
  readonly folder?: string;
};

type Planned<E> = { readonly slug: string; readonly edition: E; readonly by: readonly string[] };

const MOST_PLANNED = 200;
const MOST_ROUNDS = 50;

/**
 * Picks an edition of each item that `root` needs, directly or through other items: the highest one that satisfies every range,
 * the ranges of the items in `beside` included. Yields a slug to be given that item's editions. Returns each item after all
 * that need it. Refuses if no edition satisfies all ranges, and names the items in conflict.
 */
export function* planNeeds<E extends Candidate>(
  root: Needer,
  beside: readonly Needer[],
): Generator<string, readonly Planned<E>[], readonly E[]> {
  let chosen = new Map<string, E | undefined>();
  // Another edition may have other needs, so all are picked again until nothing changes: a longer chain of needs takes more
  // rounds.
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const picked = [...chosen].map(([slug, edition]) => ({ slug, needs: edition?.needs ?? [] }));
    const sides = [root, ...beside.filter(({ slug }) => slug !== root.slug && !chosen.has(slug)), ...picked];
    const next = new Map<string, E | undefined>();
    const reached = orderNeeds(root, picked);
    if (reached.length > MOST_PLANNED) break;
    for (const slug of reached) next.set(slug, pickEdition(yield slug, rangesOn(slug, sides)));
    const isSame =
      next.size === chosen.size && [...next].every(([slug, edition]) => chosen.get(slug) === edition);
    chosen = next;
    if (!isSame) continue;
    return [...chosen].map(([slug, edition]) => {
      const by = sides.filter(({ needs }) => needs.some((need) => need.slug === slug));
      if (edition === undefined) throw conflict(root.slug, slug, by);
      return { slug, edition, by: by.map((side) => side.slug) };
    });
  }
  const bounds = `${MOST_PLANNED} items, or ${MOST_ROUNDS} in a row`;
  const endless = `Cannot install ${quote(root.slug)}: what it needs does not end within ${bounds}`;
  throw new NeedConflict(endless, []);
}

/** Lists all that an item needs, directly or through other items, each after everything that needs it. */
function orderNeeds(root: Needer, others: readonly Needer[]): readonly string[] {
  const needsOf = new Map([...others, root].map(({ slug, needs }) => [slug, needs]));
  const [seen, ordered] = [new Set([root.slug]), [] as string[]];
  const visit = (slug: string): void => {
    for (const need of needsOf.get(slug) ?? [])
      if (!seen.has(need.slug) && seen.size <= MOST_PLANNED) {
        seen.add(need.slug);
        visit(need.slug);
      }
    ordered.unshift(slug);
  };
  visit(root.slug);
  return ordered.slice(1);
}

export const rangesOn = (slug: string, sides: readonly Needer[]): readonly (string | null)[] =>
  sides.flatMap(({ needs }) => needs.flatMap((need) => (need.slug === slug ? [need.range] : [])));

const noSuch = (slug: string): string =>
  `the stall has no such edition for you. Ask its publisher; if ${quote(slug)} is pinned here, "bookstall install ${slug}" with its --agent or --dir frees it`;

/** Refuses needs that do not go together; `slugs` are those of the items that it names. */
export class NeedConflict extends Refusal {
  constructor(
    message: string,
    readonly slugs: readonly string[],
  ) {
    super('conflict', message);
  }
}

/** Makes the refusal of an install. It names the items whose needs of `slug` are in conflict, or that no edition satisfies. */
export function conflict(asked: string, slug: string, sides: readonly Needer[], other = noSuch(slug)) {
  const all = sides.flatMap((side) => side.needs.map((need) => ({ side, need })));
  const needing = all.filter(({ need }) => need.slug === slug);
  // An item that takes any edition conflicts with none.
  const bound = needing.filter(({ need }) => need.range !== null);
  const named = bound.length > 0 ? bound : needing;
  const said = named.map(({ side, need }) => `${quote(side.slug)} needs ${quote(writeNeed(need))}, and `);
  const isHere = named.some(({ side }) => side.folder !== undefined);
  const wayOut = isHere ? '. Uninstall one, or install one elsewhere with --dir' : '';
  const reason = said.length > 1 ? `no edition is both${wayOut}` : other;
  const message = `Cannot install ${quote(asked)}: ${said.slice(0, 5).join('')}${reason}`;
  return new NeedConflict(message, [slug, ...named.map(({ side }) => side.slug)]);
}
