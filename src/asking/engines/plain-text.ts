import { createMarkerFilter } from '../model-output.rule.ts';
import { dropQuotationMarks } from '../quote-boundary.rule.ts';
import type { AnswerPiece } from './answer-filter.ts';

export function createPlainText(mostNumber: number) {
  const markers = createMarkerFilter(mostNumber);
  let before = '';
  const piecesOf = (text: string): readonly AnswerPiece[] => (text === '' ? [] : [{ type: 'text', text }]);
  return {
    push(text: string): readonly AnswerPiece[] {
      const unmarked = dropQuotationMarks(text, before);
      before = (before + text).slice(-2);
      return piecesOf(markers.push(unmarked));
    },
    /** Returns the text still held back. Call it before a quote, which is not the model's own text. */
    flush(): readonly AnswerPiece[] {
      before = '';
      return piecesOf(markers.end());
    },
  };
}
