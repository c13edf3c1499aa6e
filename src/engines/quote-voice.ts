import { findQuote } from '../passages/find-quote.ts';
import { foldText } from '../passages/fold.ts';
import { createQuoteHold, type HeldPiece } from '../passages/quote-hold.ts';
import type { Source } from '../passages/source.ts';
import { citeOf, type OpenVoice } from './voice.ts';

/** A quote whose number is wrong is looked for in other sources, of this many characters at most. */
const MOST_SEARCHED = 60_000;
const MARKS = /^[“"«„]|[”"»“](?=[\s.,;:!?)…]{0,3}$)/g;

/** Quotes in text: each is held back until it is found in a source; what is not found loses its marks and its number. */
export const quoteVoice: OpenVoice = (sources) => {
  const hold = createQuoteHold();
  const say = (pieces: readonly HeldPiece[]) => pieces.flatMap((piece) => speak(sources, piece));
  return {
    text: (text) => say(hold.push(text)),
    location: () => {},
    blockEnd: () => [],
    end: () => say(hold.end()),
  };
};

function speak(sources: readonly Source[], piece: HeldPiece): ReturnType<ReturnType<OpenVoice>['text']> {
  if (piece.type === 'text') return [piece];
  const cite = verify(sources, piece.quote, piece.number);
  return cite === null
    ? [{ type: 'text', text: piece.text.replace(MARKS, '') }]
    : [{ type: 'text', text: piece.text }, cite];
}

function verify(sources: readonly Source[], quote: string, number: number) {
  let left = MOST_SEARCHED;
  const named = sources[number - 1];
  for (const source of named === undefined ? sources : [named, ...sources]) {
    left -= source.text.length;
    if (left < 0) return null;
    const found = findQuote(foldText(source.text), quote);
    if (found !== null) return citeOf(source, found.start, found.end);
  }
  return null;
}
