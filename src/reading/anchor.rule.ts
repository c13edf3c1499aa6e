import { createTurns } from '../platform/base/turn.ts';

/**
 * A quotation of a text with the text before and after it, by which it can be found again, as in W3C's TextQuoteSelector
 * (https://www.w3.org/TR/annotation-model/ §4.2.4). `start` is in UTF-16 units of the text at `path`.
 */
type Anchor = Words & {
  readonly path: string;
  readonly start: number;
  /**
   * How easily the words are mistaken for the same words elsewhere: the most letters around them that another such place has
   * in common with this one; -1 if there is no other place.
   */
  readonly alike: number;
};

type Words = { readonly exact: string; readonly prefix: string; readonly suffix: string };

type Found = { readonly path: string; readonly start: number };

/** The maximum length of a slice that can be anchored, and of the text stored on each side of it, in UTF-16 units. */
export const LONGEST_EXACT = 2_000;
const AROUND = 64;

/** The maximum length of the marked words about which a reader asks. */
export const LONGEST_ABOUT = 1_000;

/** Reports whether a range can be anchored: it is not empty or too long, and lies within a text of `length` UTF-16 units. */
export const isRange = ({ start, end }: Range, length: number): boolean =>
  Number.isInteger(start) &&
  Number.isInteger(end) &&
  start >= 0 &&
  start < end &&
  end <= length &&
  end - start <= LONGEST_EXACT;

type Range = { readonly start: number; readonly end: number };

/**
 * Makes the anchor of a slice of a text; null if the slice is blank, too long or outside the text, or begins or ends inside a
 * letter.
 */
export function anchorAt(path: string, text: string, { start, end }: Range): Anchor | null {
  const exact = text.slice(start, end);
  if (!isRange({ start, end }, text.length) || exact.trim() === '') return null;
  if (isInLetter(text, start) || isInLetter(text, end)) return null;
  // Removes half of a surrogate pair from the outer end of each.
  const prefix = text.slice(Math.max(0, start - AROUND), start).replace(/^[\udc00-\udfff]/, '');
  const suffix = text.slice(end, end + AROUND).replace(/[\ud800-\udbff]$/, '');
  const words = { exact, prefix, suffix };
  let alike = NOWHERE;
  for (const at of placesOf(words, text, start)) {
    const { before, after } = inCommon(text, at, words);
    if (at !== start) alike = Math.max(alike, before + after);
  }
  return { path, start, ...words, alike };
}

const LETTERS = new Intl.Segmenter();
/**
 * How many UTF-16 units around an offset are searched for the ends of a letter with its accents; no natural letter is longer.
 */
const LETTER = 32;

function isInLetter(text: string, at: number): boolean {
  const from = Math.max(0, at - LETTER);
  const letter = LETTERS.segment(text.slice(from, at + LETTER)).containing(at - from);
  return letter !== undefined && letter.index !== at - from;
}

const NOWHERE = -1;
/**
 * Minimum numbers of letters that a place must share with the text around an anchor: FEW on each side, ENOUGH in total to be no
 * accident, SURE to end the search without reading other texts.
 */
const [FEW, ENOUGH, SURE] = [5, 10, 24];
/** Words of this length, in UTF-16 units, are recognised without the text around them if they occurred once. */
const LONG = 24;
/**
 * The maximum number of occurrences compared on each side of the old place, since a text may repeat a letter a million times.
 */
const MOST_COMPARED = 100;

/**
 * The state of the search for one anchor. `best` is the place that shares the most letters around it, of equal ones the
 * nearest, and `isTie` tells whether there are equal ones; `count` is how many places were seen.
 */
type Search = {
  readonly anchor: Anchor;
  best: (Found & { readonly around: number }) | null;
  count: number;
  isTie: boolean;
};

/**
 * Finds the words of anchors in the texts of another edition; null for words that are gone or not recognised. Looks first at
 * the old place, then for the place with the most of the text around them, in the same text before others. Short words, and
 * words that occurred twice, are recognised only by the text around them. `read` returns a text, '' if it is gone; `paths`
 * lists all texts.
 */
