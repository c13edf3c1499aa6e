import { stemmer } from 'stemmer';
import type { Tokenizer } from '../passages/words.ts';
import { createIntegers, type Integers } from './postings.ts';
import { normalForm } from '../text.ts';

const GRAM = 3;
// Longer runs of letters are not words, and take long to stem.
const LONGEST_STEMMED = 64;
const SHORTEST_STEMMED = 3;
const MOST_STEMS = 50_000;

/** The tokens seen so far, numbered from 0, each spelled as an index of this tokenizer spells it. */
export function createVocabulary(tokenizer: Tokenizer) {
  const spell = tokenizer === 'porter' ? stem : (word: string) => word;
  const tokens: string[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (token: string): number => {
    const known = numbers.get(token);
    if (known !== undefined) return known;
    numbers.set(token, tokens.length);
    return tokens.push(token) - 1;
  };
  const words = createWordTable((word) => numberOf(tokenizer === 'trigram' ? word : spell(fold(word))));
  return {
    tokens: (): readonly string[] => tokens,
    /** Adds the number of each token of a searchable text to `read`, in order. */
    read(text: string, read: Integers): void {
      if (tokenizer === 'trigram') readTrigrams(fold(text), words, read);
      else readWords(text, words, read);
    },
  };
}

type WordTable = (text: string, from: number, to: number) => number;

/** The tokens of a searchable text, in order. An index and its questions use the same tokenizer. */
export function tokenize(text: string, tokenizer: Tokenizer): readonly string[] {
  const vocabulary = createVocabulary(tokenizer);
  const numbers = createIntegers();
  vocabulary.read(text, numbers);
  return Array.from(numbers.values(), (number) => vocabulary.tokens()[number]!);
}

/** Words are runs of letters, marks and numbers. */
function readWords(text: string, words: WordTable, read: Integers): void {
  let from = -1;
  for (let i = 0; i <= text.length; i++) {
    const unit = text.charCodeAt(i);
    if (isInWord(text, unit, i)) {
      if (from < 0) from = i;
      if (unit >= 0xd800 && unit < 0xdc00) i++;
    } else if (from >= 0) {
      read.push(words(text, from, i));
      from = -1;
    }
  }
}

/** False for the NaN beyond the end. */
function isInWord(text: string, unit: number, index: number): boolean {
  if (unit < 0x80)
    return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57);
  return unit >= 0x80 && isWordCharacter(text.codePointAt(index)!);
}

/** Every run of three characters, blanks and punctuation too. */
function readTrigrams(folded: string, words: WordTable, read: Integers): void {
  let [first, second] = [0, 0];
  let count = 0;
  for (let i = 0; i < folded.length;) {
    const next = i + (folded.codePointAt(i)! > 0xffff ? 2 : 1);
    if (++count >= GRAM) read.push(words(folded, first, next));
    [first, second, i] = [second, i, next];
  }
}

function fold(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  let folded = '';
  for (const character of text) folded += foldCharacter(character.codePointAt(0)!);
  return folded;
}

/** The stems of all books that one thread has read lately. */
const stems = new Map<string, string>();

function stem(word: string): string {
  if (word.length < SHORTEST_STEMMED || word.length > LONGEST_STEMMED) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= MOST_STEMS) stems.clear();
  const made = stemmer(word);
  stems.set(word, made);
  return made;
}

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
function isWordCharacter(code: number): boolean {
  if (classes[code] === UNKNOWN) classes[code] = TOKEN.test(String.fromCodePoint(code)) ? YES : NO;
  return classes[code] === YES;
}

/** A code point in lower case, a Latin letter without its diacritics; '' for such a diacritic. */
function foldCharacter(code: number): string {
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

// A hash table from words within a text to numbers. A Map would need a string for each word of a book: half of the time
// that an index takes.

const FEWEST_SLOTS = 64;
// FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/
const OFFSET_BASIS = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

/** A table of words; `numberOf` numbers a word that is not in the table yet. */
export function createWordTable(numberOf: (word: string) => number): WordTable {
  /** Entries of the table, from 1; 0 is an empty slot. */
  let slots = new Int32Array(FEWEST_SLOTS);
  const units = createIntegers();
  const ends = createIntegers();
  const hashes = createIntegers();
  const numbers = createIntegers();
  ends.push(0);

  const isEntry = (entry: number, text: string, from: number, length: number): boolean => {
    const start = ends.at(entry);
    if (ends.at(entry + 1) - start !== length) return false;
    for (let i = 0; i < length; i++) if (units.at(start + i) !== text.charCodeAt(from + i)) return false;
    return true;
  };
  const grow = (): void => {
    slots = new Int32Array(2 * slots.length);
    for (let entry = 0; entry < numbers.length(); entry++) {
      let slot = hashes.at(entry) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = entry + 1;
    }
  };

  /** The number of the word `from..to` of a text. */
  return (text: string, from: number, to: number): number => {
    let hash = OFFSET_BASIS;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME);
    let slot = hash & (slots.length - 1);
    for (; slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1)) {
      const entry = slots[slot]! - 1;
      if (hashes.at(entry) === hash && isEntry(entry, text, from, to - from)) return numbers.at(entry);
    }
    const number = numberOf(text.slice(from, to));
    slots[slot] = numbers.length() + 1;
    for (let i = from; i < to; i++) units.push(text.charCodeAt(i));
    ends.push(units.length());
    hashes.push(hash);
    numbers.push(number);
    if (2 * numbers.length() > slots.length) grow();
    return number;
  };
}
