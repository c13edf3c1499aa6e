import type { AnswerEvent, Engine, Question } from './engine.ts';

/** Passages the quotes are taken from. */
const PASSAGES = 8;

/** Ends an answer without a citation as `unsupported`, after `quoting`'s quotes of the book. */
export function withQuoteFallback(model: Engine, quoting: Engine): Engine {
  return { ...model, answer: (question) => answer(model, quoting, question) };
}

async function* answer(model: Engine, quoting: Engine, question: Question): AsyncGenerator<AnswerEvent> {
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
