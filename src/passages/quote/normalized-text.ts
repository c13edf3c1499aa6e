import type { Gap } from './gap-equivalence.ts';
import { hideMarkup } from './quote-markup.ts';

/**
 * A text prepared for the search for quotes. `letters` holds the UTF-16 units that a quote must match exactly (letters,
 * digits, punctuation, symbols), `at` the offset of each in `text`. Takes about 12 bytes for each unit of the text.
 */
export type NormalizedText = {
  readonly text: string;
  readonly shown: string;
  readonly letters: string;
  readonly at: Uint32Array;
};

// The characters of a gap (see gap-equivalence.ts). \p{White_Space} lacks the zero width ones; a superscript minus is no dash.
const IN_GAP = /(?![\u207b\u208b])[\p{White_Space}\p{Quotation_Mark}\p{Dash}\u00ad\u200b\u2060\ufeff]/u;
let inGap: Uint8Array | null = null;

/** Normalizes a file or a passage in linear time. Keep the result while quotes of the text are checked. */
export function normalizeText(text: string): NormalizedText {
  inGap ??= Uint8Array.from({ length: 0x10000 }, (_, unit) => Number(IN_GAP.test(String.fromCharCode(unit))));
  const shown = hideMarkup(text);
  const units = new Uint16Array(text.length);
  const at = new Uint32Array(text.length);
  let count = 0;
  for (let i = 0; i < shown.length; i++) {
    const unit = shown.charCodeAt(i);
    if (inGap[unit] === 1) continue;
    units[count] = unit;
    at[count++] = i;
  }
  const letters = Buffer.from(units.buffer, 0, count * 2).toString('utf16le');
  return { text, shown, letters, at: at.slice(0, count) };
}

/** The gap before letter `i`, empty if the letter before it is adjacent. */
export function gapBefore({ text, shown, letters, at }: NormalizedText, i: number): Gap {
  const start = startOfGap(at, i);
  const end = at[i]!;
  return {
    left: letters[i - 1] ?? '',
    right: letters[i] ?? '',
    raw: text.slice(start, end),
    shown: shown.slice(start, end),
  };
}

export function hasGapBefore({ at }: NormalizedText, i: number): boolean {
  return startOfGap(at, i) < at[i]!;
}

function startOfGap(at: Uint32Array, i: number): number {
  return i === 0 ? 0 : at[i - 1]! + 1;
}
