import { lazySegmenter } from '../segmenter.ts';
/** Lines of a text set in `size` pixels; the last ends with "…" if it was cut. */
export type SetText = { readonly lines: readonly string[]; readonly size: number };

/** A font size in pixels, and the most lines it may fill. */
type TypeSize = { readonly size: number; readonly most: number };

const graphemes = lazySegmenter('und', 'grapheme');

/** Generous widths in em of a bookish serif; the last pattern matches every other character. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/^[\s.,:;!|'’‘`ijl()[\]]/u, 0.33],
  [/^[ftrsI"“”*-]/u, 0.45],
  [/^[MWmw@%&—…]/u, 0.95],
  [/^[\p{Lu}]/u, 0.74],
  [
    /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\uff00-\uff60]/u,
    1.05,
  ],
  [/^/u, 0.58],
];

/** Sets a text in the first of `sizes`, largest first, that holds it whole; else in the last, cut. `width` is in pixels. */
export function setText(text: string, width: number, sizes: readonly TypeSize[]): SetText {
  for (const { size, most } of sizes) {
    const { lines, isBroken } = wrap(text, width / size);
    if (lines.length <= most && !isBroken) return { lines, size };
  }
  const { size, most } = sizes[sizes.length - 1]!;
  const { lines } = wrap(text, width / size);
  if (lines.length <= most) return { lines, size };
  const last = shorten(`${lines[most - 1]} ${lines[most]}`, width / size);
  return { lines: [...lines.slice(0, most - 1), last], size };
}

/** Breaks at white space, and inside words longer than a line; `em` is the width of a line. */
function wrap(text: string, em: number): { readonly lines: readonly string[]; readonly isBroken: boolean } {
  const lines: string[] = [];
  let isBroken = false;
  let line = '';
  for (const word of text.trim().split(/\s+/u)) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (widthOf(joined) <= em) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = breakWord(word, em);
    isBroken ||= pieces.length > 1;
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
  }
  return { lines: [...lines, line], isBroken };
}

function breakWord(word: string, em: number): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of graphemes().segment(word)) {
    // A closing mark hangs beyond the line: it may not begin the next.
    const mayHang = CLOSING.test(segment) && widthOf(piece) <= em;
    if (piece !== '' && widthOf(piece + segment) > em && !mayHang) {
      pieces.push(piece);
      piece = '';
    }
    piece += segment;
  }
  return [...pieces, piece];
}

const CLOSING = /^[\p{Pe}\p{Pf}\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff01\uff1f:;,.!?]/u;

function shorten(text: string, em: number): string {
  const kept = Array.from(graphemes().segment(text), ({ segment }) => segment);
  while (kept.length > 0 && widthOf(`${kept.join('')}…`) > em) kept.pop();
  return `${kept.join('').trimEnd()}…`;
}

function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of graphemes().segment(text))
    width += WIDTHS.find(([pattern]) => pattern.test(segment))?.[1] ?? 0;
  return width;
}
