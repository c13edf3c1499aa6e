import type { Found, FoundQuote } from '../split.rule.ts';
import type { EngineName } from '../../platform/config/model-engines.ts';
import type { ChapterText, EarlierQuestion } from '../prompt.rule.ts';
import type { Outcome } from '../../words/outcome.ts';

/** A question with the passages and quotes found for it, best first. Aborting `signal` ends the answer. */
export type Question = Found & {
  readonly query: string;
  readonly book: { readonly title: string; readonly language?: string | null };
  readonly signal: AbortSignal;
  readonly text?: BookText;
  /** Searches for other words than the question's; missing if the engine may not search. */
  readonly lookUp?: LookUp;
  /** Called whenever the answer's cost is known more exactly, so that an interrupted answer is charged too. */
  readonly spend?: (tokens: TokenCount) => void;
  /**
   * Reserves tokens before a request that may cost them. Resolves when the reservation is on disk; refuses storage-unavailable.
   */
  readonly reserve?: (tokens: TokenCount) => Promise<void>;
};

export type LookUp = {
  readonly history: readonly EarlierQuestion[];
  readonly headings: () => Promise<readonly string[]>;
  readonly search: (words: string) => Promise<Pick<Found, 'passages' | 'coverage' | 'neededCoverage'>>;
};

export type TokenCount = { readonly inputTokens: number; readonly outputTokens: number };

/** A book's text files in reading order, with their total size in `bytes`. `key` changes whenever the book does. */
export type BookText = {
  readonly key: string;
  readonly bytes: number;
  readonly paths: readonly string[];
  readonly read: () => Promise<readonly ChapterText[]>;
};

/**
 * An event of an answer: text, a citation of the text just before it, or `end`, which comes once and last. Engines write no
 * markers such as `[1]`: `citedAnswer` checks that the citation is the slice `start..end` of `path`, numbers it and adds the
 * marker. Tokens are counted by the model or estimated, 0 without a model; `truncated` says that a limit cut the answer off.
 */
export type AnswerEvent =
  | {
      readonly type: 'text';
      readonly text: string;
      /** Whether the text is the program's remark that the answer is doubtful; a page shows the remark in its own language. */
      readonly isPlain?: true;
      /** Whether the citation or the end after this text says the same; a page that shows these leaves the text out. */
      readonly isRepeated?: true;
      readonly isQuoted?: true;
    }
  | {
      readonly type: 'cite';
      readonly path: string;
      readonly heading: string;
      readonly start: number;
      readonly end: number;
      /** The slice's text as the engine saw it; needed if no passage of the question contains the slice. */
      readonly quote?: string;
      readonly isCode?: true;
      readonly marked?: FoundQuote['marked'];
    }
  | ({
      readonly type: 'end';
      readonly outcome: Outcome;
      readonly truncated: boolean;
      /** The engine that answered, if it is a fallback and not the one that was asked. */
      readonly by?: Pick<Engine, 'name' | 'model'>;
    } & TokenCount);

/** An engine. `answer` refuses model-failed, model-unavailable, model-timeout, and a question that is too long as invalid. */
export type Engine = {
  readonly name: EngineName;
  readonly model: string | null;
  /** The maximum number of passages that are found for a question; how many of them a prompt has is the engine's choice. */
  readonly passages?: number;
  readonly answer: (question: Question) => AsyncIterable<AnswerEvent>;
};
