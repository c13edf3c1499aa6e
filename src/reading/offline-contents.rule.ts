/** The list of a book that a browser keeps for offline: its pages in reading order, and the files that these pages show. */
export type OfflineContents = {
  readonly slug: string;
  readonly title: string;
  /** A name for the account that reads; NOBODY without one. */
  readonly reader: string;
  readonly version: string;
  readonly pages: readonly string[];
  readonly files: readonly string[];
};

export const NOBODY = '-';
