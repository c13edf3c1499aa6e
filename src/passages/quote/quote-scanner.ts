/** Plain text of an answer, or a quote (with its marks) that names a source by its number. */
export type AnswerSegment =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'quote'; readonly text: string; readonly quote: string; readonly number: number };

const OPENING = /[“"«„]/g;
const CLOSINGS: Readonly<Record<string, string>> = { '“': '”', '"': '"', '«': '»', '„': '“”' };
const MARKER = /^[\s.,;:!?)…]{0,3}[[【]\s*\^?[Pp]?(\d{1,6})\s*(?:[,;–-]\s*\d{1,6}\s*)*[\]】]/;
const MAYBE_MARKER = /^[\s.,;:!?)…]{0,3}(?:[[【]\s*\^?[Pp]?[^\]】\p{L}]{0,24})?$/u;
// A marker without a quote before it, with the blank before it; `a[3]` is an index.
const BARE =
  /(?: |(?<![\p{L}\p{N}_)\]]))[[【]\s*\^?[Pp]?\d{1,6}\s*(?:[,;–-]\s*\d{1,6}\s*)*[\]】](?: ?[[【]\s*\d{1,6}\s*[\]】])*/gu;
const MAYBE_BARE = /(?:\s+|\s?[[【]\s*\^?[Pp]?[^\]】\p{L}\n]{0,24})$/u;
/** A quote of 60 words is hardly longer; longer text is not held back. */
const LONGEST = 800;
const LONGEST_MARKER = 64;
/** Nested quotes. */
const DEEPEST = 4;
const PARAGRAPH_END = /\n\s*\n/;

/**
 * Holds each quotation back until it is known whether a source's number follows, as in `“…” [3]`. Other numbers in
 * brackets are dropped; all other text passes at once. `end` returns the text still held.
 */
export function createQuoteScanner() {
  let held = '';
  let before = '';
  return {
    push(text: string): readonly AnswerSegment[] {
      held += text;
      return [...take(false)];
    },
    end: (): readonly AnswerSegment[] => [...take(true)],
  };

  // Works by offsets, since cutting the text at each mark would copy the rest each time.
  function* take(isEnd: boolean): Generator<AnswerSegment> {
    let at = 0;
    for (let open = findOpening(held, at); open >= 0; open = findOpening(held, at)) {
      const found = readQuote(held, open, isEnd);
      yield* plain(held.slice(at, open), true);
      at = open;
      if (found === 'waiting') {
        held = held.slice(at);
        return;
      }
      if (typeof found === 'number') {
        yield* plain(held.slice(at, found), false);
        at = found;
      } else {
        at = found.end;
        before = '';
        yield found.piece;
      }
    }
    const open = isEnd ? 0 : (MAYBE_BARE.exec(held.slice(at).slice(-LONGEST_MARKER))?.[0].length ?? 0);
    yield* plain(held.slice(at, held.length - open), true);
    held = held.slice(held.length - open);
  }

  function* plain(text: string, isWhole: boolean): Generator<AnswerSegment> {
    if (text === '') return;
    // A dropped marker leaves a NUL, so that the marker after it is not read as an index.
    const shown = isWhole ? (before + text).replace(BARE, '\0').slice(before.length) : text;
    before = shown.at(-1) ?? before;
    const kept = shown.replaceAll('\0', '');
    if (kept !== '') yield { type: 'text', text: kept };
  }
}

function findOpening(text: string, from: number): number {
  OPENING.lastIndex = from;
  return OPENING.exec(text)?.index ?? -1;
}

type Found = { readonly piece: AnswerSegment; readonly end: number };

/** The quote that opens at `open`; the offset before which there is no quote; or 'waiting' if more text must come. */
function readQuote(text: string, open: number, isEnd: boolean): Found | number | 'waiting' {
  const noQuote = open + 1;
  for (const close of closings(text, open)) {
    const rest = text.slice(close + 1, close + 48);
    const marker = MARKER.exec(rest);
    if (marker !== null) return quoteAt(text, open, close, marker);
    if (!isEnd && MAYBE_MARKER.test(rest)) return 'waiting';
    return close + 1;
  }
  const isOver = text.length - open > LONGEST || PARAGRAPH_END.test(text.slice(open));
  return isEnd || isOver ? noQuote : 'waiting';
}

function quoteAt(text: string, open: number, close: number, marker: RegExpExecArray): Found {
  const before = /^[^[【]*/.exec(marker[0])![0].trimEnd();
  return {
    end: close + 1 + marker[0].length,
    piece: {
      type: 'quote',
      text: text.slice(open, close + 1) + before,
      quote: text.slice(open + 1, close),
      number: Number(marker[1]),
    },
  };
}

/** The offsets at which the quote that opens at `open` may close: “He said “no” to me” closes at its last mark. */
function* closings(text: string, open: number): Generator<number> {
  const opening = text[open]!;
  const closing = CLOSINGS[opening]!;
  const near = text.slice(open, open + LONGEST + 1);
  const blank = near.search(PARAGRAPH_END);
  const end = open + (blank < 0 ? near.length : blank);
  let depth = 0;
  for (let i = open + 1; i < end; i++) {
    if (closing.includes(text[i]!)) {
      if (depth === 0) yield i;
      else depth--;
    } else if (text[i] === opening && ++depth > DEEPEST) return;
  }
}
