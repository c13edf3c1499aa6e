// Words of scripts written without spaces are found by dictionary (Unicode UAX #29, ICU).
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]{2,}/gu;
const BEYOND_LATIN = /[\u0900-\u{10ffff}]/u;
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });
// The endings that Hindi and its kin decline by are vowel signs: without them "लड़का" and "लड़के" are one.
const INDIC = /[\u0900-\u0dff]/;
const INDIC_ENDING = /(?<=[\u0900-\u0dff]{2})\p{M}+(?![\u0900-\u0dff])/gu;
// Identifiers are ASCII nearly always, and the classes of Unicode would double the time an index takes.
const CAMEL = /[a-z][A-Z]|[A-Z]{2}[a-z]/g;
const CAMEL_EDGE = /([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g;

/**
 * The text as an index or a question is searched by: camelCase words whole and in parts (snake_case ones are parts
 * already, side by side), words set apart in scripts without spaces. Offsets are not kept.
 */
export function searchable(text: string): string {
  const parted = partCamel(text);
  if (!BEYOND_LATIN.test(parted)) return parted;
  const bare = INDIC.test(parted) ? parted.replace(INDIC_ENDING, '') : parted;
  return bare.replace(UNSPACED, setApart);
}

/** Of ASCII; not of the NaN beyond the end. */
function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** Each camelCase word with its parts after it. */
function partCamel(text: string): string {
  let parted = '';
  let done = 0;
  CAMEL.lastIndex = 0;
  for (let found = CAMEL.exec(text); found !== null; found = CAMEL.exec(text)) {
    let start = found.index;
    while (start > done && isAlphanumeric(text.charCodeAt(start - 1))) start--;
    let end = found.index + 2;
    while (isAlphanumeric(text.charCodeAt(end))) end++;
    parted += `${text.slice(done, end)} ${text.slice(start, end).replace(CAMEL_EDGE, '$& ')}`;
    done = end;
    CAMEL.lastIndex = end;
  }
  return done === 0 ? text : parted + text.slice(done);
}

function setApart(run: string): string {
  return ` ${Array.from(SEGMENTER.segment(run), ({ segment }) => segment).join(' ')} `;
}
