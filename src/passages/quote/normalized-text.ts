import type { Gap } from './gap-equivalence.ts';
import { hideMarkup } from './quote-markup.ts';
import { normalForm } from '../../normal-form.ts';

/**
 * A text prepared for the search for quotes. `letters` holds the UTF-16 units that a quote must match exactly (letters,
 * digits, punctuation, symbols), composed (NFC); `at` and `ends` hold the offsets in `text` where each begins and ends. `ends`
 * is null if the text is composed already: each unit then ends one after it begins. Takes about 12 bytes for each unit of it.
 */
export type NormalizedText = {
  readonly text: string;
  readonly shown: string;
  readonly letters: string;
  readonly at: Uint32Array;
  readonly ends: Uint32Array | null;
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
