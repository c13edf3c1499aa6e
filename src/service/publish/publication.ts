import type { Edition } from '../../catalog/edition.ts';
import { isError } from '../../catalog/scan.ts';
import type { ItemKind } from '../../item/item.ts';
import type { Problem } from '../../item/problem.ts';
import type { Log } from '../../log.ts';
import { mapInTurns } from '../../turn.ts';

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

/** Why the content directory cannot be used, and what that means for so many saved items. */
export function describeMissing(content: string, state: string, saved: number): string {
  const remedy =
    saved > 0
      ? 'its last good content continues to be served'
      : 'name another with --content, or make one with "bookstall init"';
  return `The content directory "${content}" is ${state}; ${remedy}`;
}

/** Logs every error of items, and how many are served. */
export async function reportPublications(
  log: Log,
  content: string,
  publications: readonly Publication[],
): Promise<void> {
  await mapInTurns(publications, (publication) => reportProblems(log, publication));
  reportServed(log, content, publications);
}

/** Logs each error with its consequence. */
function reportProblems(log: Log, { kind, slug, edition, problems }: Publication): void {
  const consequence = edition === null ? 'it is not served' : 'its last good edition continues to be served';
  for (const { path, sentence, remedy } of problems.filter(isError)) {
    log({
      event: 'item-problem',
      message: `${kind}s/${slug}${path === '' ? '' : `/${path}`}: ${sentence}. ${remedy}; until then ${consequence}`,
    });
  }
}

function reportServed(log: Log, content: string, publications: readonly Publication[]): void {
  const items = publications.filter(({ edition }) => edition !== null).length;
  const left = publications.length - items;
  log({
    event: 'ready',
    message: `Ready: ${items} items from "${content}"${left === 0 ? '' : `, ${left} not served`}`,
    items,
  });
}
