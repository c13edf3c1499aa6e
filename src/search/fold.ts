import { normalForm } from '../normal-form.ts';

// Words and case as SQLite's unicode61 tokenizer sees them, https://sqlite.org/fts5.html §4.3.1, which is too slow to
// call for every question.
const TOKEN = /[\p{L}\p{N}\p{Co}\p{M}]/u;
const LATIN_MARK = /^[\u0300-\u036f]$/;
const LATIN = /^[a-z]$/;

const UNKNOWN = 0;
const YES = 1;
const NO = 2;
const classes = new Uint8Array(0x110000);
const folded = new Map<number, string>();

/** Whether a code point belongs to a word. Marks do: without them Hindi words split at their vowel signs. */
export function isWordCharacter(code: number): boolean {
  if (classes[code] === UNKNOWN) classes[code] = TOKEN.test(String.fromCodePoint(code)) ? YES : NO;
  return classes[code] === YES;
}

/** A code point in lower case, a Latin letter without its diacritics; '' for such a diacritic. */
export function foldCharacter(code: number): string {
  const known = folded.get(code);
  if (known !== undefined) return known;
  const fold = foldOnce(String.fromCodePoint(code));
  folded.set(code, fold);
  return fold;
}

function foldOnce(character: string): string {
  if (LATIN_MARK.test(character)) return '';
  const upper = character.toUpperCase();
  // By way of the capital "ς" becomes "σ"; but "ß" has none of one letter.
  const lower = (upper.length === character.length ? upper : character).toLowerCase();
  const [base = ''] = normalForm(lower, 'NFD');
  return LATIN.test(base) ? base : lower;
}
