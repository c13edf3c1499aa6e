import { type Edition, keyOf } from '../../catalog/edition.ts';
import { isError } from '../../catalog/scan.ts';
import type { Bundle } from '../../item/bundle.ts';
import type { Problem } from '../../item/problem.ts';
import { findOfferProblems, type JudgedBundle } from './bundle-problems.ts';
import { findFormerConflicts } from './former-conflicts.ts';
import type { Publication } from './publication.ts';

/** The state that is served now, or was when the stall stopped: editions by `keyOf`, and the bundles of stall.yaml. */
type Held = { readonly editions: ReadonlyMap<string, Edition>; readonly bundles: readonly Bundle[] };

/** The publication without its new edition because of `problem`; `edition` is served instead. */
export function withholdEdition(
  publication: Publication,
  edition: Edition | null,
  problem: Problem,
): Publication {
  return { ...publication, edition, isFresh: false, problems: [...publication.problems, problem] };
}

/**
 * Withholds the editions of items whose names, former names or ids at a payment provider conflict with those of other
 * items or of bundles, and judges the bundles.
 */
export async function withholdConflicts(
  found: readonly Publication[],
  bundles: readonly Bundle[],
  held: Held,
  turn: () => Promise<void>,
): Promise<{ readonly publications: readonly Publication[]; readonly bundles: readonly JudgedBundle[] }> {
  const claimants = found.map((publication) => claimantOf(publication, held));
  await turn();
  const judged = findOfferProblems(claimants, bundles, held.bundles);
  await turn();
  const winners = claimants.map((claimant) => {
    const { publication } = claimant;
    const taken = judged.slugs.get(claimant);
    if (taken !== undefined) return withholdEdition(publication, null, taken);
    const sold = judged.ids.get(claimant);
    // It may be on sale by that id already: the readers of its last good edition keep it.
    return sold === undefined ? publication : withholdEdition(publication, lastGood(publication, held), sold);
  });
  await turn();
  return { publications: withholdRenamed(winners, bundles, held), bundles: judged.bundles };
}

function claimantOf(publication: Publication, held: Held) {
  const { kind, slug, edition } = publication;
  const isHeld = edition !== null && held.editions.has(keyOf(edition));
  const { id = null, formerly = [], status = null, sell = null } = edition?.manifest ?? {};
  return { kind, slug, id, formerly, status, sell, isHeld, publication };
}

function lastGood({ kind, slug }: Publication, held: Held): Edition | null {
  return held.editions.get(`${kind} ${slug}`) ?? null;
}

/** Withholds the editions of items that claim one former slug; each keeps its last good one. */
function withholdRenamed(
  found: readonly Publication[],
  bundles: readonly Bundle[],
  held: Held,
): readonly Publication[] {
  const items = found.map((publication) => {
    const { kind, slug, edition } = publication;
    return { kind, slug, formerly: edition?.manifest.formerly ?? [], publication };
  });
  const problems = findFormerConflicts(items, bundles);
  return items.map((item) => {
    const { publication } = item;
    const named = problems.get(item) ?? [];
    const clash = named.find(isError);
    return clash === undefined
      ? { ...publication, problems: [...publication.problems, ...named] }
      : withholdEdition(publication, lastGood(publication, held), clash);
  });
}
