import type { FoundPassage, FoundQuote } from '../passages/text/passage.ts';
import type { ChapterText } from '../passages/prompt/source.ts';

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
  /** The whole book, where the engine may be shown more than passages. */
  readonly text?: BookText;
  /** Told whenever it is known better what the answer costs, so that one cut short counts too. */
  readonly spend?: (tokens: Tokens) => void;
};

/** A model's own count. */
export type Tokens = { readonly inputTokens: number; readonly outputTokens: number };

/** A book's text files in reading order, `bytes` of them in all; `key` names this state of the book. `read` gives their contents. */
export type BookText = {
  readonly key: string;
  readonly bytes: number;
  readonly paths: readonly string[];
  readonly read: () => Promise<readonly ChapterText[]>;
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
      /** The slice as the engine was shown it, where that is in none of the question's passages. */
      readonly quote?: string;
    }
  | ({
      readonly type: 'end';
      readonly outcome: Outcome;
      readonly truncated: boolean;
      /** Who answered, where it was not the engine that was asked. */
      readonly by?: Pick<Engine, 'name' | 'model'>;
    } & Tokens);

/** The port every engine fills. `answer` throws Refusal of kind model-failed, model-unavailable or model-timeout. */
export type Engine = {
  readonly name: 'extractive' | 'anthropic' | 'compat';
  readonly model: string | null;
  /** How many passages it can use; 8 where it does not say. */
  readonly passages?: number;
  readonly answer: (question: Question) => AsyncIterable<AnswerEvent>;
};
