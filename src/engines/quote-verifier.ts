import { findQuote, findTerm, LONGEST } from '../passages/quote/find-quote.ts';
import { type NormalizedText, normalizeText } from '../passages/quote/normalized-text.ts';
import { quoteSentences, widenQuote } from '../passages/quote/quote-context.ts';
import { countQuoteWords, LEAST_WORDS } from '../passages/quote/quote-match.ts';
import type { Source } from '../passages/prompt/source.ts';
import type { Range } from '../passages/text/sentence.ts';
import { type AnswerPiece, citationOf } from './answer-parser.ts';

/** A quotation as it is shown, and its citation; null for a word or two, which prove nothing. */
type VerifiedQuote = {
  readonly shown: string;
  readonly cite: AnswerPiece | null;
  readonly source: Source;
};

/** Characters of other sources that are searched for one quote. */
const MOST_SEARCHED = 600_000;
/** Further quotations of an answer are shown without marks. */
export const MOST_QUOTES = 100;

type Prepared = { readonly text: NormalizedText; readonly sentences: readonly Range[] };

/**
 * Finds a model's quotations in sources. What is shown is the source's own slice, never the model's words, with "…" where it
 * begins or ends inside a sentence.
 */
export function createQuoteVerifier() {
  const prepared = new Map<Source, Prepared>();
  let left = MOST_QUOTES;

  const prepare = (source: Source): Prepared => {
    const known = prepared.get(source);
    if (known !== undefined) return known;
    const text = normalizeText(source.text);
    const fresh = { text, sentences: quoteSentences(text) };
    prepared.set(source, fresh);
    return fresh;
  };

  return (quote: string, sources: Iterable<Source>): VerifiedQuote | null => {
    if (left-- <= 0 || quote.length > LONGEST) return null;
    const written = normalizeText(quote);
    const isTerm = countQuoteWords(quote) < LEAST_WORDS;
    let budget = MOST_SEARCHED;
    for (const source of sources) {
      if ((budget -= source.text.length) < 0) return null;
      const { text, sentences } = prepare(source);
      const found = isTerm ? findTerm(text, written) : findQuote(text, written);
      if (found === null) continue;
      if (isTerm) return { shown: inMarks(text.text.slice(found.start, found.end)), cite: null, source };
      const { start, end, isCutBefore, isCutAfter } = widenQuote(text, sentences, found);
      const slice = text.text.slice(start, end);
      const shown = inMarks(`${isCutBefore ? '…' : ''}${slice}${isCutAfter ? '…' : ''}`);
      return { shown, cite: citationOf(source, start, end), source };
    }
    return null;
  };
}

function inMarks(text: string): string {
  return `“${text}”`;
}