export async function findAnchors(
  anchors: readonly Anchor[],
  paths: readonly string[],
  read: (path: string) => Promise<string>,
): Promise<readonly (Found | null)[]> {
  const searches = anchors.map((anchor): Search => ({ anchor, best: null, count: 0, isTie: false }));
  const isOpen = ({ best }: Search): boolean => best === null || best.around < SURE;
  const turn = createTurns();
  const lookIn = async (path: string, some: readonly Search[]): Promise<void> => {
    const text = some.length > 0 ? await read(path) : '';
    for (const search of some) {
      look(search, path, text);
      await turn();
    }
  };
  for (const [path, own] of Map.groupBy(searches, ({ anchor }) => anchor.path)) await lookIn(path, own);
  for (const path of paths)
    await lookIn(
      path,
      searches.filter((one) => one.anchor.path !== path && isOpen(one)),
    );
  return searches.map(decide);
}

function look(search: Search, path: string, text: string): void {
  const { anchor } = search;
  const isOwn = path === anchor.path;
  const farness = (at: number): number => Math.abs(at - anchor.start);
  for (const start of placesOf(anchor, text, isOwn ? anchor.start : 0)) {
    search.count++;
    const { best } = search;
    const around = weigh(text, { path, start }, anchor);
    const isTie = around === best?.around;
    if (best === null || around > best.around) search.isTie = false;
    else search.isTie ||= isTie;
    const isNearer = isTie && isOwn && farness(start) < farness(best.start);
    if (best === null || around > best.around || isNearer) search.best = { path, start, around };
    if (isOwn && start === anchor.start && around >= SURE) return;
  }
}

function decide({ anchor, best, count, isTie }: Search): Found | null {
  if (best === null) return null;
  const { exact, prefix, suffix, path, start, alike } = anchor;
  const isPlace = best.path === path && best.start === start && best.around >= SURE;
  // If nothing is known of the text around the words, they must occur only once.
  if (isPlace || (best.around === lettersIn(prefix + suffix) && !(isTie && best.around === 0))) return best;
  const isOnly = alike === NOWHERE && count === 1 && exact.length >= LONG;
  return isOnly || (!isTie && best.around >= Math.max(alike, 0) + ENOUGH) ? best : null;
}

/**
 * Finds occurrences of the words, first after the old place and then back from it. If there are too many to compare, also
 * searches for the words together with some of the letters beside them, since only such places can be recognised.
 */
function placesOf({ exact, prefix, suffix }: Words, text: string, near: number): ReadonlySet<number> {
  const places = new Set<number>();
  if (walk(exact, 0)) return places;
  const before = prefix.slice(-FEW);
  walk(before + exact, before.length);
  walk(exact + suffix.slice(0, FEW), 0);
  return places;

  /** Adds the occurrences of `found`, in which the words begin after `skipped` units; reports whether these are all of them. */
  function walk(found: string, skipped: number): boolean {
    let at = text.indexOf(found, near - skipped);
    for (let n = 0; at !== -1 && n < MOST_COMPARED; n++, at = text.indexOf(found, at + 1))
      places.add(at + skipped);
    const isAll = at === -1;
    at = near - skipped > 0 ? text.lastIndexOf(found, near - skipped - 1) : -1;
    for (let n = 0; at !== -1 && n < MOST_COMPARED; n++, at = at > 0 ? text.lastIndexOf(found, at - 1) : -1)
      places.add(at + skipped);
    return isAll && at === -1;
  }
}

/** Counts the letters around the words that a place shares with the anchor; 0 if they are too few as evidence. */
function weigh(text: string, { path, start }: Found, anchor: Anchor): number {
  const { exact, prefix, suffix, alike } = anchor;
  const { before, after } = inCommon(text, start, anchor);
  const isPlace = path === anchor.path && start === anchor.start;
  const isTelling = isPlace || alike === NOWHERE || exact.length >= LONG;
  // Short words that also occurred elsewhere must share letters on both sides, since one side may be the same by chance.
  const isBetween = before >= Math.min(FEW, lettersIn(prefix)) && after >= Math.min(FEW, lettersIn(suffix));
  return isTelling || isBetween ? before + after : 0;
}

function inCommon(text: string, at: number, { exact, prefix, suffix }: Words) {
  const end = at + exact.length;
  let [before, after] = [0, 0];
  while (before < prefix.length && prefix.at(-before - 1) === text[at - before - 1]) before++;
  while (after < suffix.length && suffix[after] === text[end + after]) after++;
  return {
    before: lettersIn(prefix.slice(prefix.length - before)),
    after: lettersIn(suffix.slice(0, after)),
  };
}

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
