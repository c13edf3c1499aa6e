import { hideMarkup } from './shown-text.ts';
import { normalForm } from '../text.ts';

/**
 * A text prepared for the search for quotes. `letters` holds the UTF-16 units that a quote must match exactly (letters,
 * digits, punctuation, symbols), composed (NFC); `at` and `ends` hold the offsets in `text` where each begins and ends. `ends`
 * is null if the text is composed already: each unit then ends one after it begins. Takes about 12 bytes for each unit of it.
 */
export type NormalizedText = {
  readonly text: string;
  readonly shown: string;
  readonly letters: string;
  readonly at: Uint32Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer> | null;
};

// The characters of a gap (see gap-equivalence.ts). \p{White_Space} lacks the zero width ones; a superscript minus is no dash.
const IN_GAP = /(?![\u207b\u208b])[\p{White_Space}\p{Quotation_Mark}\p{Dash}\u00ad\u200b\u2060\ufeff]/u;
// A character with its combining marks, or a Hangul syllable in parts.
const CLUSTER = /\P{M}\p{M}+|[\u1100-\u11ff]+/gu;
let inGap: Uint8Array | null = null;

/** Normalizes a file or a passage in linear time. Keep the result while quotes of the text are checked. */
export function normalizeText(text: string): NormalizedText {
  inGap ??= Uint8Array.from({ length: 0x10000 }, (_, unit) => Number(IN_GAP.test(String.fromCharCode(unit))));
  const shown = hideMarkup(text);
  const clusters = normalForm(text, 'NFC') === text ? null : composedClusters(shown);
  // Composing makes no character longer than three times its length (UAX #15).
  const size = text.length * (clusters === null ? 1 : 3);
  const units = new Uint16Array(size);
  const at = new Uint32Array(size);
  const ends = clusters === null ? null : new Uint32Array(size);
  let count = 0;
  const add = (unit: number, start: number, end: number): void => {
    units[count] = unit;
    at[count] = start;
    if (ends !== null) ends[count] = end;
    count++;
  };
  for (let i = 0; i < shown.length; i++) {
    const cluster = clusters?.get(i);
    if (cluster !== undefined) {
      const { composed, end } = cluster;
      const last = composed.length - 1;
      for (let k = 0; k <= last; k++)
        add(composed.charCodeAt(k), Math.min(i + k, end - 1), k === last ? end : Math.min(i + k + 1, end));
      i = end - 1;
      continue;
    }
    const unit = shown.charCodeAt(i);
    if (inGap[unit] !== 1) add(unit, i, i + 1);
  }
  const letters = Buffer.from(units.buffer, 0, count * 2).toString('utf16le');
  return { text, shown, letters, at: at.slice(0, count), ends: ends?.slice(0, count) ?? null };
}

/** The parts of a decomposed text that composing changes, by the offset where they begin. */
function composedClusters(text: string) {
  const clusters = new Map<number, { readonly composed: string; readonly end: number }>();
  for (const { 0: written, index } of text.matchAll(CLUSTER)) {
    const composed = normalForm(written, 'NFC');
    if (composed !== written) clusters.set(index, { composed, end: index + written.length });
  }
  return clusters;
}

/** The offset in the text where letter `i` ends. */
export function endOf({ at, ends }: NormalizedText, i: number): number {
  return ends?.[i] ?? at[i]! + 1;
}

/** The gap before letter `i`, empty if the letter before it is adjacent. */
export function gapBefore(source: NormalizedText, i: number): Gap {
  const { text, shown, letters, at } = source;
  const start = startOfGap(source, i);
  const end = at[i]!;
  return {
    left: letters[i - 1] ?? '',
    right: letters[i] ?? '',
    raw: text.slice(start, end),
    shown: shown.slice(start, end),
  };
}

export function hasGapBefore(source: NormalizedText, i: number): boolean {
  return startOfGap(source, i) < source.at[i]!;
}

function startOfGap(source: NormalizedText, i: number): number {
  return i === 0 ? 0 : endOf(source, i - 1);
}

/**
 * The characters between two letters, `left` and `right` ('' at either end of the text): white space, quotation marks,
 * dashes and Markdown. `raw` is the text itself, `shown` the same with its markup hidden.
 */
type Gap = {
  readonly left: string;
  readonly right: string;
  readonly raw: string;
  readonly shown: string;
};

/** Soft hyphen (which replaces hidden markup), zero width space, word joiner, zero width no-break space (a BOM). */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]+/g;
// Unicode's properties (PropList.txt).
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

/**
 * Whether two gaps mean the same. White space equals one space, and no space beside an ellipsis, before `!?;:` and between
 * Chinese or Japanese characters. Dashes of any kind, with or without spaces, are equal, but a minus is not a dash.
 * Quotation marks count only within a word (it's) and after a digit (5', 5"), where single and double differ. A hyphen
 * between letters at a line's end is optional. A link's target may be left out but not changed.
 */
export function gapsAreEquivalent(one: Gap, other: Gap): boolean {
  if (one.raw === other.raw && one.shown === other.shown) return true;
  const [inOne, inOther] = [hiddenWords(one), hiddenWords(other)];
  if (inOne !== '' && inOther !== '' && inOne !== inOther) return false;
  const readings = readingsOf(other);
  return readingsOf(one).some((reading) => readings.includes(reading));
}

// A bullet may also be a dash at the beginning of a line, so the raw gap is read too.
function readingsOf(gap: Gap): readonly string[] {
  return [gap.shown, gap.raw].flatMap((text) => {
    const seen = text.replace(INVISIBLE, '');
    const hyphenated = LINE_END.test(seen) && /^\p{L}\p{L}$/u.test(gap.left + gap.right);
    return hyphenated ? ['', '-'] : [read(seen, gap)];
  });
}

function read(seen: string, { left, right }: Gap): string {
  const unquoted = seen.replace(MARKS, (marks, offset: number) => {
    if (offset === 0 && NUMBER.test(left)) return SINGLE.test(marks) ? "'" : '"';
    return marks === seen && WORD.test(left) && WORD.test(right) ? "'" : '';
  });
  if (isSign(unquoted, left, right)) return `${unquoted.length > 1 ? ' ' : ''}\u2212`;
  const spaced = unquoted.replace(/\s+/g, ' ').replace(DASHES, '-');
  const closed = left === '…' || right === '…' || /[!?;:]/.test(right) || (CJK.test(left) && CJK.test(right));
  return closed ? spaced.replace(' ', '') : spaced;
}

function isSign(gap: string, left: string, right: string): boolean {
  const sign = NUMBER.test(right) ? SIGN_OF_NUMBER : SIGN;
  if (!sign.test(gap) || !/[\p{L}\p{N}.\p{Sc}]/u.test(right)) return false;
  return gap.length > 1 ? /^\s+.$/.test(gap) : left === '' || OPENS.test(left);
}

/** The letters and digits in hidden markup: a link's target, a footnote's label, a tag's attributes. */
function hiddenWords({ raw, shown }: Gap): string {
  if (raw === shown) return '';
  return Array.from(raw, (_, i) => (raw[i] !== shown[i] && WORD.test(raw[i] ?? '') ? raw[i] : '')).join('');
}
