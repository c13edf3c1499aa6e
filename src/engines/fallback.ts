import { Refusal } from '../refusal.ts';
import type { AnswerEvent, Engine, Question, Tokens } from './engine.ts';

/** An engine refuses a question as invalid if it is too long for its model. */
const MODEL_FAULTS = [
  'model-failed',
  'model-unavailable',
  'model-timeout',
  'rate-limited',
  'invalid-request',
];

/** Asks `second` if `first` fails before its first word; `end` then names `second`. */
export function withFallback(first: Engine, second: Engine): Engine {
  return { ...first, answer: (question) => answer(first, second, question) };
}

async function* answer(first: Engine, second: Engine, question: Question): AsyncGenerator<AnswerEvent> {
  let hasBegun = false;
  let spent: Tokens = { inputTokens: 0, outputTokens: 0 };
  const spend = (tokens: Tokens): void => {
    question.spend?.(tokens);
    spent = tokens;
  };
  try {
    for await (const event of first.answer({ ...question, spend })) {
      hasBegun = true;
      yield event;
    }
    return;
  } catch (error) {
    if (hasBegun || !(error instanceof Refusal) || !MODEL_FAULTS.includes(error.kind)) throw error;
  }
  for await (const event of second.answer(question))
    yield event.type === 'end' ? { ...event, ...spent, by: second } : event;
}
