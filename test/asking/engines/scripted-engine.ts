import type { AnswerEvent, Engine, Question } from '../../../src/asking/engines/engine.ts';
import { openStall, type Stall } from '../../helpers/harness.ts';

/** An engine that plays what the test writes, in place of a model. */
export function scriptedEngine(answer: (question: Question) => AsyncIterable<AnswerEvent>): Engine {
  return { name: 'compat', model: 'script', answer };
}

export const text = (words: string): AnswerEvent => ({ type: 'text', text: words });

export function end(outcome: 'answered' | 'declined' = 'answered'): AnswerEvent {
  return { type: 'end', outcome, inputTokens: 7, outputTokens: 5, truncated: false };
}

/** Kept when the question is aborted. */
export function aborted({ signal }: Question): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

type Script = (question: Question) => AsyncIterable<AnswerEvent>;

/** A stall whose answers follow `script`, and a reader who asks it. */
export async function openScripted(script: Script) {
  const stall = await openStall({ engine: scriptedEngine(script) });
  const reader = await stall.reader('reader@example.org', 'paid-book');
  const ask = (signal?: AbortSignal) =>
    stall.fetch('/api/agent/fetch', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...reader.headers },
      body: BODY,
      ...(signal === undefined ? {} : { signal }),
    });
  return { stall, reader, ask };
}

/** A question to the paid book. */
export const BODY = JSON.stringify({ book_id: 'paid-id', query: 'heron' });
/** How the questions to a stall ended, oldest first. */
export const outcomes = async (stall: Stall) =>
  stall.app.admin.logs.fetches(null, null).map(({ outcome }) => outcome);
