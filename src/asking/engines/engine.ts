import type { Found, FoundQuote } from '../split.rule.ts';
import type { EngineName } from '../../platform/config/model-engines.ts';
import type { ChapterText, EarlierQuestion } from '../prompt.rule.ts';
import type { Outcome } from '../../words/outcome.ts';

/**
 * A question with the passages and quotes found for it, best first. `coverage` (0 to 1) is how well the best passage
 * holds the question's words; a quote is an excerpt of about 120 words. Aborting `signal` ends the answer.
 */
export type Question = Found & {
  readonly query: string;
  readonly book: { readonly title: string; readonly language?: string | null };
  readonly signal: AbortSignal;
  readonly text?: BookText;
  /** Searches for other words than the question's; missing if the engine may not do that. */
  readonly lookUp?: LookUp;
  /** Called whenever the answer's cost is known more exactly, so that an interrupted answer is charged too. */
  readonly spend?: (tokens: TokenCount) => void;
  /**
   * Reserves tokens before a request that may cost them. Resolves when the reservation is on disk; refuses storage-unavailable.
   */
  readonly reserve?: (tokens: TokenCount) => Promise<void>;
};

export type LookUp = {
  /** Earlier questions with their answers, oldest first. */
  readonly history: readonly EarlierQuestion[];
  /** The names of the book's headings, the highest levels first. */
  readonly headings: () => Promise<readonly string[]>;
  readonly search: (words: string) => Promise<Pick<Found, 'passages' | 'coverage' | 'neededCoverage'>>;
};

export type TokenCount = { readonly inputTokens: number; readonly outputTokens: number };

/**
 * A book's text files in reading order; `bytes` is their total size. `key` changes whenever the book does; `read` returns the
 * texts.
 */
export type BookText = {
  readonly key: string;
  readonly bytes: number;
  readonly paths: readonly string[];
  readonly read: () => Promise<readonly ChapterText[]>;
};

/**
 * An event of an answer: text, a citation of the text just before it, or `end`, which comes once and last. Engines write no
 * markers such as `[1]`: the service checks that the citation is the slice `start..end` of `path`, numbers it and adds the
 * marker. Tokens are those the model counted, 0 without a model; `truncated` means that a limit cut the answer off.
 */
export type AnswerEvent =
  | {
      readonly type: 'text';
      readonly text: string;
      /**
       * Whether the text is a remark that the answer is doubtful, written by the program; a page shows it in its own language.
       */
      readonly isPlain?: true;
      /** Whether the following citation, or the end, says the same. A page that shows those leaves this text out. */
      readonly isRepeated?: true;
      readonly isQuoted?: true;
    }
  | {
      readonly type: 'cite';
      readonly path: string;
      readonly heading: string;
      readonly start: number;
      readonly end: number;
      /** The slice's text as the engine saw it; required if none of the question's passages contains the slice. */
      readonly quote?: string;
      readonly isCode?: true;
      readonly marked?: FoundQuote['marked'];
    }
  | ({
      readonly type: 'end';
      readonly outcome: Outcome;
      readonly truncated: boolean;
      /** The engine that answered, if a fallback answered instead of the one asked. */
      readonly by?: Pick<Engine, 'name' | 'model'>;
    } & TokenCount);

/** The interface of every engine. `answer` refuses model-failed, model-unavailable and model-timeout. */
export type Engine = {
  readonly name: EngineName;
  readonly model: string | null;
  readonly passages?: number;
  readonly answer: (question: Question) => AsyncIterable<AnswerEvent>;
};
