/** The list by which a browser keeps a book: its pages in reading order, and the files that they show. */
export type KeepList = {
  readonly slug: string;
  readonly title: string;
  /** A name for the account that reads; NOBODY without one. */
  readonly reader: string;
  readonly version: string;
  readonly pages: readonly string[];
  readonly files: readonly string[];
};

export const NOBODY = '-';
