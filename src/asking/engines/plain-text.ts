import { createMarkerFilter } from '../model-output.rule.ts';
import { dropQuotationMarks } from '../quote-boundary.rule.ts';
import type { AnswerSegment } from '../quote-scanner.rule.ts';
import type { AnswerPiece } from './answer-filter.ts';
import type { VerifiedQuote } from './quote-verifier.ts';

type QuoteSegment = Extract<AnswerSegment, { type: 'quote' }>;

export function createPlainText(mostNumber: number) {
  const markers = createMarkerFilter(mostNumber);
  let before = '';
  const piecesOf = (text: string): readonly AnswerPiece[] => (text === '' ? [] : [{ type: 'text', text }]);
  const push = (text: string): readonly AnswerPiece[] => {
    const unmarked = dropQuotationMarks(text, before);
    before = (before + text).slice(-2);
    return piecesOf(markers.push(unmarked));
  };
  /** Returns the text held back. Call it before a quote, which is not the model's own text. */
  const flush = (): readonly AnswerPiece[] => {
    before = '';
    return piecesOf(markers.end());
  };
  return {
    push,
    flush,
    /** Returns a quote in the book's own words with its citation, or, if it was not found, the model's words without marks. */
    quote({ quote, after }: QuoteSegment, found: VerifiedQuote | null): readonly AnswerPiece[] {
      if (found === null) return push(quote + after);
      const cites = found.cite === null ? [] : [found.cite];
      return [
        ...flush(),
        { type: 'text', text: found.shown, isQuoted: true },
        { type: 'text', text: after },
        ...cites,
      ];
    },
  };
}
