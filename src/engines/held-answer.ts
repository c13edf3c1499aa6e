import type { AnswerEvent } from './engine.ts';

/** A longer beginning is shown all the same, in characters. */
const LONGEST = 100_000;
/** Pauses in a row after which the beginning of a model's first answer is shown. */
const MOST_PAUSES = 5;

/**
 * What a model's earlier answers have shown: 'bare' if its chat template opens its reasoning, so that only a closing tag gives
 * it away, and 'plain' if it does not.
 */
export type ReasoningHabit = { kind: 'unknown' | 'plain' | 'bare' };

/**
 * Holds an answer's beginning until it is known not to be reasoning. An answer of a 'plain' model is held until its first
 * citation or a pause, the first answer of a model until it ends or pauses for long, and one of a 'bare' model until its
 * closing tag or its end.
 */
export function createHeldAnswer(habit: ReasoningHabit, mayHold: boolean) {
  let held: AnswerEvent[] = [];
  let size = 0;
  let pauses = 0;
  let isHolding = mayHold;
  let kind = habit.kind;

  const release = (): readonly AnswerEvent[] => {
    const events = held;
    held = [];
    isHolding = false;
    return events;
  };

  return {
    push(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
      if (!isHolding) return events;
      pauses = 0;
      held.push(...events);
      for (const event of events) size += event.type === 'text' ? event.text.length : 0;
      const isProven = kind === 'plain' && events.some(({ type }) => type === 'cite');
      return isProven || size > LONGEST ? release() : [];
    },
    /** The model pauses: a reader should see what there is. */
    pause(): readonly AnswerEvent[] {
      pauses++;
      return kind === 'plain' || (kind === 'unknown' && pauses >= MOST_PAUSES) ? release() : [];
    },
    /** All text so far was reasoning; false if it was shown already. */
    drop(): boolean {
      habit.kind = 'bare';
      kind = 'plain';
      held = [];
      return isHolding;
    },
    /** The answer is over. */
    end(): readonly AnswerEvent[] {
      if (habit.kind === 'unknown') habit.kind = 'plain';
      return release();
    },
    /** The answer failed: what there is was reasoning if the model is known for it. */
    fail: (): readonly AnswerEvent[] => (kind === 'bare' ? [] : release()),
  };
}
