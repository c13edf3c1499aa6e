import { findQuote } from '../passages/quote/find-quote.ts';
import { type NormalizedText, normalizeText } from '../passages/quote/normalized-text.ts';
import { createQuoteScanner, type AnswerSegment } from '../passages/quote/quote-scanner.ts';
import type { Source } from '../passages/prompt/source.ts';
import { type AnswerPiece, citationOf, type OpenAnswerParser } from './answer-parser.ts';

/** If a quote's number is wrong, other sources are searched, up to this many characters in all. */
const MOST_SEARCHED = 60_000;
/** Further quotes of an answer are shown without marks. */
const MOST_QUOTES = 100;
const MARKS = /^[“"«„]|[”"»“](?=[\s.,;:!?)…]{0,3}$)/g;

/** Holds each quote back until it is found in a source. A quote that is not found loses its marks and its number. */
export const quoteParser: OpenAnswerParser = (sources) => {
  const scanner = createQuoteScanner();
  const normalized = new Map<Source, NormalizedText>();
  let left = MOST_QUOTES;

  const normalize = (source: Source): NormalizedText => {
    const text = normalized.get(source) ?? normalizeText(source.text);
    normalized.set(source, text);
    return text;
  };

  const verify = (segment: AnswerSegment): readonly AnswerPiece[] => {
    if (segment.type === 'text') return [segment];
    const cite = left-- > 0 ? findCitation(sources, normalize, segment.quote, segment.number) : null;
    return cite === null
      ? [{ type: 'text', text: segment.text.replace(MARKS, '') }]
      : [{ type: 'text', text: segment.text }, cite];
  };

  return {
    text: (text) => scanner.push(text).flatMap(verify),
    location: () => {},
    blockEnd: () => [],
    end: () => scanner.end().flatMap(verify),
  };
};

function findCitation(
  sources: readonly Source[],
  normalize: (source: Source) => NormalizedText,
  quote: string,
  number: number,
): AnswerPiece | null {
  let left = MOST_SEARCHED;
  const named = sources[number - 1];
  for (const source of named === undefined ? sources : [named, ...sources]) {
    left -= source.text.length;
    if (left < 0) return null;
    const found = findQuote(normalize(source), quote);
    if (found !== null) return citationOf(source, found.start, found.end);
  }
  return null;
}
