/** Gives a text segmenter that is made on first use: the first of a program loads the tables of ICU, some 2 ms. */
export function lazySegmenter(
  locale: string,
  granularity: Intl.SegmenterOptions['granularity'],
): () => Intl.Segmenter {
  let segmenter: Intl.Segmenter | null = null;
  return () => (segmenter ??= new Intl.Segmenter(locale, { granularity }));
}
