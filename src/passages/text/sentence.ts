/** UTF-16 offsets of a part of a text. */
export type Range = { readonly start: number; readonly end: number };

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' });
// UAX #29 ends a sentence at every line break: single ones are folded for hard-wrapped prose, except before a list.
const SOFT_BREAK = /\r\n|[\n\r\u0085\u2028\u2029]/g;
const BLOCK_BEGIN = /[ \t]{0,40}(?:[\n\r]|[-*+|>#]|\d{1,3}[.)]\s)/y;
const ABBREVIATION =
  /(?:^|[\s("“])(?:Mr|Mrs|Ms|Dr|St|Mt|Prof|Rev|Capt|Col|Gen|Sr|Jr|No|vol|Fig|cf|vs|[A-Z])\.\s*$/u;

/** The sentences of `start..end` without the white space around them, in linear time (Unicode UAX #29). */
export function sentencesOf(text: string, start = 0, end = text.length): readonly Range[] {
  const found: Range[] = [];
  let begin = -1;
  for (const { segment, index } of SEGMENTER.segment(joinLines(text.slice(start, end)))) {
    if (begin < 0) begin = start + index;
    if (ABBREVIATION.test(segment.slice(-12))) continue;
    push(found, trim(text, begin, start + index + segment.length));
    begin = -1;
  }
  if (begin >= 0) push(found, trim(text, begin, end));
  return found;
}

/** `start..end` without white space at either end; empty if there is nothing else. */
export function trim(text: string, start: number, end: number): Range {
  const slice = text.slice(start, end);
  const from = start + slice.length - slice.trimStart().length;
  return { start: from, end: Math.max(from, start + slice.trimEnd().length) };
}

function push(ranges: Range[], range: Range): void {
  if (range.end > range.start) ranges.push(range);
}

// Keeps the length, so that offsets hold.
function joinLines(text: string): string {
  return text.replace(SOFT_BREAK, (mark, offset: number) => {
    BLOCK_BEGIN.lastIndex = offset + mark.length;
    return BLOCK_BEGIN.test(text) ? mark : ' '.repeat(mark.length);
  });
}
