import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Words of a text and what stands around them, as W3C's TextQuoteSelector (https://www.w3.org/TR/annotation-model/ §4.2.4);
 * `start` in UTF-16 units of the text at `path`.
 */
export type Anchor = {
  readonly path: string;
  readonly start: number;
  readonly exact: string;
  readonly prefix: string;
  readonly suffix: string;
  /** 0 if the words stood nowhere else. */
  readonly others: number;
};

/** Where the words of an anchor stand now. */
export type Found = { readonly path: string; readonly start: number };

/** The longest slice that is anchored, and how much is kept on each side, in UTF-16 units. */
export const LONGEST_EXACT = 2_000;
const AROUND = 64;

/** The anchor of a slice of a text; null if there is none: it is empty, too long, outside the text, or begins or ends inside a letter. */
export function anchorAt(path: string, text: string, start: number, end: number): Anchor | null {
  const exact = text.slice(start, end);
  const isRange = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end <= text.length;
  if (!isRange || exact.trim() === '' || exact.length > LONGEST_EXACT) return null;
  if (isInLetter(text, start) || isInLetter(text, end)) return null;
  const prefix = text.slice(Math.max(0, start - AROUND), start);
  const suffix = text.slice(end, end + AROUND);
  // What is cut in the middle of a surrogate pair would be no text.
  return {
    path,
    start,
    exact,
    prefix: prefix.replace(/^[\udc00-\udfff]/, ''),
    suffix: suffix.replace(/[\ud800-\udbff]$/, ''),
    others: Number(text.indexOf(exact) !== text.lastIndexOf(exact)),
  };
}

const LETTERS = new Intl.Segmenter();
/** No letter with its marks is longer, in UTF-16 units, unless it is made to be. */
const LETTER = 32;

/** Whether an offset is within a letter as readers see it, with its marks. */
function isInLetter(text: string, at: number): boolean {
  const from = Math.max(0, at - LETTER);
  const letter = LETTERS.segment(text.slice(from, at + LETTER)).containing(at - from);
  return letter !== undefined && letter.index !== at - from;
}

/** So many letters around the words are enough to know them by, so many let no other text be looked at, and so many are on both sides. */
const [ENOUGH, SURE, CERTAIN] = [10, 24, 70];
/** Words that stood once, and are that long, are known without what stood around them, in UTF-16 units. */
const LONG = 24;
/** Occurrences that are compared on each side of the old place: one letter may stand in a text a million times. */
const MOST_COMPARED = 1_000;
/** How long others wait for a turn at most while words are looked for, in milliseconds. */
const TURN = 4;

/** `best` is the place with most letters around it in common, `isTie` whether there are several, `count` how many were seen. */
type Search = {
  readonly anchor: Anchor;
  best: (Found & { readonly around: number }) | null;
  count: number;
  isTie: boolean;
  isReplaced: boolean;
};

/**
 * Where the words of anchors stand in the texts of another edition, null for those that are nowhere: in their place, else
 * where most of what stood around them still does, in their own text before others. Words that stood twice, or are few, are
 * found by what stood around them alone: other words that read the same are not theirs. `read` gives a text, '' for one that
 * is gone; `paths` are all texts.
 */
export async function findAnchors(
  anchors: readonly Anchor[],
  paths: readonly string[],
  read: (path: string) => Promise<string>,
): Promise<readonly (Found | null)[]> {
  const searches = anchors.map((anchor): Search => ({
    anchor,
    best: null,
    count: 0,
    isTie: false,
    isReplaced: false,
  }));
  const isOpen = ({ best }: Search): boolean => best === null || best.around < SURE;
  let turn = performance.now();
  const lookIn = async (path: string, some: readonly Search[]): Promise<void> => {
    const text = some.length > 0 ? await read(path) : '';
    for (const search of some) {
      look(search, path, text);
      if (performance.now() - turn < TURN) continue;
      await nextTurn();
      turn = performance.now();
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
  const near = path === anchor.path ? anchor.start : 0;
  for (const start of placesOf(anchor.exact, text, near)) {
    search.count++;
    const around = inCommon(text, start, anchor);
    const best = search.best?.around ?? -1;
    if (around > best) search.best = { path, start, around };
    search.isTie = around > best ? false : search.isTie || around === best;
    if (start === anchor.start && path === anchor.path && around >= SURE) return;
  }
  if (path === anchor.path && (search.best?.around ?? 0) < CERTAIN)
    search.isReplaced = isReplaced(text, anchor);
}

/** Whether other words stand now between what stood around the words. */
function isReplaced(text: string, { exact, prefix, suffix }: Anchor): boolean {
  const [before, after] = [prefix.slice(-AROUND / 2), suffix.slice(0, AROUND / 2)];
  const found = text.indexOf(before);
  const from = found + before.length;
  const to = after === '' ? text.length : text.indexOf(after, from);
  const between = text.slice(from, Math.max(from, to));
  if (found === -1 || between.length > 2 * exact.length + AROUND) return false;
  return /[\p{L}\p{N}]/u.test(between) && !between.includes(exact);
}

function decide({ anchor: { exact, others }, best, count, isTie, isReplaced }: Search): Found | null {
  if (best === null || isReplaced) return null;
  const isKnown = best.around >= (isTie ? CERTAIN : ENOUGH);
  return isKnown || (others === 0 && count === 1 && exact.length >= LONG) ? best : null;
}

/** Where the words stand, from the old place on and then back from it. */
function* placesOf(exact: string, text: string, near: number): Generator<number, void> {
  let left = MOST_COMPARED;
  for (let at = text.indexOf(exact, near); at !== -1 && left-- > 0; at = text.indexOf(exact, at + 1))
    yield at;
  left = MOST_COMPARED;
  for (let at = near; at > 0 && left-- > 0;) {
    at = text.lastIndexOf(exact, at - 1);
    if (at !== -1) yield at;
  }
}

/** How many letters of what stood before and behind the words still do. */
function inCommon(text: string, at: number, { exact, prefix, suffix }: Anchor): number {
  const isLetter = (unit: string): boolean => unit > '@';
  const end = at + exact.length;
  let letters = 0;
  for (let n = 1; n <= prefix.length && prefix.at(-n) === text[at - n]; n++)
    letters += Number(isLetter(prefix.at(-n)!));
  for (let n = 0; n < suffix.length && suffix[n] === text[end + n]; n++)
    letters += Number(isLetter(suffix[n]!));
  return letters;
}
