import type { Gap } from './gap-equivalence.ts';
import { hideMarkup } from './quote-markup.ts';

/**
 * A text ready to be searched for quotes: `letters` holds the UTF-16 units that a quote must have exactly (letters,
 * digits, punctuation, symbols), `at` the offset of each in `text`. About 12 bytes a unit of the text.
 */
export type NormalizedText = {
  readonly text: string;
  readonly shown: string;
  readonly letters: string;
  readonly at: Uint32Array;
};

// What a gap is made of (see gap.ts). \p{White_Space} lacks the zero width ones; a superscript minus is no dash.
const IN_GAP = /(?![\u207b\u208b])[\p{White_Space}\p{Quotation_Mark}\p{Dash}\u00ad\u200b\u2060\ufeff]/u;
let inGap: Uint8Array | null = null;

/** Folds a whole file or a passage, in linear time. Worth keeping for as long as quotes of the text are to be checked. */
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

/** What stands before letter `i`, '' where the letter before is its neighbour. */
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
