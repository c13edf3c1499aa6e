/** A book as its EPUB names it: `modified` in milliseconds since 1970, `language` a BCP 47 tag. */
export type EbookMetadata = {
  readonly id: string;
  readonly title: string;
  readonly authors: readonly string[];
  readonly publisher: string;
  readonly description: string;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly license: string | null;
  readonly tags: readonly string[];
  readonly modified: number;
};

/** A chapter in reading order; `level` is 1 to 3, `part` the heading above it. */
export type EbookChapter = {
  readonly title: string;
  readonly level: number;
  readonly part: string | null;
};

/** A picture in the archive. */
export type EbookPicture = { readonly file: string; readonly type: string };

/** The file of a chapter by its place, from 0 on. */
export const chapterFile = (n: number): string => `chapter-${String(n + 1).padStart(4, '0')}.xhtml`;

/** A text in one line that is not empty: the elements that name something may not be. */
export const oneLine = (text: string, otherwise: string): string =>
  text.replace(/\s+/g, ' ').trim() || otherwise;
