/** How an answer ends, as the API, the log and the words name it. */
export const OUTCOMES = ['answered', 'quoted', 'not_covered', 'unsupported', 'declined'] as const;

export type Outcome = (typeof OUTCOMES)[number];
