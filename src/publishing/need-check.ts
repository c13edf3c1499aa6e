import { keptNeeds, type Need, needsOf, pickEdition, writeNeed } from '../catalog/need.rule.ts';
import { type Candidate, NeedConflict, planNeeds } from '../catalog/need-plan.rule.ts';
import { hasFiles, isStayingVersion, satisfying } from '../catalog/version.rule.ts';
import type { Manifest } from '../catalog/item.rule.ts';
import { didYouMean, error, naming, type Problem, quote, warning } from '../platform/base/problem.ts';
import type { Store } from './stall.ts';

type Item = Pick<Manifest, 'kind' | 'slug' | 'id' | 'formerly' | 'status' | 'version' | 'needs'> & {
  readonly digest: string;
};

/** Reads of the editions that were served before; null if these are not known. */
export type Earlier = Pick<Store, 'findKnownItem' | 'listVersions' | 'findVersion'> | null;

type Fault = readonly [code: string, reason: string, remedy: string];

const LONGEST_CIRCLE = 8;

/**
 * Makes a function that finds the problems of an item's needs among `items`. A need is an error if no item has its slug, or
 * only as a former one; if readers of the item may not have the needed one; if it leads back to the item; or if no version
 * satisfies its range, alone or with other needs. If the item's version was served before with other files, that is an error
 * for an item that has needs or is needed, else a warning. If `earlier` is null, the former editions are not known, so an
 * unsatisfied range is only a warning.
 */
export function judgeNeeds(items: readonly Item[], earlier: Earlier) {
  const named = new Map(items.flatMap((item) => item.formerly.map((name) => [name, item] as const)));
  for (const item of items) named.set(item.slug, item);
  const needed = new Set(items.flatMap((item) => needsOf(item).map(({ slug }) => named.get(slug)?.slug)));
  const lists = new Map<string, readonly Candidate[]>();
  const editionsOf = (slug: string): readonly Candidate[] => {
    const item = named.get(slug);
    const list = lists.get(slug) ?? (item === undefined ? [] : listEditions(item, earlier));
    lists.set(slug, list);
    return list;
  };
  const make = earlier === null ? warning : error;
  return (item: Item): readonly Problem[] => {
    const needs = needsOf(item);
    const taken = findTaken(item, earlier, needs.length > 0 || needed.has(item.slug));
    const unmet = needs.flatMap((need) => {
      const found = named.get(need.slug);
      const fault =
        found === undefined
          ? unknown(didYouMean(need.slug, [...named.keys()], PUBLISH))
          : (findFormer(need, found) ??
            findHidden(item, found) ??
            findCircle(item, found, named) ??
            findUnmet(need, editionsOf(need.slug)));
      if (fault === null) return [];
      const [code, reason, remedy] = fault;
      const cannot = `Cannot need ${quote(writeNeed(need))}`;
      const problem = (code === UNMET ? make : error)(code, 'SKILL.md', `${cannot}: ${reason}`, remedy);
      return [naming([found?.slug ?? need.slug], `${cannot}: it cannot be had here`, problem)];
    });
    const { slugs, message } = (unmet.length === 0 && findConflict(item.slug, needs, editionsOf)) || NONE;
    const untold = `Cannot install ${quote(item.slug)}: what it needs does not go together`;
    const problem = make(CONFLICT, 'SKILL.md', message, 'Name other ranges, or publish what suits both');
    const conflicts = message === '' ? [] : [naming(slugs, untold, problem)];
    return [...(taken === null ? [] : [taken]), ...unmet, ...conflicts];
  };
}

const PUBLISH = 'Publish it first, or remove it from "needs"';
const UNMET = 'unmet-need';
/** The code of needs that can be met one by one, but not together. */
export const CONFLICT = 'need-conflict';
const NONE = { slugs: [], message: '' };

const unknown = (remedy: string): Fault => ['unknown-need', 'no item of this name is served', remedy];

/** Refuses a former slug: a skill is installed, and tagged in git, under its present one alone. */
const findFormer = (need: Need, { slug }: Item): Fault | null =>
  need.slug === slug ? null : ['former-need', `its name is ${quote(slug)} now`, `Need ${quote(slug)}`];

function findHidden({ status }: Item, needed: Item): Fault | null {
  const isFine =
    needed.status === 'published' || status === 'draft' || [status, needed.status].every(isPrivate);
  const reason = `readers of this item could not have it, since its status is ${quote(needed.status)}`;
  return isFine ? null : ['hidden-need', reason, PUBLISH];
}

