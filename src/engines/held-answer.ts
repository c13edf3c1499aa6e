import type { AnswerEvent } from './engine.ts';

/** A longer beginning is shown all the same, in characters. */
const LONGEST = 100_000;

/** What is known of a model: whether its chat template opens its reasoning, so that only the closing tag shows it. */
export type ReasoningHabit = { isBare: boolean };

/**
 * Holds an answer's beginning until it is known not to be reasoning: until its first citation, a pause or its end. An answer
 * of a model that has reasoned without an opening tag is held until its closing tag or its end.
 */
export function createHeldAnswer(habit: ReasoningHabit, mayHold: boolean) {
  let held: AnswerEvent[] = [];
  let size = 0;
  let isHolding = mayHold;

  const release = (): readonly AnswerEvent[] => {
    const events = held;
    held = [];
    isHolding = false;
    return events;
  };

  return {
    push(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
      if (!isHolding) return events;
      held.push(...events);
      for (const event of events) size += event.type === 'text' ? event.text.length : 0;
      const isProven = !habit.isBare && events.some(({ type }) => type === 'cite');
      return isProven || size > LONGEST ? release() : [];
    },
    /** The model pauses: a reader should see what there is. */
    pause: (): readonly AnswerEvent[] => (habit.isBare ? [] : release()),
    /** All text so far was reasoning; false if it was shown already. */
    drop(): boolean {
      const isDropped = isHolding;
      habit.isBare = true;
      held = [];
      isHolding = false;
      return isDropped;
    },
    release,
  };
}
