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
  };
}

/** Whether an offset parts the units of one code point, or a letter from its marks. */
function isInLetter(text: string, at: number): boolean {
  const after = text.codePointAt(at);
  if (at === 0 || after === undefined) return false;
  return (text.codePointAt(at - 1) ?? 0) > 0xffff || /^[\p{M}\u200d]/u.test(String.fromCodePoint(after));
}

/**
 * Where the words of an anchor stand in the texts of another edition: in their place, else where most of what stood around
 * them still does, in their own text before others, the nearest of equals. Null if they are nowhere. `read` gives a text,
 * '' for one that is gone; `paths` are the texts in reading order.
 */
export async function findAnchor(
  anchor: Anchor,
  paths: readonly string[],
  read: (path: string) => Promise<string>,
): Promise<Found | null> {
  const { path, start, exact } = anchor;
  if ((await read(path)).startsWith(exact, start)) return { path, start };
  let best: Candidate | null = null;
  for (const one of [path, ...paths.filter((other) => other !== path)]) {
    best = bestIn(one, await read(one), anchor, best);
    // Another text counts only if what stood around the words is not in their own.
    if (best !== null && best.around >= SURE) break;
  }
  return best;
}

type Candidate = Found & { readonly around: number };

/** Occurrences that are compared in one text: one letter may stand there a million times. */
const MOST_COMPARED = 2_000;
/** So many units around the words in common are no accident. */
const SURE = 12;

function bestIn(path: string, text: string, anchor: Anchor, before: Candidate | null): Candidate | null {
  const { exact } = anchor;
  let best = before;
  let left = MOST_COMPARED;
  for (let at = text.indexOf(exact); at !== -1 && left-- > 0; at = text.indexOf(exact, at + 1)) {
    const around = inCommon(text, at, anchor);
    const isNearer = best?.path === path && Math.abs(at - anchor.start) < Math.abs(best.start - anchor.start);
    if (best === null || around > best.around || (around === best.around && isNearer))
      best = { path, start: at, around };
  }
  return best;
}

/** How many units of what stood before and behind the words still do. */
function inCommon(text: string, at: number, { exact, prefix, suffix }: Anchor): number {
  const end = at + exact.length;
  let before = 0;
  while (before < prefix.length && prefix.at(-1 - before) === text[at - 1 - before]) before++;
  let after = 0;
  while (after < suffix.length && suffix[after] === text[end + after]) after++;
  return before + after;
}
