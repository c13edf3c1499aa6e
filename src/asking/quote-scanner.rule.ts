import { CLOSINGS, isApostrophe, isOpening, QUOTATION_MARK } from './quote-boundary.rule.ts';

/**
 * A part of an answer: plain text, or a quotation without its marks. `number` is the source's number after the quotation, 3 in
 * `“…” [3]`, or null; `after` is the punctuation between the quotation and the number.
 */
export type AnswerSegment =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'quote';
      readonly quote: string;
      readonly number: number | null;
      readonly after: string;
    };

const OPEN_BRACKET = '[[［【〔]';
const CLOSE_BRACKET = '[\\]］】〕]';
const MARKER = new RegExp(
  `^([\\s.,;:!?)…]{0,3})${OPEN_BRACKET}\\s*\\^?[Pp]?(\\d{1,6})\\s*(?:[,;–-]\\s*\\d{1,6}\\s*)*${CLOSE_BRACKET}`,
);
const MAYBE_MARKER = new RegExp(
  `^[\\s.,;:!?)…]{0,3}(?:${OPEN_BRACKET}\\s*\\^?[Pp]?[^\\]］】〕\\p{L}]{0,24})?$`,
  'u',
);
/** The maximum length of a quotation that is held back, in UTF-16 units; one of 60 words is hardly longer. */
const LONGEST_QUOTATION = 800;
const LONGEST_MARKER = 48;
const DEEPEST = 4;
const PARAGRAPH_END = /\n\s*\n/;

/**
 * Makes a scanner that finds quotations in streamed text, with any kind of quotation marks, and the source's number after each.
 * It holds back a quotation until it is complete, and other text not at all. `end` returns all that is still held back.
 */
export function createQuoteScanner() {
  let held = '';
  let before = '';

  // Yields the parts that are complete. Advances an offset: to cut each part off the text would copy the rest each time.
  function* take(isEnd: boolean): Generator<AnswerSegment> {
    let at = 0;
    for (let open = findOpening(held, at, before); open >= 0; open = findOpening(held, at, before)) {
      const found = readQuote(held, open, isEnd);
      if (open > at) yield { type: 'text', text: held.slice(at, open) };
      at = open;
      if (found === 'waiting') break;
      if (typeof found === 'number') {
        yield { type: 'text', text: held.slice(at, found) };
        at = found;
      } else {
        yield found.segment;
        at = found.end;
      }
    }
    const isWaiting = at < held.length && findOpening(held, at, before) === at;
    if (!isWaiting && at < held.length) {
      yield { type: 'text', text: held.slice(at) };
      at = held.length;
    }
    before = at === 0 ? before : held.slice(Math.max(0, at - 1), at);
    held = held.slice(at);
  }

  return {
    push(text: string): readonly AnswerSegment[] {
      held += text;
      return [...take(false)];
    },
    end: (): readonly AnswerSegment[] => [...take(true)],
  };
}

function findOpening(text: string, from: number, before: string): number {
  const marks = new RegExp(QUOTATION_MARK);
  marks.lastIndex = from;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text))
    if (isOpening(text, mark.index, before)) return mark.index;
  return -1;
}

type Found = { readonly segment: AnswerSegment; readonly end: number };

/**
 * Returns the quotation that begins at the offset `open`; the offset at which to continue if none begins there; 'waiting' if
 * only more text can tell.
 */
function readQuote(text: string, open: number, isEnd: boolean): Found | number | 'waiting' {
  for (const close of closings(text, open)) {
    const rest = text.slice(close + 1, close + LONGEST_MARKER);
    // Only the next characters tell whether this mark is an apostrophe or ends the quotation.
    if (!isEnd && (rest === '' || MAYBE_MARKER.test(rest)) && text.length - close < LONGEST_MARKER)
      return 'waiting';
    const marker = MARKER.exec(rest);
    const quote = text.slice(open + 1, close);
    if (marker === null)
      return { segment: { type: 'quote', quote, number: null, after: '' }, end: close + 1 };
    const [whole, space = '', number] = marker;
    const segment = { type: 'quote', quote, number: Number(number), after: space.trimEnd() } as const;
    return { segment, end: close + 1 + whole.length };
  }
  const isOver = text.length - open > LONGEST_QUOTATION || PARAGRAPH_END.test(text.slice(open));
  return isEnd || isOver ? open + 1 : 'waiting';
}

/** Yields the offsets at which the quotation that begins at `open` may end: “He said “no” to me” ends at its last mark. */
function* closings(text: string, open: number): Generator<number> {
  const opening = text[open]!;
  const closing = CLOSINGS[opening]!;
  const near = text.slice(open, open + LONGEST_QUOTATION + 1);
  const blank = near.search(PARAGRAPH_END);
  const end = open + (blank < 0 ? near.length : blank);
  let depth = 0;
  for (let i = open + 1; i < end; i++) {
    if (closing.includes(text[i]!)) {
      if (isApostrophe(text, i)) continue;
      if (depth === 0) yield i;
      else depth--;
    } else if (text[i] === opening && ++depth > DEEPEST) return;
  }
}
