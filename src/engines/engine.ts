import type { Found, FoundQuote } from '../passages/split.ts';
import type { EngineName } from '../config/model-engines.ts';
import type { ChapterText, EarlierQuestion } from '../passages/prompt.ts';

export type Outcome = 'answered' | 'quoted' | 'not_covered' | 'unsupported' | 'declined';

/**
 * A question with the passages and quotes found for it, best first. `coverage` (0 to 1) is how well the best passage
 * holds the question's words; a quote is an excerpt of about 120 words. Aborting `signal` ends the answer.
 */
export type Question = Found & {
  readonly query: string;
  readonly book: { readonly title: string; readonly language?: string | null };
  readonly signal: AbortSignal;
  /** The whole book, if the engine may be shown more than passages. */
  readonly text?: BookText;
  /** Present for an engine that may find passages by other words than the question's. */
  readonly lookUp?: LookUp;
  /** Called each time the cost of the answer is known better, so that an answer cut short counts too. */
  readonly spend?: (tokens: Tokens) => void;
  /** Reserves tokens before a request that may cost them; resolves once that is on disk. Refuses storage-unavailable. */
  readonly reserve?: (tokens: Tokens) => Promise<void>;
};

export type LookUp = {
  /** Earlier questions with their answers, oldest first. */
  readonly history: readonly EarlierQuestion[];
  /** The names of the book's headings, the highest levels first. */
  readonly headings: () => Promise<readonly string[]>;
  /** Finds the best passages for these words and the question's own. */
  readonly search: (words: string) => Promise<Pick<Found, 'passages' | 'coverage' | 'neededCoverage'>>;
};

/** Tokens as the model counts them. */
export type Tokens = { readonly inputTokens: number; readonly outputTokens: number };

/**
 * A book's text files in reading order, `bytes` in total. `key` identifies this state of the book; `read` returns the texts.
 */
export type BookText = {
  readonly key: string;
  readonly bytes: number;
  readonly paths: readonly string[];
  readonly read: () => Promise<readonly ChapterText[]>;
};

/**
 * Text, citations of the text just before them, and one `end`, always last. An engine writes no `[n]`: the service
 * verifies the slice `start..end` of `path`, numbers it and writes the marker. Tokens are the model's own count, 0 without a
 * model; `truncated` means that a limit cut the answer.
 */
export type AnswerEvent =
  | {
      readonly type: 'text';
      readonly text: string;
      /** Whether the text is a remark of doubt that no model wrote; a page says it in its own language. */
      readonly isPlain?: true;
      /** Whether the citation after the text, or the end, says the same; a page that shows those leaves the text out. */
      readonly isRepeated?: true;
      /** Whether the text is a quotation of the book, which an engine found there. */
      readonly isQuoted?: true;
    }
  | {
      readonly type: 'cite';
      readonly path: string;
      readonly heading: string;
      readonly start: number;
      readonly end: number;
      /** The slice as the engine saw it; needed if the slice lies in none of the question's passages. */
      readonly quote?: string;
      /** Whether the slice is lines of code, without the fence around them. */
      readonly isCode?: true;
      /** The likeliest sentences of the slice, if it is an excerpt, which may be longer than a quote. */
      readonly marked?: FoundQuote['marked'];
    }
  | ({
      readonly type: 'end';
      readonly outcome: Outcome;
      readonly truncated: boolean;
      /** The engine that answered, if it is not the one that was asked. */
      readonly by?: Pick<Engine, 'name' | 'model'>;
    } & Tokens);

/** The interface of every engine. `answer` refuses model-failed, model-unavailable and model-timeout. */
export type Engine = {
  readonly name: EngineName;
  readonly model: string | null;
  /** How many passages the engine can use; 8 by default. */
  readonly passages?: number;
  readonly answer: (question: Question) => AsyncIterable<AnswerEvent>;
};
