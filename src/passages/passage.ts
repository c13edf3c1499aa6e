/** A stretch of one file. `heading` is the path of headings joined by ` › `, or ''; `start` and `end` are UTF-16 offsets. */
export type Passage = {
  readonly heading: string;
  readonly start: number;
  readonly end: number;
};

/** A passage that search returned: `text` is exactly `start..end` of the file at `path`; a higher `score` is better. */
export type FoundPassage = Passage & {
  readonly path: string;
  readonly text: string;
  readonly score: number;
};

/** A word of the question and its inverse document frequency in the book: the rarer the word, the more it weighs. */
export type WeightedTerm = {
  readonly term: string;
  readonly weight: number;
};
