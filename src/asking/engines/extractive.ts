import { shownQuote, shownText } from '../../reading/shown-text.rule.ts';
import type { FoundPassage, FoundQuote } from '../split.rule.ts';
import type { AnswerEvent, Engine, Question } from './engine.ts';
import type { Outcome } from '../../words/outcome.ts';
import { type AnswerSentences, answerSentences } from '../../words/answers.ts';

const MOST_HEADINGS = 3;
const FENCE = /^ {0,3}(?:```|~~~)/m;
/**
 * An answer says that it is doubtful if its coverage is below so many times the needed coverage: of such questions of readers,
 * only half get an excerpt with the answer. test/bench/natural.md
 */
const WEAK = 1.8;

/**
 * Makes the engine that answers with excerpts of the book, without a model or the network. If the question's coverage is below
 * `threshold` (by default its `neededCoverage`), says that the book does not cover the question. An aborted question gets no
 * `end`.
 */
export const createExtractive = (threshold?: number): Engine => ({
  name: 'extractive',
  model: null,
  answer: (question) => quoteBook(question, threshold ?? question.neededCoverage),
});

async function* quoteBook(question: Question, threshold: number): AsyncGenerator<AnswerEvent> {
  const { passages, coverage, isVague = false, book, signal } = question;
  const sentences = answerSentences(book.language);
  const quotes = coverage < threshold ? [] : question.quotes;
  if (quotes.length === 0) {
    yield { type: 'text', text: notCovered(sentences, book.title, passages), isRepeated: true };
    yield end('not_covered');
    return;
  }
  let before: FoundQuote | null = null;
  for (const quote of inReadingOrder(quotes)) {
    if (signal.aborted) return;
    const isWeak = before === null && (isVague || coverage < WEAK * threshold);
    if (isWeak) yield { type: 'text', text: `${sentences.weak}\n\n`, isPlain: true };
    yield { type: 'text', text: show(sentences, quote, before), isRepeated: true };
    const { path, heading } = quote.passage;
    const { start, end, text, marked } = quote;
    const isCode = quote.passage.isCode === true;
    yield { type: 'cite', path, heading, start, end, quote: text, marked, ...(isCode ? { isCode } : {}) };
    before = quote;
  }
  yield end('quoted');
}

/** Sorts quotes: the best first, then those under the same heading, then the rest, both in the book's order. */
function inReadingOrder(quotes: readonly FoundQuote[]): readonly FoundQuote[] {
  const [best, ...others] = quotes;
  if (best === undefined) return [];
  const sorted = others.toSorted(
    (a, b) =>
      Number(isSamePlace(b, best)) - Number(isSamePlace(a, best)) ||
      (a.passage.order ?? 0) - (b.passage.order ?? 0) ||
      a.start - b.start,
  );
  return [best, ...sorted];
}

const isSamePlace = (a: FoundQuote, b: FoundQuote): boolean =>
  a.passage.path === b.passage.path && a.passage.heading === b.passage.heading;

function show(sentences: AnswerSentences, quote: FoundQuote, before: FoundQuote | null): string {
  const { passage, text } = quote;
  const [open, close] = sentences.quote;
  const shown = shownQuote(text, passage.isCode);
  // Shows code on its own lines, without quotation marks.
  const quoted = passage.isCode === true || FENCE.test(text) ? shown : open + shown + close;
  if (before !== null && isSamePlace(before, quote)) return `\n\n${quoted}`;
  return `${before === null ? '' : '\n\n'}${sentences.from(titleOf(passage))}\n${quoted}`;
}

function notCovered(sentences: AnswerSentences, title: string, passages: readonly FoundPassage[]): string {
  const [open, close] = sentences.quote;
  const headings = [...new Set(passages.map(titleOf))].slice(0, MOST_HEADINGS);
  const nearest = headings.map((heading) => open + heading + close).join(sentences.comma);
  return `${sentences.notCovered(title)}${nearest === '' ? '' : sentences.nearest(nearest)}${sentences.askAgain}`;
}

const titleOf = ({ heading, path }: FoundPassage): string => (heading === '' ? path : shownText(heading));

function end(outcome: Outcome): AnswerEvent {
  return { type: 'end', outcome, inputTokens: 0, outputTokens: 0, truncated: false };
}
