// The items that a skill needs, in the front matter of its SKILL.md: `metadata: {needs: "shared-utils audit-logger@^2.0.0"}`.
// Ranges are those of npm, https://github.com/npm/node-semver
import validRange from 'semver/ranges/valid';
import { isSlug, SLUG_IN_WORDS } from './path.rule.ts';
import { quote } from '../platform/base/problem.ts';
import { satisfying } from './version.rule.ts';

/** An item of the same stall that a skill needs; `range` is null if any edition will do. */
export type Need = { readonly slug: string; readonly range: string | null };

export const MOST_NEEDS = 20;
const LONGEST_RANGE = 100;

const NEEDS =
  /^(?:[ \t]+|metadata:[ \t]*\{(?:[^\n]*,)?[ \t]*)needs:[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^"',}#\n]*))/m;

/** Finds the needs in a SKILL.md as they are written, in one line; null if it has none. */
export function findNeeds(skill: string): string | null {
  const [, double, single, plain] = NEEDS.exec(skill.split(/^---[ \t]*\r?$/m, 2)[1] ?? '') ?? [];
  return double ?? single ?? plain?.trim() ?? null;
}

/** Parses needs as they are written; `reason` tells why they cannot be read, else it is null. */
export function parseNeeds(text: string): { needs: readonly Need[]; reason: string | null } {
  const needs = (text.match(/[^ \t]+/g) ?? []).map(parseNeed);
  const refuse = (reason: string) => ({ needs: [], reason });
  if (text.includes(',')) return refuse('a space stands between two, and no comma');
  if (needs.length > MOST_NEEDS)
    return refuse(`a skill may need ${MOST_NEEDS} items, and it names ${needs.length}`);
  const seen = new Set<string>();
  for (const { slug, range } of needs) {
    if (!isSlug(slug)) return refuse(`${quote(slug)} is no slug, which has ${SLUG_IN_WORDS}`);
    if (seen.has(slug)) return refuse(`${quote(slug)} is there twice`);
    seen.add(slug);
    const isRange =
      range === null || (range !== '' && range.length <= LONGEST_RANGE && validRange(range) !== null);
    if (!isRange)
      return refuse(`${quote(range)} is no range of versions, as ^2.0.0 or >=1.2.0 is, without spaces`);
  }
  return { needs, reason: null };
}

function parseNeed(word: string): Need {
  const at = word.indexOf('@');
  return at === -1 ? { slug: word, range: null } : { slug: word.slice(0, at), range: word.slice(at + 1) };
}

type Naming = { readonly needs?: readonly Need[] } | null;

/** Lists the needs without which an item cannot be served or installed. All parts of the program ask here. */
export const needsOf = (item: Naming): readonly Need[] => item?.needs ?? [];

export const keptNeeds = ({ manifest }: { readonly manifest: string }): readonly Need[] =>
  needsOf(JSON.parse(manifest) as Naming);

export const writeNeed = ({ slug, range }: Need): string => (range === null ? slug : `${slug}@${range}`);

/**
 * Picks the edition with the highest lasting version that satisfies all ranges; without ranges, the served edition. Undefined
 * if no edition fits. A range of null takes any edition.
 */
export function pickEdition<E extends PickedEdition>(
  editions: readonly E[],
  ranges: readonly (string | null)[],
): E | undefined {
  const asked = ranges.filter((range) => range !== null);
  if (asked.length === 0) return editions.find(({ isServed }) => isServed);
  const staying = editions.flatMap((edition) => {
    const { version, stays } = edition;
    return version !== null && stays ? [{ version, edition }] : [];
  });
  return asked.reduce<typeof staying>((left, range) => [...satisfying(left, range)], staying)[0]?.edition;
}

/** An edition to pick from; `stays` says that its version means this edition for good. */
export type PickedEdition = {
  readonly version: string | null;
  readonly isServed: boolean;
  readonly stays: boolean;
};
