import { findQuote } from '../passages/quote/find-quote.ts';
import { type NormalizedText, normalizeText } from '../passages/quote/normalized-text.ts';
import { createQuoteScanner, type AnswerSegment } from '../passages/quote/quote-scanner.ts';
import type { Source } from '../passages/prompt/source.ts';
import { citationOf, type OpenAnswerParser } from './answer-parser.ts';

/** A quote whose number is wrong is looked for in other sources, of this many characters at most. */
const MOST_SEARCHED = 60_000;
/** Of one answer; a model that writes more quotes than this is no longer looked after. */
const MOST_QUOTES = 100;
const MARKS = /^[“"«„]|[”"»“](?=[\s.,;:!?)…]{0,3}$)/g;

/** Quotes in text: each is held back until it is found in a source; what is not found loses its marks and its number. */
export const quoteParser: OpenAnswerParser = (sources) => {
  const hold = createQuoteScanner();
  const folded = new Map<Source, NormalizedText>();
  let left = MOST_QUOTES;

  const fold = (source: Source): NormalizedText => {
    const text = folded.get(source) ?? normalizeText(source.text);
    folded.set(source, text);
    return text;
  };

  const speak = (piece: AnswerSegment): ReturnType<ReturnType<OpenAnswerParser>['text']> => {
    if (piece.type === 'text') return [piece];
    const cite = left-- > 0 ? verify(sources, fold, piece.quote, piece.number) : null;
    return cite === null
      ? [{ type: 'text', text: piece.text.replace(MARKS, '') }]
      : [{ type: 'text', text: piece.text }, cite];
  };

  return {
    text: (text) => hold.push(text).flatMap(speak),
    location: () => {},
    blockEnd: () => [],
    end: () => hold.end().flatMap(speak),
  };
};

function verify(
  sources: readonly Source[],
  fold: (source: Source) => NormalizedText,
  quote: string,
  number: number,
) {
  let left = MOST_SEARCHED;
  const named = sources[number - 1];
  for (const source of named === undefined ? sources : [named, ...sources]) {
    left -= source.text.length;
    if (left < 0) return null;
    const found = findQuote(fold(source), quote);
    if (found !== null) return citationOf(source, found.start, found.end);
  }
  return null;
}
