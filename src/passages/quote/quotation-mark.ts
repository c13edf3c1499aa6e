/** The closing marks of every opening one, of the languages a book may be in. */
export const CLOSINGS: Readonly<Record<string, string>> = {
  '“': '”',
  '„': '“”',
  '‟': '”',
  '”': '”',
  '"': '"',
  '＂': '＂',
  '«': '»',
  '»': '«',
  '‹': '›',
  '›': '‹',
  '「': '」',
  '『': '』',
  '﹁': '﹂',
  '﹃': '﹄',
  '｢': '｣',
  '〝': '〞〟',
  '‘': '’',
  '‚': '‘’',
  '‛': '’',
  '’': '’',
  "'": "'",
  '＇': '＇',
  '❝': '❞',
  '❛': '❜',
  '″': '″',
};

/** Every character a reader takes for a quotation mark: Unicode's property, ornaments and double primes. */
export const QUOTATION_MARK = /[\p{Quotation_Mark}❛-❞″‶ʺˮ\u{1f676}-\u{1f678}]/gu;
const APOSTROPHE = /['‘’‛＇]/;
const INCH = /["'’″]/;
/** Marks that also close a quotation or stand within words: they open one only after a blank or an opening bracket. */
const AMBIGUOUS = /["'’‘‛＇＂”»›″]/;
const WORD_END = /[\p{L}\p{N}\p{M}_]$/u;
const BEFORE_OPENING = /(?:^|[\s([{<¿¡—–*_-])$/u;

/** Whether the mark at `offset` may open a quotation; `before` is the text before `text`. */
export function isOpening(text: string, offset: number, before: string): boolean {
  const left = offset === 0 ? before.slice(-1) : text[offset - 1]!;
  return (
    CLOSINGS[text[offset]!] !== undefined && (!AMBIGUOUS.test(text[offset]!) || BEFORE_OPENING.test(left))
  );
}

/** Whether the single mark at `offset` may be an apostrophe instead of the end of a quotation. */
export function isApostrophe(text: string, offset: number): boolean {
  return APOSTROPHE.test(text[offset]!) && /[\p{L}\p{N}]/u.test(text[offset + 1] ?? '');
}

/** Drops all quotation marks of a text but apostrophes and the marks of feet and inches; `before` is the text before it. */
export function dropQuotationMarks(text: string, before: string): string {
  return text.replace(QUOTATION_MARK, (mark, offset: number) => {
    const left = offset === 0 ? before.slice(-2) : text.slice(Math.max(0, offset - 2), offset);
    const isKept =
      WORD_END.test(left) && (APOSTROPHE.test(mark) || (/\p{N}$/u.test(left) && INCH.test(mark)));
    return isKept ? mark : '';
  });
}
