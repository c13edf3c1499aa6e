import type { FoundPassage, FoundQuote } from '../passages/passage.ts';

export type Outcome = 'answered' | 'quoted' | 'not_covered' | 'unsupported' | 'declined';

/**
 * What an engine is asked. `passages` and `quotes` are best first; `coverage` (0 to 1) tells how well the best passage
 * holds the question's words; a quote is one to three sentences. An aborted `signal` ends the answer.
 */
export type Question = {
  readonly query: string;
  readonly book: { readonly title: string };
  readonly passages: readonly FoundPassage[];
  readonly quotes: readonly FoundQuote[];
  readonly coverage: number;
  readonly signal: AbortSignal;
};

/**
 * What an engine yields: text, citations of the text just before them, and one `end` that is always last.
 * An engine writes no `[n]`: the service verifies the slice `start..end` of `path`, numbers it and emits the marker.
 * Tokens are the model's own, 0 without one; `truncated` says that a limit cut the answer.
 */
export type AnswerEvent =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'cite';
      readonly path: string;
      readonly heading: string;
      readonly start: number;
      readonly end: number;
    }
  | {
      readonly type: 'end';
      readonly outcome: Outcome;
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly truncated: boolean;
    };

/** The port every engine fills. `answer` throws Refusal of kind model-failed, model-unavailable or model-timeout. */
export type Engine = {
  readonly name: 'extractive' | 'anthropic' | 'compat';
  readonly model: string | null;
  readonly answer: (question: Question) => AsyncIterable<AnswerEvent>;
};
