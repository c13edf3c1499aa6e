/**
 * Matches thirty combining marks in front of another one. Includes halfwidth characters that NFKC turns into combining marks.
 */
const LONG_RUN = /[\p{M}\uff9e\uff9f]{30}(?=[\p{M}\uff9e\uff9f])/gu;

/**
 * Returns a text in a Unicode normal form. Inserts U+034F after every 30 combining marks in a row (UAX #15, Stream-Safe Text
 * Format), since the runtime needs quadratic time to sort a long row.
 */
export const normalForm = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  text.replace(LONG_RUN, '$&\u034f').normalize(form);

/**
 * Reports whether a text has more than `most` code points. Counts them, which makes an object of each, only if the number of
 * UTF-16 units does not decide.
 */
export const isLonger = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most);

export const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Matches each character that XML 1.0 does not allow (https://www.w3.org/TR/xml/#charsets). */
const NO_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

export const escapeXml = (text: string): string =>
  Bun.escapeHTML(text.toWellFormed().replace(NO_CHARACTER, '\ufffd'));

export function characterOf(name: string): string | undefined {
  if (!/^#?\w{1,40}$/.test(name)) return undefined;
  const character = Bun.markdown.render(`&${name};`);
  return character === `&${name};` ? undefined : character;
}

/** Reads the id of a row, such as "42", from a URL or a person's input; null if the text is none. */
export const readRowId = (text: string): number | null =>
  /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;

export const listed = (names: readonly string[], word: 'or' | 'and' = 'or'): string =>
  names.join(', ').replace(/, (?=[^,]*$)/, ` ${word} `);

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/**
 * Formats a number of bytes in steps of a thousand: `812 B`, `49 KB`, `1.2 MB`; from MB on, numbers below ten have up to one
 * decimal. `write` formats the number for a language.
 */
export function formatBytes(count: number, write: (size: number) => string = String): string {
  for (const [step, unit] of UNITS.entries()) {
    const size = count / 1000 ** step;
    const shown = step > 1 && size < 9.95 ? Math.round(size * 10) / 10 : Math.round(size);
    if (shown < 1000 || step === UNITS.length - 1) return `${write(shown)} ${unit}`;
  }
  return '';
}

export const shellWord = (word: string): string =>
  /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/**
 * Returns a function that creates a text segmenter on first use. The first one in a program loads ICU's tables, in about 2 ms.
 */
export function lazySegmenter(
  locale: string,
  granularity: Intl.SegmenterOptions['granularity'],
): () => Intl.Segmenter {
  let segmenter: Intl.Segmenter | null = null;
  return () => (segmenter ??= new Intl.Segmenter(locale, { granularity }));
}

/** Splits "Name: Subtitle" at the first colon before a space. Without one, the whole title is `name`, and `subtitle` is ''. */
export function splitTitle(title: string): { readonly name: string; readonly subtitle: string } {
  const [name = '', subtitle = ''] = title.split(/: +(?=\S)(.*)/s);
  return name === '' ? { name: title, subtitle: '' } : { name, subtitle };
}

/** Normalizes a text for comparison: without differences of case, accents and character widths. */
export const comparable = (text: string): string =>
  normalForm(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();
