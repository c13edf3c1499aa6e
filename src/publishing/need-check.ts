import { type Need, writeNeed } from '../catalog/need.rule.ts';
import { hasFiles, isStayingVersion, satisfying } from '../catalog/version.rule.ts';
import type { Manifest } from '../catalog/item.rule.ts';
import { didYouMean, error, naming, type Problem, quote, warning } from '../platform/base/problem.ts';
import type { Store } from './stall.ts';

/** An item whose needs are judged; `digest` is that of its files. */
type Item = Pick<Manifest, 'kind' | 'slug' | 'id' | 'formerly' | 'status' | 'version' | 'needs'> & {
  readonly digest: string;
};

/** Reads of the editions that were served before; null if these are not known. */
export type Earlier = Pick<Store, 'findKnownItem' | 'listVersions' | 'findVersion'> | null;

/** Why something cannot be needed, with the code and the remedy of the problem. */
type Fault = readonly [code: string, reason: string, remedy: string];

const LONGEST_CIRCLE = 8;

/**
 * Makes a function that finds the problems of an item's needs among all `items`: one that nobody serves, is not published, or
 * leads back to the item or has another name by now, and a range that no version satisfies; and other files under a version that others may need. If earlier
 * editions are not known, a range is a warning.
 */
export function judgeNeeds(items: readonly Item[], earlier: Earlier) {
  const named = new Map(items.flatMap((item) => item.formerly.map((name) => [name, item] as const)));
  for (const item of items) named.set(item.slug, item);
  const needed = new Set(items.flatMap(({ needs = [] }) => needs.map(({ slug }) => named.get(slug)?.slug)));
  return (item: Item): readonly Problem[] => {
    const { needs = [] } = item;
    const taken = needs.length > 0 || needed.has(item.slug) ? findTaken(item, earlier) : null;
    const unmet = needs.flatMap((need) => {
      const found = named.get(need.slug);
      const fault =
        found === undefined
          ? unknown(didYouMean(need.slug, [...named.keys()], PUBLISH))
          : (findFormer(need, found) ??
            findHidden(item, found) ??
            findCircle(item, found, named) ??
            findUnmet(need, found, earlier));
      if (fault === null) return [];
      const [code, reason, remedy] = fault;
      const cannot = `Cannot need ${quote(writeNeed(need))}`;
      const make = code === UNMET && earlier === null ? warning : error;
      const problem = make(code, 'SKILL.md', `${cannot}: ${reason}`, remedy);
      return [naming([found?.slug ?? need.slug], `${cannot}: it cannot be had here`, problem)];
    });
    return taken === null ? unmet : [taken, ...unmet];
  };
}

const PUBLISH = 'Publish it first, or remove it from "needs"';
const UNMET = 'unmet-need';

const unknown = (remedy: string): Fault => ['unknown-need', 'no item of this name is served', remedy];

/** A skill is installed, and tagged in git, under its present name alone. */
const findFormer = (need: Need, { slug }: Item): Fault | null =>
  need.slug === slug ? null : ['former-need', `its name is ${quote(slug)} now`, `Need ${quote(slug)}`];

function findHidden({ status }: Item, needed: Item): Fault | null {
  const isFine =
    needed.status === 'published' || status === 'draft' || [status, needed.status].every(isPrivate);
  const reason = `readers of this item could not have it, since its status is ${quote(needed.status)}`;
  return isFine ? null : ['hidden-need', reason, PUBLISH];
}

const isPrivate = (status: Item['status']): boolean => status === 'private';

function findUnmet({ range }: Need, needed: Item, earlier: Earlier): Fault | null {
  if (range === null) return null;
  const known = earlier?.findKnownItem(needed.slug) ?? null;
  const kept = known === null ? [] : earlier!.listVersions(known.kind, known.itemKey).filter(hasFiles);
  const versions = new Set([needed.version ?? 'none', ...kept.map(({ version }) => version)]);
  const staying = [...versions].filter(isStayingVersion).map((version) => ({ version }));
  if (satisfying(staying, range).length > 0) return null;
  const reason = `its versions are ${[...versions].slice(0, 10).join(', ')}`;
  return [UNMET, reason, 'Publish it in such a version, as 1.2.0 is, or name another range'];
}

/** Finds whether the item's version belongs to an edition with other files, which ranges go on meaning. */
function findTaken(item: Item, earlier: Earlier): Problem | null {
  const { kind, version, digest } = item;
  if (!isStayingVersion(version)) return null;
  const owner = earlier?.findVersion(kind, item.id ?? item.slug, version) ?? digest;
  if (owner === digest) return null;
  const sentence = `Cannot serve other files as version ${quote(version)}: skills that need each other go by their versions`;
  return error('taken-version', 'item.yaml', sentence, 'Raise "version"');
}

/** Finds the shortest way from what an item needs back to the item. */
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
    for (const next of at.needs ?? []) {
      const item = named.get(next.slug);
      if (item !== undefined && !ways.has(item)) ways.set(item, [...way, at.slug]);
    }
  }
  return null;
}
