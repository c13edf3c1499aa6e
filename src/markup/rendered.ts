import type { Attributes, HtmlWriter } from './html-writer.ts';
import type { Ids } from './ids.ts';
import type { Source } from './parser.ts';

export type Heading = { readonly level: number; readonly id: string; readonly title: string };

/** An array, or a view of bytes: a long text has hundreds of thousands of numbers, which are not copied. */
type Numbers = ArrayLike<number> & Iterable<number>;

/**
 * A text as a page shows it. `runs` holds four numbers a stretch of shown text: offset and length in the HTML, offset in
 * the source, and how long the source of a character is that is written otherwise there, else 0. `blocks` holds begin and
 * end of every block in the HTML and in the source; `unplaced` source ranges of which some text is shown without a run.
 */
export type Rendered = {
  readonly html: string;
  readonly runs: Numbers;
  readonly blocks: Numbers;
  readonly unplaced: Numbers;
  readonly headings: readonly Heading[];
};

/** A text while it is written: what it comes from, where it goes, and what has been met on the way. */
export type Page = {
  readonly source: Source;
  readonly writer: HtmlWriter;
  readonly links: Links;
  readonly ids: Ids;
  readonly shift: number;
  readonly anchors: boolean;
  readonly headings: Heading[];
};

/** Scripts that are written from right to left, and languages that are written in one of them unless they say otherwise. */
const SCRIPTS = new Set('Adlm Arab Hebr Mand Nkoo Rohg Samr Syrc Thaa Aran Armi Phnx'.split(' '));
const LANGUAGES = new Set(
  'ar arc arz ary apc ckb dv fa glk he khw ks lrc mzn nqo pnb prs ps sd syr ug ur yi iw ji azb bal bqi'.split(
    ' ',
  ),
);

/** The direction of text in a language, a BCP 47 tag: by its script, else by the language's own. */
export function directionOf(language: string | null): 'ltr' | 'rtl' {
  const [name = '', ...rest] = (language ?? '').split('-');
  const script = rest.find((part) => /^[a-z]{4}$/i.test(part));
  if (script !== undefined) {
    const title = script[0]!.toUpperCase() + script.slice(1).toLowerCase();
    return SCRIPTS.has(title) ? 'rtl' : 'ltr';
  }
  return LANGUAGES.has(name.toLowerCase()) ? 'rtl' : 'ltr';
}

/** Resolves the addresses of a text on the page that shows it; null if one leads nowhere. */
export type Links = {
  readonly href: (target: string) => string | null;
  readonly image: (target: string) => string | null;
  /** The size of an image in pixels, or another of the same shape, so that its place is kept while it is loaded. */
  readonly sizeOf?: (target: string) => { readonly width: number; readonly height: number } | undefined;
};

/** Addresses that lead out: to other sites and to mailboxes, with the scheme they need. Null for every other. */
export function outsideAddress(target: string): string | null {
  const address = target.trim();
  return /^(?:https?:\/\/[^\s/\\]|mailto:[^\s/\\])/i.test(address) && !/[\0-\x20\x7f]/.test(address)
    ? address
    : null;
}

/** The attributes of a link, among them `rel`, so that the stall vouches for no other site. */
export function linkAttributes(address: string): Attributes {
  return /^[a-z][a-z\d+.-]*:/i.test(address)
    ? { href: address, rel: 'nofollow noopener' }
    : { href: address };
}

/** Thrown where a text is too deep or too much to be shown as markup. */
export class TooMuch extends Error {}

/** A stretch of a source, in UTF-16 offsets. */
export type Slice = { readonly start: number; readonly end: number };

type Range = { from: number; to: number };

/** What of a rendered text is marked: stretches of text between tags, else one frame around a block. */
export type Marking = { readonly kind: 'marks' | 'frame'; readonly ranges: readonly Range[] };

/**
 * Where in the HTML of `rendered` the slice is: each stretch of its text between two tags; where not all of its text has a
 * known place, or it has none, the smallest block around it. Null where there is nothing to mark.
 */
export function findMarks({ html, runs, blocks, unplaced }: Rendered, { start, end }: Slice): Marking | null {
  const ranges: Range[] = [];
  for (let n = 0; n < runs.length; n += 4) {
    const source = runs[n + 2]!;
    if (source >= end || (source + runs[n + 1]! <= start && source + runs[n + 3]! <= start)) continue;
    const range = clip(runs, n, start, end);
    if (range !== null) append(ranges, range, html);
  }
  const shown = ranges.filter(({ from, to }) => /\S/.test(html.slice(from, to)));
  if (shown.length > 0 && !overlaps(unplaced, start, end)) return { kind: 'marks', ranges: shown };
  const block = smallestBlock(blocks, start, end);
  return block === null ? null : { kind: 'frame', ranges: [block] };
}

function clip(runs: Numbers, n: number, start: number, end: number): Range | null {
  const [at, length, source, written] = [runs[n]!, runs[n + 1]!, runs[n + 2]!, runs[n + 3]!];
  // A character that is written otherwise is marked whole or not at all.
  if (written > 0) return source >= start && source + written <= end ? { from: at, to: at + length } : null;
  const from = Math.max(start, source);
  const to = Math.min(end, source + length);
  return from < to ? { from: at + from - source, to: at + to - source } : null;
}

/** Joins what only white space parts. Notes stand after the text they were written in: the ranges need not be in order. */
function append(ranges: Range[], range: Range, html: string): void {
  const last = ranges.at(-1);
  if (last !== undefined && range.from >= last.to && /^\s*$/.test(html.slice(last.to, range.from)))
    last.to = range.to;
  else ranges.push(range);
}

function overlaps(pairs: Numbers, start: number, end: number): boolean {
  for (let n = 0; n < pairs.length; n += 2) if (pairs[n]! < end && start < pairs[n + 1]!) return true;
  return false;
}

function smallestBlock(blocks: Numbers, start: number, end: number): Range | null {
  let [smallest, size] = [null as Range | null, Infinity];
  for (let n = 0; n < blocks.length; n += 4) {
    const [from, to, first, last] = [blocks[n]!, blocks[n + 1]!, blocks[n + 2]!, blocks[n + 3]!];
    if (first > start || last < end || last - first >= size) continue;
    [smallest, size] = [{ from, to }, last - first];
  }
  return smallest;
}

/** The HTML with each slice of the source marked, where its text has a known place. No two of them overlap. */
export function markedHtml(rendered: Rendered, slices: readonly Slice[]): string {
  return slices
    .flatMap((slice) => {
      const found = findMarks(rendered, slice);
      return found?.kind === 'marks' ? found.ranges : [];
    })
    .sort((one, other) => other.from - one.from)
    .reduce(
      (html, { from, to }) => `${html.slice(0, from)}<mark>${html.slice(from, to)}</mark>${html.slice(to)}`,
      rendered.html,
    );
}

/** The tags that a marking puts into the HTML, in order, with their offsets; the first has the id `mark`. */
export function tagsOf({ kind, ranges }: Marking): readonly { readonly at: number; readonly tag: string }[] {
  const [open, close] = kind === 'marks' ? ['<mark', '</mark>'] : ['<div class="marked"', '</div>'];
  return ranges
    .toSorted((one, other) => one.from - other.from)
    .flatMap(({ from, to }, n) => [
      { at: from, tag: `${open}${n === 0 ? ' id="mark"' : ''}>` },
      { at: to, tag: close },
    ]);
}
