import { UNSPACED } from '../text/script.ts';
import { lazySegmenter } from '../../segmenter.ts';
import { normalForm } from '../../normal-form.ts';

// ICU finds the words of unspaced scripts by dictionary (Unicode UAX #29).
const UNSPACED_RUN = new RegExp(`[${UNSPACED}]{2,}`, 'gu');
// Letters whose marks are characters of their own, as macOS writes file names and some editors texts.
const DECOMPOSED = /[\u0300-\u036f\u1100-\u11ff\u3099\u309a]/;
const BEYOND_LATIN = /[\u0900-\u{10ffff}]/u;
const segmenter = lazySegmenter('en', 'word');
// Hindi and related languages decline by vowel signs: without them "लड़का" and "लड़के" are the same word.
const INDIC = /[\u0900-\u0dff]/;
const INDIC_ENDING = /(?<=[\u0900-\u0dff]{2})\p{M}+(?![\u0900-\u0dff])/gu;
// Nearly all identifiers are ASCII, and Unicode classes would double the build time of an index.
const CAMEL = /[a-z][A-Z]|[A-Z]{2}[a-z]/g;
const CAMEL_EDGE = /([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g;

/**
 * Prepares a text for the index, and a question for the search: camelCase words whole and in parts (the tokenizer
 * splits snake_case), and spaces between the words of unspaced scripts. Offsets are not kept.
 */
export function searchable(text: string): string {
  const parted = splitCamel(DECOMPOSED.test(text) ? normalForm(text, 'NFC') : text);
  if (!BEYOND_LATIN.test(parted)) return parted;
  const bare = INDIC.test(parted) ? parted.replace(INDIC_ENDING, '') : parted;
  return bare.replace(UNSPACED_RUN, separateWords);
}

/** Whether a code unit is an ASCII letter or digit; false for NaN. */
function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** Adds after each camelCase word its parts. */
function splitCamel(text: string): string {
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

function separateWords(run: string): string {
  return ` ${Array.from(segmenter().segment(run), ({ segment }) => segment).join(' ')} `;
}
