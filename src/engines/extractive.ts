import { bestQuotes, type FoundQuote } from '../passages/best-quote.ts';
import type { AnswerEvent, Engine, Outcome, Question } from './engine.ts';

const MOST_QUOTES = 3;
// On FairytaleQA (train and val, 9,573 questions of 15 books) 95.4 % of questions reach 0.25 in their own book, 77.8 %
// stay below it in another. It tells other subjects, not what the book leaves out: on SQuAD 2.0's adversarial
// questions a threshold is near chance.
const COVERED = 0.25;

/**
 * Answers with up to three quotes of the book's own sentences (at most 60 words each), or says that the book does not
 * cover the question, when its coverage is below `threshold`. No model, no network. An aborted question gets no `end`.
 */
export function createExtractive(threshold: number = COVERED): Engine {
  return { name: 'extractive', model: null, answer: (question) => answer(question, threshold) };
}

async function* answer(question: Question, threshold: number): AsyncGenerator<AnswerEvent> {
  const { passages, terms, coverage, book, signal } = question;
  const quotes = coverage < threshold ? [] : bestQuotes(passages, terms, MOST_QUOTES);
  if (quotes.length === 0) {
    yield { type: 'text', text: notCovered(book.title) };
    yield end('not_covered');
    return;
  }
  for (const [i, quote] of quotes.entries()) {
    if (signal.aborted) return;
    yield { type: 'text', text: (i === 0 ? '' : '\n\n') + show(quote) };
    const { path, heading } = quote.passage;
    yield { type: 'cite', path, heading, start: quote.start, end: quote.end };
  }
  yield end('quoted');
}

function show({ passage, text }: FoundQuote): string {
  return `From “${passage.heading || passage.path}”:\n“${text}”`;
}

function notCovered(title: string): string {
  return `“${title}” does not seem to cover this question. Asking in other words may help.`;
}

function end(outcome: Outcome): AnswerEvent {
  return { type: 'end', outcome, inputTokens: 0, outputTokens: 0, truncated: false };
}
