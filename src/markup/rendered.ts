export type Heading = { readonly level: number; readonly id: string; readonly title: string };

/** An array, or a view of bytes: a long text has hundreds of thousands of numbers, which are not copied. */
export type Numbers = ArrayLike<number> & Iterable<number>;

/**
 * A text as a page shows it. `runs` holds four numbers a stretch of shown text: offset and length in the HTML, offset in
 * the source, and how long the source of a character is that is written otherwise there, else 0. `blocks` holds begin and
 * end of every block in the HTML and in the source; `unplaced` source ranges of which some text is shown without a run.
 */
export type Rendered = {
  readonly html: string;
  readonly runs: Numbers;
  readonly blocks: Numbers;
  readonly unplaced: Numbers;
  readonly headings: readonly Heading[];
};
