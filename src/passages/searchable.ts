// Words of scripts written without spaces are found by dictionary (Unicode UAX #29, ICU).
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]{2,}/gu;
const BEYOND_LATIN = /[\u0900-\u{10ffff}]/u;
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });
// The endings that Hindi and its kin decline by are vowel signs: without them "लड़का" and "लड़के" are one.
const INDIC = /[\u0900-\u0dff]/;
const INDIC_ENDING = /(?<=[\u0900-\u0dff]{2})\p{M}+(?![\u0900-\u0dff])/gu;
const CAMEL = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
const CAMEL_WORD = /[\p{L}\p{N}]*(?:\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll})[\p{L}\p{N}]*/gu;
const CAMEL_EDGE = /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;

/**
 * The text as an index or a question is searched by: camelCase words whole and in parts (snake_case ones are parts
 * already, side by side), words set apart in scripts without spaces. Offsets are not kept.
 */
export function searchable(text: string): string {
  const parted = CAMEL.test(text) ? text.replace(CAMEL_WORD, partCamel) : text;
  if (!BEYOND_LATIN.test(parted)) return parted;
  const bare = INDIC.test(parted) ? parted.replace(INDIC_ENDING, '') : parted;
  return bare.replace(UNSPACED, setApart);
}

function partCamel(word: string): string {
  return `${word} ${word.replace(CAMEL_EDGE, ' ')}`;
}

function setApart(run: string): string {
  return ` ${Array.from(SEGMENTER.segment(run), ({ segment }) => segment).join(' ')} `;
}
