import { hideMarkup } from '../reading/shown-text.rule.ts';
import { normalForm } from '../platform/base/text.ts';

/**
 * A text, and the form `normal` in which quotes are looked up: composed (NFC), without Markdown, and with white space, dashes
 * and quotation marks made alike. `at` and `ends` tell where each UTF-16 unit of `normal` begins and ends in `text`. `shown` is
 * `text` with soft hyphens in place of its markup. `asWritten` returns a second form that keeps bullets, as dashes, and hyphens
 * at line ends: each may belong to the words or not. It is null if the text has neither. Takes about 14 bytes for each unit.
 */
export type NormalizedText = {
  readonly text: string;
  readonly shown: string;
  readonly normal: string;
  readonly at: Uint32Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly asWritten: (() => NormalizedText) | null;
};

// Matches the characters that may stand between two letters: white space, quotation marks, dashes (Unicode's PropList.txt) and
// invisible characters, but no superscript or subscript minus.
const IN_GAP = /(?![\u207b\u208b])[\p{White_Space}\p{Quotation_Mark}\p{Dash}\u00ad\u200b\u2060\ufeff]/u;
// Matches a character with its combining marks, or the parts of a Hangul syllable.
const CLUSTER = /\P{M}\p{M}+|[\u1100-\u11ff]+/gu;
let inGap: Uint8Array | null = null;

/** Normalizes a file or a passage in linear time. Keep the result while more quotes are looked up in the text. */
export const normalizeText = (text: string): NormalizedText => normalizeShown(text, hideMarkup(text), false);

function normalizeShown(text: string, shown: string, isWritten: boolean): NormalizedText {
  inGap ??= Uint8Array.from({ length: 0x10000 }, (_, unit) => Number(IN_GAP.test(String.fromCharCode(unit))));
  const clusters = normalForm(text, 'NFC') === text ? null : composedClusters(shown);
  const size = text.length;
  let [units, at, ends] = [new Uint16Array(size), new Uint32Array(size), new Uint32Array(size)];
  let [count, left, end, isAmbiguous] = [0, '', 0, false];
  const add = (unit: number, from: number, to: number): void => {
    // Composing may make the normal form longer than the text.
    if (count === units.length) {
      units = new Uint16Array(units.buffer.transfer(2 * units.byteLength));
      at = new Uint32Array(at.buffer.transfer(2 * at.byteLength));
      ends = new Uint32Array(ends.buffer.transfer(2 * ends.byteLength));
    }
    units[count] = unit;
    at[count] = from;
    ends[count++] = to;
  };
  for (let i = 0; i < shown.length;) {
    const cluster = clusters?.get(i);
    if (cluster === undefined && inGap[shown.charCodeAt(i)] === 1) {
      i++;
      continue;
    }
    const letters = cluster?.composed ?? shown[i]!;
    const next = cluster?.end ?? i + 1;
    if (i > end) {
      const gap = shown.slice(end, i);
      const written = gap.includes(HIDDEN) ? withDashes(gap, text.slice(end, i)) : gap;
      const read = readGap(isWritten ? written : gap, left, letters[0]!, isWritten);
      isAmbiguous ||= written !== gap || (read === '' && LINE_END.test(gap));
      // A minus gets the offset of the gap's last character, all else that of its first.
      for (const one of read) add(one.charCodeAt(0), one === MINUS ? i - 1 : end, i);
    }
    const last = letters.length - 1;
    for (let k = 0; k <= last; k++)
      add(letters.charCodeAt(k), Math.min(i + k, next - 1), k === last ? next : Math.min(i + k + 1, next));
    left = letters[last]!;
    end = i = next;
  }
  const normal = Buffer.from(units.buffer, 0, count * 2).toString('utf16le');
  let second: NormalizedText | null = null;
  const asWritten = isAmbiguous ? () => (second ??= normalizeShown(text, shown, true)) : null;
  return { text, shown, normal, at: at.slice(0, count), ends: ends.slice(0, count), asWritten };
}

