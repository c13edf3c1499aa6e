import { type Edition, keyOf } from '../../catalog/edition.ts';
import { isError } from '../../catalog/scan.ts';
import type { ItemKind } from '../../item/item.ts';
import type { Problem } from '../../item/problem.ts';
import type { Log } from '../../log.ts';
import { findFormerConflicts } from './former-conflicts.ts';
import { findNameConflicts } from './name-conflicts.ts';

/** The outcome of publishing one item's folder. `edition` is the one served, or null; `isFresh` if it was compiled just now. */
export type Publication = {
  readonly kind: ItemKind;
  readonly slug: string;
  readonly edition: Edition | null;
  readonly isFresh: boolean;
  readonly problems: readonly Problem[];
};

/** The publication of an edition that is served as it was. */
export function keepEdition(edition: Edition): Publication {
  const { kind, slug } = edition.manifest;
  return { kind, slug, edition, isFresh: false, problems: [] };
}

/** The editions that publications serve. */
export function editionsOf(publications: readonly Publication[]): readonly Edition[] {
  return publications.flatMap(({ edition }) => (edition === null ? [] : [edition]));
}

/** The publication without its new edition because of `problem`; `edition` is served instead. */
export function withholdEdition(
  publication: Publication,
  edition: Edition | null,
  problem: Problem,
): Publication {
  return { ...publication, edition, isFresh: false, problems: [...publication.problems, problem] };
}

/** Withholds the editions of items whose names conflict; `held` are the saved editions by `keyOf`. */
export async function withholdConflicts(
  found: readonly Publication[],
  held: ReadonlyMap<string, Edition>,
  turn: () => Promise<void>,
): Promise<readonly Publication[]> {
  const claimants = found.map((publication) => {
    const { kind, slug, edition } = publication;
    const isHeld = edition !== null && held.has(keyOf(edition));
    return { kind, slug, id: edition?.manifest.id ?? null, isHeld, publication };
  });
  await turn();
  const losers = findNameConflicts(claimants);
  await turn();
  const winners = claimants.map((claimant) => {
    const problem = losers.get(claimant);
    return problem === undefined
      ? claimant.publication
      : withholdEdition(claimant.publication, null, problem);
  });
  await turn();
  return withholdRenamed(winners, held);
}

/** Withholds the editions of items that claim one former slug; each keeps its last good one. */
function withholdRenamed(
  found: readonly Publication[],
  held: ReadonlyMap<string, Edition>,
): readonly Publication[] {
  const items = found.map((publication) => {
    const { kind, slug, edition } = publication;
    return { kind, slug, formerly: edition?.manifest.formerly ?? [], publication };
  });
  const problems = findFormerConflicts(items);
  return items.map((item) => {
    const { kind, slug, publication } = item;
    const named = problems.get(item) ?? [];
    const clash = named.find(isError);
    return clash === undefined
      ? { ...publication, problems: [...publication.problems, ...named] }
      : withholdEdition(publication, held.get(`${kind} ${slug}`) ?? null, clash);
  });
}

/** Why the content directory cannot be used, and what that means for so many saved items. */
export function describeMissing(content: string, state: string, saved: number): string {
  const remedy =
    saved > 0
      ? 'its last good content continues to be served'
      : 'name another with --content, or make one with "bookstall init"';
  return `The content directory "${content}" is ${state}; ${remedy}`;
}

/** Logs each error with its consequence. */
export function reportProblems(log: Log, { kind, slug, edition, problems }: Publication): void {
  const consequence = edition === null ? 'it is not served' : 'its last good edition continues to be served';
  for (const { sentence, remedy } of problems.filter(isError)) {
    log({
      event: 'item-problem',
      message: `${kind}s/${slug}: ${sentence}. ${remedy}; until then ${consequence}`,
    });
  }
}

/** Logs how many items are served. */
export function reportServed(log: Log, content: string, publications: readonly Publication[]): void {
  const items = publications.filter(({ edition }) => edition !== null).length;
  const left = publications.length - items;
  log({
    event: 'ready',
    message: `Ready: ${items} items from "${content}"${left === 0 ? '' : `, ${left} not served`}`,
    items,
  });
}
