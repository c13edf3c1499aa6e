import { createQuoteScanner, type AnswerSegment } from '../passages/quote/quote-scanner.ts';
import type { Source } from '../passages/prompt/source.ts';
import type { AnswerPiece, OpenAnswerParser } from './answer-parser.ts';
import { createPlainText } from './plain-text.ts';
import { createQuoteVerifier, MOST_QUOTES } from './quote-verifier.ts';

/** Replaces each quotation by the book's own slice and cites it. A quotation that is not found loses its marks. */
export const quoteParser: OpenAnswerParser = (sources) => {
  const scanner = createQuoteScanner();
  const verify = createQuoteVerifier();
  const plain = createPlainText(Math.max(sources.length, MOST_QUOTES));

  const show = (segment: AnswerSegment): readonly AnswerPiece[] => {
    if (segment.type === 'text') return plain.push(segment.text);
    const found = verify(segment.quote, sourcesFrom(sources, segment.number));
    if (found === null) return plain.push(segment.quote + segment.after);
    const cites = found.cite === null ? [] : [found.cite];
    return [...plain.flush(), { type: 'text', text: found.shown + segment.after }, ...cites];
  };

  return {
    text: (text) => scanner.push(text).flatMap(show),
    location: () => {},
    blockEnd: () => [],
    end: () => [...scanner.end().flatMap(show), ...plain.flush()],
  };
};

/** The source of that number first, then all others. */
function* sourcesFrom(sources: readonly Source[], number: number | null): Generator<Source> {
  const named = number === null ? undefined : sources[number - 1];
  if (named !== undefined) yield named;
  for (const source of sources) if (source !== named) yield source;
}