/** Returns the parts of a decomposed text that composing changes, by the offset at which they begin. */
function composedClusters(text: string) {
  const clusters = new Map<number, { readonly composed: string; readonly end: number }>();
  for (const { 0: written, index } of text.matchAll(CLUSTER)) {
    const composed = normalForm(written, 'NFC');
    if (composed !== written) clusters.set(index, { composed, end: index + written.length });
  }
  return clusters;
}

/** Matches soft hyphens (which replace hidden markup), zero width spaces, word joiners, and zero width no-break spaces. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]+/g;
const HIDDEN = '\u00ad';
const MINUS = '\u2212';
const MARKS = /\p{Quotation_Mark}+/gu;
const DASHES = / ?\p{Dash}[ \p{Dash}]*/gu;
const SINGLE = /^[\u0027\u2018-\u201b\u2039\u203a\uff07]$/;

const WORD = /[\p{L}\p{N}\p{M}_]/u;
const NUMBER = /\p{N}/u;
const CJK =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/u;
const LINE_END = /^[-\u2010][ \t]*\r?\n\s*$/;
const OPENS = /[([{=<>+*/^|]/;
const SIGN = /[-\u2010\u2011\u2212\ufe63\uff0d]$/;
const SIGN_OF_NUMBER = /[-\u2010-\u2013\u2212\ufe63\uff0d]$/;

const withDashes = (gap: string, raw: string): string =>
  gap.replace(/\u00ad/g, (hidden, at: number) => (/\p{Dash}/u.test(raw[at]!) ? raw[at]! : hidden));

/**
 * Returns the normal form of a gap, the characters between the letters `left` and `right` ('' at the text's beginning):
 * - White space becomes one space, and nothing beside an ellipsis, before `!?;:` and between Chinese or Japanese characters.
 * - Dashes of any kind, with or without spaces, become one hyphen, but a minus stays one.
 * - Quotation marks become `'` or `"` within a word (it's) and after a digit (5', 5"), and nothing elsewhere.
 * - A hyphen between letters at a line's end becomes nothing, unless `isWritten`.
 */
function readGap(gap: string, left: string, right: string, isWritten: boolean): string {
  const isClosed =
    left === '…' ||
    right === '…' ||
    '!?;:'.includes(right) ||
    (right >= '\u2e80' && CJK.test(left) && CJK.test(right));
  if (gap === ' ') return isClosed ? '' : gap;
  const seen = gap.replace(INVISIBLE, '');
  if (!isWritten && LINE_END.test(seen) && /^\p{L}\p{L}$/u.test(left + right)) return '';
  const unquoted = seen.replace(MARKS, (marks, offset: number) => {
    if (offset === 0 && NUMBER.test(left)) return SINGLE.test(marks) ? "'" : '"';
    return marks === seen && WORD.test(left) && WORD.test(right) ? "'" : '';
  });
  if (isSign(unquoted, left, right)) return `${unquoted.length > 1 ? ' ' : ''}${MINUS}`;
  const spaced = unquoted.replace(/\s+/g, ' ').replace(DASHES, '-');
  return isClosed ? spaced.replace(' ', '') : spaced;
}

function isSign(gap: string, left: string, right: string): boolean {
  const sign = NUMBER.test(right) ? SIGN_OF_NUMBER : SIGN;
  if (!sign.test(gap) || !/[\p{L}\p{N}.\p{Sc}]/u.test(right)) return false;
  return gap.length > 1 ? /^\s+.$/.test(gap) : left === '' || OPENS.test(left);
}

/** Returns the letters and digits of each piece of hidden markup in a slice, such as a link's target or a footnote's label. */
export const hiddenWords = ({ text, shown }: NormalizedText, start: number, end: number): readonly string[] =>
  Array.from(shown.slice(start, end).matchAll(/\u00ad+/g), ({ 0: { length }, index }) =>
    text.slice(start + index, start + index + length).replace(/[^\p{L}\p{N}]+/gu, ''),
  ).filter((words) => words !== '');
