// A hash table from words within a text to numbers. A Map would need a string for each word of a book: half of the time
// that an index takes.
import { createIntegers } from './integers.ts';

const FEWEST_SLOTS = 64;
// FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/
const OFFSET_BASIS = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

/** A table of words; `numberOf` numbers a word that is not in the table yet. */
export function createWordTable(numberOf: (word: string) => number) {
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
