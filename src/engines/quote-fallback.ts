import type { AnswerEvent, Engine, Question } from './engine.ts';

/** Passages that quotes are taken from. */
const PASSAGES = 8;

/** An engine whose answers, where nothing in them was found in the book, end as `unsupported` after `quoting`'s quotes of it. */
export function withQuoteFallback(model: Engine, quoting: Engine): Engine {
  return { ...model, answer: (question) => answer(model, quoting, question) };
}

async function* answer(model: Engine, quoting: Engine, question: Question): AsyncGenerator<AnswerEvent> {
  let [isMute, isProven] = [true, false];
  for await (const event of model.answer(question)) {
    if (event.type !== 'end' || event.outcome !== 'answered' || isProven) {
      isMute = false;
      isProven ||= event.type === 'cite';
      yield event;
      continue;
    }
    yield* ownWords(quoting, question, isMute);
    yield { ...event, outcome: 'unsupported' };
  }
}

async function* ownWords(quoting: Engine, question: Question, isMute: boolean): AsyncGenerator<AnswerEvent> {
  const passages = question.passages.slice(0, PASSAGES);
  const events = await Array.fromAsync(quoting.answer({ ...question, passages }));
  const [last] = events.slice(-1);
  if (last?.type !== 'end' || last.outcome !== 'quoted') return;
  const words = isMute ? 'The model gave no answer.' : '\n\nNothing of this answer was found in the book.';
  yield { type: 'text', text: `${words} What the book says nearest to the question:\n\n` };
  yield* events.slice(0, -1);
}
