import { normalForm } from '../../normal-form.ts';

const OPENING = /[[［【〔⟦]/u;
const CLOSING = /[\]］】〕⟧]/u;
const DIGIT = /[\p{Nd}\u00b2\u00b3\u00b9\u2070-\u2089]/u;
/** Numbers in circles, brackets or keys, with a point or in a box: a marker of one character. */
const ENCLOSED =
  /[\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\u20e3\u3251-\u325f\u32b1-\u32bf\u{1f100}-\u{1f10c}]/u;
/** The end of what programs turn into a link by itself. */
const LINKED = /(?::\/\/|(?<![\p{L}\p{N}])www\.\S)$/iu;
/** Characters between the numbers of one marker, and characters that leave it looking like one. */
const FILLER = /[\s,;.–—\p{M}\p{Default_Ignorable_Code_Point}-]/u;
const BLANK = /[\s\p{M}\p{Default_Ignorable_Code_Point}]/u;
const PREFIX = /[\^#Pp]/;
const WORD = /[\p{L}\p{N}_)]/u;

/** An open bracket: where it begins in the held text, the character before it, and the digits in it. */
type Bracket = { readonly start: number; readonly before: string; digits: string; hasMarker: boolean };

/**
 * Drops every bracketed number that a reader could take for a citation's marker: with blanks, lists, nested and in any
 * script. Right after a word only numbers from 1 to `most` are dropped, since others are an index, as in `a[0]`. Numbers in
 * circles are dropped too, and an address gets a space, so that no program makes it a link.
 */
export function createMarkerFilter(most: number) {
  let held: string[] = [];
  let open: Bracket[] = [];
  let before = '';
  let tail = '';

  const flush = (): string => {
    const text = held.join('');
    held = [];
    open = [];
    return text;
  };

  /** The blanks before a marker go with it. */
  const dropBlanks = (): void => {
    while (/^[ \u00a0]$/.test(held.at(-1) ?? '')) held.pop();
  };

  const close = (): void => {
    const bracket = open.pop()!;
    if (!bracket.hasMarker && !isMarker(bracket, most)) return;
    held.length = bracket.start;
    const outer = open.at(-1);
    if (outer !== undefined) outer.hasMarker = true;
    else dropBlanks();
  };

  const read = (character: string): string => {
    if (OPENING.test(character)) {
      open.push({ start: held.length, before: lastOf(held, before), digits: '', hasMarker: false });
      held.push(character);
      return '';
    }
    const bracket = open.at(-1);
    if (ENCLOSED.test(character)) {
      if (bracket === undefined) dropBlanks();
      else bracket.hasMarker = true;
      return '';
    }
    if (bracket === undefined) {
      const isBlank = /[ \u00a0]/.test(character);
      const text = isBlank ? '' : flush();
      held.push(character);
      return text + (isBlank ? '' : flush());
    }
    held.push(character);
    if (CLOSING.test(character)) close();
    else if (DIGIT.test(character)) bracket.digits += character;
    else if (bracket.digits !== '' && FILLER.test(character)) bracket.digits += ' ';
    else if (bracket.digits !== '' || !(BLANK.test(character) || PREFIX.test(character))) {
      if (!(bracket.hasMarker && FILLER.test(character))) return flush();
    }
    return '';
  };

  return {
    push(text: string): string {
      let shown = '';
      for (const character of text) {
        tail = (tail + character).slice(-6);
        const piece = (LINKED.test(tail) ? read(' ') : '') + read(character);
        shown += piece;
        before = Array.from(piece.slice(-2)).at(-1) ?? before;
      }
      return shown;
    },
    /** Returns the text still held. */
    end(): string {
      const text = flush();
      before = Array.from(text.slice(-2)).at(-1) ?? before;
      return text;
    },
  };
}

function lastOf(held: readonly string[], before: string): string {
  return held.at(-1) ?? before;
}

function isMarker({ before, digits }: Bracket, most: number): boolean {
  const numbers = digits.trim().split(/ +/).filter(Boolean).map(valueOf);
  if (numbers.length === 0) return false;
  if (!WORD.test(before)) return true;
  return numbers.some((number) => number >= 1 && number <= most);
}

/** The value of digits of any script (Unicode keeps the ten digits of a script together), raised and lowered ones too. */
function valueOf(digits: string): number {
  return Array.from(normalForm(digits, 'NFKC'), (digit) => {
    const code = digit.codePointAt(0)!;
    let zero = code;
    while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--;
    return code - zero;
  }).reduce((sum, one) => sum * 10 + one, 0);
}
