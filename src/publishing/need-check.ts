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

const FILE = 'SKILL.md';
const LONGEST_CIRCLE = 8;

/**
 * Makes a function that finds the problems of an item's needs among all `items`: one that nobody serves, is not published, or
 * leads back to the item, and a range that no version satisfies; and other files under a version that others may need. If earlier
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
      const problem =
        findProblem(item, need, found) ?? findCircle(item, need, named) ?? findUnmet(need, found, earlier);
      const untold = `Cannot use the need ${quote(need.slug)}: it cannot be had here`;
      return problem === null ? [] : [naming([found?.slug ?? need.slug], untold, problem)];
    });
    return taken === null ? unmet : [taken, ...unmet];
  };

  function findProblem({ status }: Item, { slug }: Need, found: Item | undefined): Problem | null {
    if (found === undefined) {
      const remedy = didYouMean(slug, [...named.keys()], 'Publish it first, or remove it from "needs"');
      return error(
        'unknown-need',
        FILE,
        `Cannot need ${quote(slug)}: the stall serves no item of this name`,
        remedy,
      );
    }
    const isFine =
      found.status === 'published' ||
      status === 'draft' ||
      (status === 'private' && found.status === 'private');
    if (isFine) return null;
    const sentence = `Cannot need ${quote(slug)}, whose status is ${quote(found.status)}: readers of this item could not have it`;
    return error('hidden-need', FILE, sentence, `Publish ${quote(slug)}, or remove it from "needs"`);
  }
}

function findUnmet({ slug, range }: Need, found: Item | undefined, earlier: Earlier): Problem | null {
  if (range === null || found === undefined) return null;
  const known = earlier?.findKnownItem(found.slug) ?? null;
  const kept = known === null ? [] : earlier!.listVersions(known.kind, known.itemKey);
  const versions = [
    ...new Set([found.version, ...kept.filter(hasFiles).map(({ version }) => version)]),
  ].filter((one) => one !== null);
  const staying = versions.filter(isStayingVersion).map((version) => ({ version }));
  if (satisfying(staying, range).length > 0) return null;
  const has =
    versions.length === 0 ? 'no edition with a version' : `the versions ${versions.slice(0, 10).join(', ')}`;
  return (earlier === null ? warning : error)(
    'unmet-need',
    FILE,
    `Cannot need ${quote(writeNeed({ slug, range }))}: ${quote(slug)} has ${has}`,
    `Publish ${quote(slug)} in such a version first, as 1.2.0 is written, or name another range in "needs"`,
  );
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

/** Finds the shortest way along which an item needs itself. */
function findCircle({ slug }: Item, need: Need, named: ReadonlyMap<string, Item>): Problem | null {
  const ways = new Map([[named.get(need.slug)?.slug ?? '', [slug]]]);
  // Also visits what is added to the map in the loop.
  for (const [at, way] of ways) {
    if (at === slug) {
      const shown = way.length > LONGEST_CIRCLE ? [...way.slice(0, LONGEST_CIRCLE), '…'] : way;
      const sentence = `Cannot need ${quote(need.slug)}: it leads back to this item, ${[...shown, slug].join(' → ')}`;
      return error('circular-need', FILE, sentence, 'Remove one of these needs');
    }
    for (const { slug: next } of named.get(at)?.needs ?? []) {
      const item = named.get(next);
      if (item !== undefined && !ways.has(item.slug)) ways.set(item.slug, [...way, at]);
    }
  }
  return null;
}
