import type { Attributes, HtmlWriter } from './html-writer.ts';
import type { Ids } from './ids.ts';
import type { Links } from '../item-links.ts';
import type { FormulaReader } from './math-ml.ts';
import type { MarkdownSource } from './parser.ts';
import type { Words } from '../../words/words.ts';

export type Heading = { readonly level: number; readonly id: string; readonly title: string };

/**
 * Numbers in an array, or in a typed array over a file's bytes: a long text has hundreds of thousands, which should not
 * be copied.
 */
type Numbers = ArrayLike<number> & Iterable<number>;

/**
 * A text as a page shows it.
 * - `runs` has four numbers for each stretch of shown text: its offset and length in the HTML, its offset in the source,
 *   and the length in the source if it is written differently there (an entity, a formula), else 0.
 * - `blocks` has four for each block: begin and end in the HTML, and in the source.
 * - `unplaced` has begin and end of source ranges of which some text is shown without a run.
 */
export type Rendered = {
  readonly html: string;
  readonly runs: Numbers;
  readonly blocks: Numbers;
  readonly unplaced: Numbers;
  readonly headings: readonly Heading[];
};

export type Page = {
  readonly source: MarkdownSource;
  readonly writer: HtmlWriter;
  readonly links: Links;
  readonly words: Words['bookText'];
  readonly ids: Ids;
  readonly shift: number;
  readonly anchors: boolean;
  readonly headings: Heading[];
  readonly readFormula: FormulaReader;
};

/** Returns the attributes of a link. One to another site has `rel`, so that the stall does not vouch for that site. */
export const linkAttributes = (address: string): Attributes =>
  /^[a-z][a-z\d+.-]*:/i.test(address) ? { href: address, rel: 'nofollow noopener' } : { href: address };

/** Thrown if a text is too deep or too large to be shown as markup. */
export class TooMuch extends Error {}

export type TextSlice = { readonly start: number; readonly end: number };

type Range = { from: number; to: number };

/**
 * The places in the HTML at which a passage is marked: 'marks' are stretches of text between tags, 'frame' is one frame
 * around a block.
 */
export type Marking = { readonly kind: 'marks' | 'frame'; readonly ranges: readonly Range[] };

export const findMarks = (rendered: Rendered, slice: TextSlice): Marking | null =>
  createMarker(rendered)(slice);

/**
 * Creates a function that finds a slice of the source in the HTML: as stretches of text between tags, or, if it is
 * unknown where part of the text is shown, as the smallest block around it. It returns null if there is nothing to mark.
 */
export function createMarker({
  html,
  runs,
  blocks,
  unplaced,
}: Rendered): (slice: TextSlice) => Marking | null {
  const runsOf = indexRuns(runs);
  return ({ start, end }) => {
    const ranges: Range[] = [];
    for (const n of runsOf(start, end)) {
      const range = clip(runs, n, start, end);
      if (range !== null) append(ranges, range, html);
    }
    const shown = ranges.filter(({ from, to }) => /\S/.test(html.slice(from, to)));
    if (shown.length > 0 && !overlaps(unplaced, start, end)) return { kind: 'marks', ranges: shown };
    const block = smallestBlock(blocks, start, end);
    return block === null ? null : { kind: 'frame', ranges: [block] };
  };
}

/**
 * Returns the first number below `count` for which `holds` is true, by binary search: it must be true for all later ones too.
 * Returns `count` if it is true for none.
 */
export function firstWhere(count: number, holds: (n: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Makes a function that finds the runs (stretches of shown text) that come from a slice of the source, in their order in the
 * HTML.
 */
function indexRuns(runs: Numbers): (start: number, end: number) => readonly number[] {
  const sourceEnd = (n: number): number => runs[n + 2]! + Math.max(runs[n + 1]!, runs[n + 3]!);
  const order = Uint32Array.from({ length: runs.length / 4 }, (_, i) => 4 * i);
  order.sort((a, b) => runs[a + 2]! - runs[b + 2]!);
  // For each run, the largest end in the source of this run and those before it: the source of one run may contain that of a
  // later one.
  let furthest = 0;
  const ends = Float64Array.from(order, (n) => (furthest = Math.max(furthest, sourceEnd(n))));
  return (start, end) => {
    const from = firstWhere(order.length, (n) => ends[n]! > start);
    const to = firstWhere(order.length, (n) => runs[order[n]! + 2]! >= end);
    return [...order.subarray(from, to)].filter((n) => sourceEnd(n) > start).sort((a, b) => a - b);
  };
}

/**
 * Finds the slice of the source for text that a reader selected: `count` characters from number `from` on, not counting
 * white space. Null if the source of an end is unknown.
 */
export function sourceOf({ html, runs }: Rendered, from: number, count: number): TextSlice | null {
  const places = [from, from + count - 1].map((n) => placeShown(html, n));
  const [first, last] = places.map((at) => (at === null ? -1 : runAt(runs, at)));
  if (first === undefined || last === undefined || first === -1 || last === -1) return null;
  const isWritten = (n: number): boolean => runs[n + 3]! > 0;
  const start = runs[first + 2]! + (isWritten(first) ? 0 : places[0]! - runs[first]!);
  const end = runs[last + 2]! + (isWritten(last) ? runs[last + 3]! : places[1]! - runs[last]! + 1);
  return start < end ? { start, end } : null;
}

/**
 * Finds the offset in the HTML of the shown character number `n`, counted from 0 without white space; null if there are
 * fewer.
 */
function placeShown(html: string, n: number): number | null {
  let seen = 0;
  for (const { 0: part, index } of html.matchAll(/<[^<>]*>|&\w+;|[^<&]+/g)) {
    if (part.startsWith('<')) continue;
    const count = part.startsWith('&') ? 1 : part.replace(/\s+/g, '').length;
    if (seen + count <= n) {
      seen += count;
      continue;
    }
    for (const { index: at } of part.matchAll(/\S/g)) if (seen++ === n) return index + at;
  }
  return null;
}

function runAt(runs: Numbers, at: number): number {
  for (let n = 0; n < runs.length; n += 4) if (runs[n]! <= at && at < runs[n]! + runs[n + 1]!) return n;
  return -1;
}

function clip(runs: Numbers, n: number, start: number, end: number): Range | null {
  const [at, length, source, written] = [runs[n]!, runs[n + 1]!, runs[n + 2]!, runs[n + 3]!];
  // If the source writes this stretch of text differently, as an entity, it is marked as a whole or not at all.
  if (written > 0) return source >= start && source + written <= end ? { from: at, to: at + length } : null;
  const from = Math.max(start, source);
  const to = Math.min(end, source + length);
  return from < to ? { from: at + from - source, to: at + to - source } : null;
}

/**
 * Adds a range, or extends the last one if only white space lies between them. Ranges may come out of order, since notes
 * follow the text that refers to them.
 */
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
    // A block without visible text, such as an HTML comment, cannot be framed.
    if (from === to || first > start || last < end || last - first >= size) continue;
    [smallest, size] = [{ from, to }, last - first];
  }
  return smallest;
}

