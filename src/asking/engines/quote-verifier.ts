import { withWholeCode } from '../../reading/shown-text.rule.ts';
import { findQuote, findTerm, LEAST_WORDS } from '../quote-match.rule.ts';
import { type NormalizedText, normalizeText } from '../normalized-text.rule.ts';
import { countQuoteWords, quoteSentences, widenQuote } from '../quote-boundary.rule.ts';
import type { PromptSource } from '../prompt.rule.ts';
import type { Range } from '../../reading/sentence.rule.ts';
import { type AnswerPiece, citationOf } from './answer-filter.ts';
import type { AnswerEvent, Engine, Question } from './engine.ts';

/** A quotation as it is shown, and its citation; null for one or two words, since these prove nothing. */
export type VerifiedQuote = {
  readonly shown: string;
  readonly cite: AnswerPiece | null;
  readonly source: PromptSource;
};

const MOST_SEARCHED = 600_000;
/** The maximum length of a quote to search for, in UTF-16 units: no quote of 60 words is longer, even with markup. */
const LONGEST_QUOTE = 4_000;
/** The maximum number of an answer's quotations that are searched for; further ones lose their marks. */
export const MOST_QUOTES = 100;

type Prepared = { readonly text: NormalizedText; readonly sentences: readonly Range[] };

/** Makes a function that finds a model's quotations in the sources. It returns the source's words, with "…" where cut. */
export function createQuoteVerifier() {
  const prepared = new Map<PromptSource, Prepared>();
  let left = MOST_QUOTES;

  const prepare = (source: PromptSource): Prepared => {
    const text = normalizeText(source.text);
    return { text, sentences: quoteSentences(text) };
  };

  return (quote: string, sources: Iterable<PromptSource>): VerifiedQuote | null => {
    if (left-- <= 0 || quote.length > LONGEST_QUOTE) return null;
    const written = normalizeText(quote);
    const isTerm = countQuoteWords(quote) < LEAST_WORDS;
    let budget = MOST_SEARCHED;
    for (const source of sources) {
      if ((budget -= source.text.length) < 0) return null;
      const { text, sentences } = prepared.getOrInsertComputed(source, prepare);
      const found = isTerm ? findTerm(text, written) : findQuote(text, written);
      if (found === null) continue;
      if (isTerm)
        return { shown: inMarks(withWholeCode(text.text.slice(found.start, found.end))), cite: null, source };
      const { start, end, isCutBefore, isCutAfter } = widenQuote(text, sentences, found);
      const slice = withWholeCode(text.text.slice(start, end));
      const shown = inMarks(`${isCutBefore ? '…' : ''}${slice}${isCutAfter ? '…' : ''}`);
      return { shown, cite: citationOf(source, start, end), source };
    }
    return null;
  };
}

const inMarks = (text: string): string => `“${text}”`;

const PASSAGES = 8;

/** Makes an engine whose answer without a citation ends as `unsupported`, after quotes of the book that `quoting` finds. */
export function withQuoteFallback(model: Engine, quoting: Engine): Engine {
  return { ...model, answer: (question) => answerOrQuote(model, quoting, question) };
}

async function* answerOrQuote(
  model: Engine,
  quoting: Engine,
  question: Question,
): AsyncGenerator<AnswerEvent> {
  let [isSilent, isCited] = [true, false];
  for await (const event of model.answer(question)) {
    if (event.type !== 'end' || event.outcome !== 'answered' || isCited) {
      isSilent = false;
      isCited ||= event.type === 'cite';
      yield event;
      continue;
    }
    yield* quotesOf(quoting, question, isSilent);
    yield { ...event, outcome: 'unsupported' };
  }
}

async function* quotesOf(
  quoting: Engine,
  question: Question,
  isSilent: boolean,
): AsyncGenerator<AnswerEvent> {
  const passages = question.passages.slice(0, PASSAGES);
  const events = await Array.fromAsync(quoting.answer({ ...question, passages }));
  const [last] = events.slice(-1);
  if (last?.type !== 'end' || last.outcome !== 'quoted') return;
  const lead = isSilent ? 'The model gave no answer.' : '\n\nNothing of this answer was found in the book.';
  yield { type: 'text', text: `${lead} The book’s own words closest to the question:\n\n` };
  yield* events.slice(0, -1);
}