const isPrivate = (status: Item['status']): boolean => status === 'private';

/** Lists the editions of an item that readers can have, as it is now and as it was served before. */
function listEditions(item: Item, earlier: Earlier): readonly Candidate[] {
  const { slug, version, digest } = item;
  const known = earlier?.findKnownItem(slug) ?? null;
  const kept = known === null ? [] : earlier!.listVersions(known.kind, known.itemKey).filter(hasFiles);
  // Files served again under another version can be had only under the present one.
  const before = kept.filter((one) => one.version !== version && one.digest !== digest);
  return [
    { version, isServed: true, stays: isStayingVersion(version), needs: needsOf(item) },
    ...before.map((one) => ({ version: one.version, isServed: false, stays: true, needs: keptNeeds(one) })),
  ];
}

/** Plans an install into an empty folder, and returns the refusal that a reader would get; null if the plan works. */
function findConflict(
  slug: string,
  needs: readonly Need[],
  editionsOf: (slug: string) => readonly Candidate[],
): NeedConflict | null {
  const planning = planNeeds({ slug, needs }, []);
  try {
    let step = planning.next();
    while (step.done !== true) step = planning.next(editionsOf(step.value));
    return null;
  } catch (error) {
    if (error instanceof NeedConflict) return error;
    throw error;
  }
}

function findUnmet({ range }: Need, editions: readonly Candidate[]): Fault | null {
  if (pickEdition(editions, [range]) !== undefined) return null;
  const reason = `its versions are ${editions
    .slice(0, 10)
    .map(({ version }) => version ?? 'none')
    .join(', ')}`;
  return [UNMET, reason, 'Publish it in such a version, as 1.2.0 is, or name another range'];
}

/** Finds the problem of a version under which other files were served, which ranges still mean. Null if there is none. */
function findTaken(item: Item, earlier: Earlier, isTouched: boolean): Problem | null {
  const { kind, version, digest } = item;
  if (!isStayingVersion(version)) return null;
  const owner = earlier?.findVersion(kind, item.id ?? item.slug, version) ?? digest;
  if (owner === digest) return null;
  const sentence = isTouched
    ? `Cannot serve other files as version ${quote(version)}: skills that need each other go by their versions`
    : `Other files were served as version ${quote(version)} before, and keep its tag`;
  return (isTouched ? error : warning)('taken-version', 'item.yaml', sentence, 'Raise "version"');
}

/** Finds the shortest way from what an item needs back to the item; null if there is none. */
function findCircle({ slug }: Item, needed: Item, named: ReadonlyMap<string, Item>): Fault | null {
  const ways = new Map([[needed, [slug]]]);
  // Also visits what is added to the map in the loop.
  for (const [at, way] of ways) {
    const shown = way.length > LONGEST_CIRCLE ? [...way.slice(0, LONGEST_CIRCLE), '…'] : way;
    if (at.slug === slug)
      return [
        'circular-need',
        `it leads back here, ${[...shown, slug].join(' → ')}`,
        'Remove one of these needs',
      ];
    for (const next of needsOf(at)) {
      const item = named.get(next.slug);
      if (item !== undefined && !ways.has(item)) ways.set(item, [...way, at.slug]);
    }
  }
  return null;
}

type Needed = Pick<Store, 'findKnownItem' | 'listNaming' | 'listVersions'>;

export const listNeeders = (store: Needed, needed: string) =>
  store
    .listNaming(needed)
    .flatMap(({ slug, manifest }) =>
      keptNeeds({ manifest }).flatMap((need) => (need.slug === needed ? [{ slug, need }] : [])),
    );

/** Names at most five needs of other items that no edition would satisfy without this one; null if there are none. */
export function tellLost(store: Needed, slug: string, digest: string): string | null {
  const known = store.findKnownItem(slug);
  if (known === null) return null;
  const kept = store.listVersions(known.kind, known.itemKey).filter(hasFiles);
  const left = kept.filter((one) => one.digest !== digest);
  const lost = listNeeders(store, known.slug).filter(
    ({ need: { range } }) => range !== null && satisfying(left, range).length === 0,
  );
  const said = lost.slice(0, 5).map((one) => `${quote(one.slug)} needs ${quote(writeNeed(one.need))}, and `);
  return lost.length === 0 ? null : `${said.join('')}no other edition is that`;
}