/** The slices must not overlap. */
export const markedHtml = (rendered: Rendered, slices: readonly TextSlice[]): string =>
  slices
    .flatMap((slice) => {
      const found = findMarks(rendered, slice);
      return found?.kind === 'marks' ? found.ranges : [];
    })
    .sort((one, other) => other.from - one.from)
    .reduce(
      (html, { from, to }) => `${html.slice(0, from)}<mark>${html.slice(from, to)}</mark>${html.slice(to)}`,
      rendered.html,
    );

/**
 * A marking with the id of its first element: `mark`, or the id of a reader's note. `isWritten` is true if the reader
 * wrote something in the note.
 */
export type NamedMarking = { readonly id: string; readonly marking: Marking; readonly isWritten?: boolean };

type Tag = { readonly at: number; readonly tag: string };

/**
 * Lists the tags to insert into the HTML for these markings, in order, with their offsets. Text that several markings cover
 * gets one element; it belongs to the note among them that began last.
 */
export function tagsOf(markings: readonly NamedMarking[]): readonly Tag[] {
  const named = new Set<string>();
  /**
   * Makes the start tag for text that the markings `covering` cover. Those in `begun` begin here: of the ids that
   * are not in the text yet, the first is the element's, and each other gets an empty element.
   */
  const open = (start: string, begun: readonly NamedMarking[], covering: readonly NamedMarking[]): string => {
    const [first, ...others] = begun.filter(({ id }) => !named.has(id)).map(({ id }) => ` id="${id}"`);
    for (const { id } of begun) named.add(id);
    const note = covering.findLast(({ id }) => id !== 'mark');
    const written = covering.some(({ isWritten }) => isWritten === true) ? ' data-written' : '';
    const own = note === undefined ? '' : ` data-note="${note.id}"${written}`;
    return `<${start}${own}${first ?? ''}>${others.map((id) => `<a${id}></a>`).join('')}`;
  };
  const { marks = [], frame: frames = [] } = Object.groupBy(markings, ({ marking }) => marking.kind);
  const active: NamedMarking[] = [];
  const ofMarks = edgesOf(marks).map(([at, edges]) => {
    const close = active.length > 0 ? '</mark>' : '';
    for (const { one, isEnd } of edges)
      if (isEnd) active.splice(active.indexOf(one), 1);
      else active.push(one);
    const begun = edges.flatMap(({ one, isEnd }) => (isEnd ? [] : [one]));
    const isOpen = active.length > 0;
    return { at, rank: isOpen ? 3 : 0, tag: close + (isOpen ? open('mark', begun, active) : '') };
  });
  const ofFrames = Map.groupBy(frames, ({ marking: { ranges } }) => `${ranges[0]!.from} ${ranges[0]!.to}`)
    .values()
    .map((some) => ({ ...some[0]!.marking.ranges[0]!, some }))
    .toArray()
    // Of frames that begin at the same place, the largest comes first, so that it encloses the others.
    .sort((a, b) => b.to - b.from - (a.to - a.from))
    .flatMap(({ from, to, some }) => [
      { at: from, rank: 2, tag: open('div class="marked"', some, some) },
      { at: to, rank: 1, tag: '</div>' },
    ]);
  return [...ofMarks, ...ofFrames].sort((a, b) => a.at - b.at || a.rank - b.rank);
}

function edgesOf(markings: readonly NamedMarking[]) {
  const edges = markings.flatMap((one) =>
    one.marking.ranges.flatMap(({ from, to }) => [
      { at: from, one, isEnd: false },
      { at: to, one, isEnd: true },
    ]),
  );
  edges.sort((a, b) => a.at - b.at);
  return [...Map.groupBy(edges, ({ at }) => at)];
}
