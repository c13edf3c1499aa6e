import { createTurns } from '../turn.ts';

/**
 * Words of a text and what stands around them, as W3C's TextQuoteSelector (https://www.w3.org/TR/annotation-model/ §4.2.4);
 * `start` in UTF-16 units of the text at `path`.
 */
type Anchor = Words & {
  readonly path: string;
  readonly start: number;
  /** How many letters around them stood around the same words elsewhere too; -1 if these stood nowhere else. */
  readonly alike: number;
};

type Words = { readonly exact: string; readonly prefix: string; readonly suffix: string };

/** Where the words of an anchor stand now. */
type Found = { readonly path: string; readonly start: number };

/** The longest slice that is anchored, and how much is kept on each side, in UTF-16 units. */
export const LONGEST_EXACT = 2_000;
const AROUND = 64;

/**
 * The anchor of a slice of a text; null if there is none: it is empty, too long, outside the text, or begins or ends inside a
 * letter. `others` are the book's other texts; null if they are too many to be searched for the same words.
 */
export function anchorAt(
  path: string,
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  others: readonly string[] | null,
): Anchor | null {
  const exact = text.slice(start, end);
  const isRange = Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end <= text.length;
  if (!isRange || exact.trim() === '' || exact.length > LONGEST_EXACT) return null;
  if (isInLetter(text, start) || isInLetter(text, end)) return null;
  // What is cut in the middle of a surrogate pair would be no text.
  const prefix = text.slice(Math.max(0, start - AROUND), start).replace(/^[\udc00-\udfff]/, '');
  const suffix = text.slice(end, end + AROUND).replace(/[\ud800-\udbff]$/, '');
  let alike = others === null ? 0 : NOWHERE;
  for (const one of [text, ...(others ?? [])])
    for (const at of placesOf(exact, one, one === text ? start : 0)) {
      const [before, after] = inCommon(one, at, { exact, prefix, suffix });
      if (one !== text || at !== start) alike = Math.max(alike, before + after);
    }
  return { path, start, exact, prefix, suffix, alike };
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

const NOWHERE = -1;
/** So many letters on a side are some, so many around the words are no accident, and so many let no other text be looked at. */
const [FEW, ENOUGH, SURE] = [5, 10, 24];
/** Words that stood once, and are that long, are known without what stood around them, in UTF-16 units. */
const LONG = 24;
/** Occurrences that are compared on each side of the old place: one letter may stand in a text a million times. */
const MOST_COMPARED = 1_000;

/** `best` is the place with most letters around it in common, the nearest of equals; `count` how many places were seen. */
type Search = {
  readonly anchor: Anchor;
  best: (Found & { readonly around: number }) | null;
  count: number;
  isTie: boolean;
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
  for (const start of placesOf(anchor.exact, text, isOwn ? anchor.start : 0)) {
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
  if (isPlace || best.around === lettersIn(prefix + suffix)) return best;
  const isOnly = alike === NOWHERE && count === 1 && exact.length >= LONG;
  return isOnly || (!isTie && best.around >= Math.max(alike, 0) + ENOUGH) ? best : null;
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

/** How many letters around the words stand around a place too; 0 if that proves nothing. */
function weigh(text: string, { path, start }: Found, anchor: Anchor): number {
  const { exact, prefix, suffix, alike } = anchor;
  const [before, after] = inCommon(text, start, anchor);
  const isPlace = path === anchor.path && start === anchor.start;
  const isTelling = isPlace || alike === NOWHERE || exact.length >= LONG;
  // Few words that stood elsewhere too are known by both sides: one may have come to stand beside others.
  const isBetween = before >= Math.min(FEW, lettersIn(prefix)) && after >= Math.min(FEW, lettersIn(suffix));
  return isTelling || isBetween ? before + after : 0;
}

/** How many letters of what stood before and behind the words still do. */
function inCommon(text: string, at: number, { exact, prefix, suffix }: Words): readonly [number, number] {
  const end = at + exact.length;
  let [before, after] = [0, 0];
  while (before < prefix.length && prefix.at(-before - 1) === text[at - before - 1]) before++;
  while (after < suffix.length && suffix[after] === text[end + after]) after++;
  return [lettersIn(prefix.slice(prefix.length - before)), lettersIn(suffix.slice(0, after))];
}

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
