/** A part of one file. `heading` is the path of headings joined by ` › `, or ''; `start` and `end` are UTF-16 offsets. */
export type Passage = {
  readonly heading: string;
  readonly start: number;
  readonly end: number;
};

/** A passage found by a search: `text` is exactly `start..end` of the file at `path`; a higher `score` is better. */
export type FoundPassage = Passage & {
  readonly path: string;
  readonly text: string;
  readonly score: number;
  /** Its place in the book's reading order. */
  readonly order?: number;
};

/** A part of `passage`; `start` and `end` are UTF-16 offsets into its file. */
export type FoundQuote = {
  readonly passage: FoundPassage;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Whether a sentence begins before the quote, or goes on after it. */
  readonly isCutBefore?: boolean;
  readonly isCutAfter?: boolean;
  /** Whether the quote is lines of code. */
  readonly isCode?: boolean;
};
