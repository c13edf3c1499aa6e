import type { FoundPassage, FoundQuote } from '../passages/text/passage.ts';
import type { AnswerEvent, Engine, Outcome, Question } from './engine.ts';

const MOST_HEADINGS = 3;
// The highest threshold that keeps 95 % of the answerable questions of every set measured; see test/bench/qa.md. It
// detects other subjects, not gaps in the book: on SQuAD 2.0's adversarial questions any threshold is near chance.
const COVERED = 0.135;

/**
 * Answers with up to three quotes of the book's own sentences (at most 60 words each), or says that the book does not
 * cover the question, when its coverage is below `threshold`. No model, no network. An aborted question gets no `end`.
 */
export function createExtractive(threshold: number = COVERED): Engine & { readonly threshold: number } {
  return { name: 'extractive', model: null, threshold, answer: (question) => answer(question, threshold) };
}

async function* answer(question: Question, threshold: number): AsyncGenerator<AnswerEvent> {
  const { passages, coverage, book, signal } = question;
  const quotes = coverage < threshold ? [] : question.quotes;
  if (quotes.length === 0) {
    yield { type: 'text', text: notCovered(book.title, passages) };
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

function notCovered(title: string, passages: readonly FoundPassage[]): string {
  const headings = new Set(passages.map(({ heading, path }) => heading || path));
  const nearest = [...headings].slice(0, MOST_HEADINGS).map((heading) => `“${heading}”`);
  const hint = nearest.length === 0 ? '' : ` The nearest parts: ${nearest.join(', ')}.`;
  return `“${title}” does not seem to cover this question.${hint} Asking in other words may help.`;
}

function end(outcome: Outcome): AnswerEvent {
  return { type: 'end', outcome, inputTokens: 0, outputTokens: 0, truncated: false };
}
