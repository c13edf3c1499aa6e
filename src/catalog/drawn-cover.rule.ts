// Draws covers like those of the Insel-Bücherei: a patterned paper in two tones, and a label pasted on it.
import { createHash } from 'node:crypto';
import { escapeXml, lazySegmenter, splitTitle } from '../platform/base/text.ts';
import { loadZlib } from '../platform/base/runtime.ts';
import type { ItemKind } from '../platform/base/principal.ts';

export type CoverText = {
  readonly kind: ItemKind;
  readonly slug: string;
  readonly title: string;
  readonly makers: string;
};

/** The colours of the label's background and of its words, with a contrast of 16:1. */
export const LABEL = '#fbf8f2';
export const INK = '#1d1b18';

/** The sizes of covers in pixels; `measure` is the maximum width of the words on the label. */
const SHAPES = {
  book: { width: 240, height: 360, measure: 148 },
  skill: { width: 300, height: 300, measure: 190 },
};

const PADDING = 18;
const TITLE = [
  { size: 28, most: 3 },
  { size: 24, most: 4 },
  { size: 20, most: 5 },
  { size: 17, most: 6 },
];
const MAKERS = [
  { size: 12, most: 1 },
  { size: 11, most: 2 },
];
const LEADING = 1.25;

/**
 * Draws an item's cover as SVG, 2:3 for a book and square for a skill, with the title but not the subtitle. The same texts
 * always give the same cover, which is under 3 KB and has no style and no script.
 */
export function drawCover({ kind, slug, title, makers }: CoverText): string {
  const { width, height, measure } = SHAPES[kind];
  const { paper, pattern, scale, angle } = choicesOf(slug);
  const { ground, figure } = PAPERS[paper % PAPERS.length]!;
  const { tile, shape } = PATTERNS[pattern % PATTERNS.length]!;
  const words = setText(splitTitle(title).name, measure, TITLE);
  const imprint = setText(makers, measure, MAKERS);
  const inner = heightOf(words) + (makers === '' ? 0 : 16 + heightOf(imprint));
  const label = { width: measure + 2 * PADDING, height: Math.round(inner + 2 * PADDING) };
  const x = (width - label.width) / 2;
  const y = Math.round((height - label.height) * (kind === 'book' ? 0.36 : 0.5));
  const top = y + PADDING;
  const rule = top + heightOf(words) + 7;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<defs><pattern id="p" fill="${figure}" stroke="${figure}" width="${tile}" height="${tile}" patternUnits="userSpaceOnUse" patternTransform="rotate(${(angle % 4) * 45}) scale(${1 + (scale % 4) / 4})">${shape}</pattern></defs>`,
    `<rect width="${width}" height="${height}" fill="${ground}"/>`,
    `<rect width="${width}" height="${height}" fill="url(#p)"/>`,
    `<rect x="${x}" y="${y}" width="${label.width}" height="${label.height}" fill="${LABEL}"/>`,
    `<rect x="${x + 5.5}" y="${y + 5.5}" width="${label.width - 11}" height="${label.height - 11}" fill="none" stroke="${ground}"/>`,
    makers === '' ? '' : `<path d="M${width / 2 - 14} ${round(rule)}h28" stroke="${ground}"/>`,
    `<g font-family="Charter,Georgia,serif" text-anchor="middle" fill="${INK}">`,
    textLines(words, width / 2, top),
    makers === '' ? '' : textLines(imprint, width / 2, rule + 9),
    '</g></svg>',
  ].join('');
}

function choicesOf(slug: string) {
  const [paper = 0, pattern = 0, scale = 0, angle = 0] = createHash('sha256').update(slug).digest();
  return { paper, pattern, scale, angle };
}

const heightOf = ({ lines, size }: SetText): number => lines.length * size * LEADING;

function textLines({ lines, size }: SetText, x: number, top: number): string {
  const rows = lines.map(
    (line, n) => `<text x="${x}" y="${round(top + (n * LEADING + 0.97) * size)}">${escapeXml(line)}</text>`,
  );
  return `<g font-size="${size}"${directionIn(lines.join(' '))}>${rows.join('')}</g>`;
}

/**
 * Returns an attribute for text whose first letter is of a right-to-left script, as HTML's `dir="auto"` would set it; '' for
 * other text. Without the attribute, full stops would be at the wrong end.
 */
function directionIn(text: string): string {
  const first = /\p{L}/u.exec(text)?.[0] ?? '';
  return RIGHT_TO_LEFT.test(first) ? ' direction="rtl"' : '';
}

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

const round = (pixels: number): number => Math.round(pixels * 10) / 10;

/** A text set in lines, in a font of `size` pixels; the last line ends with "…" if the text was cut. */
type SetText = { readonly lines: readonly string[]; readonly size: number };

type TypeSize = { readonly size: number; readonly most: number };

const graphemes = lazySegmenter('und', 'grapheme');

/** Estimated widths of characters in em, rather too large, for a typical book serif. The last pattern matches any character. */
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

/**
 * Divides a text into lines, in the largest of the font sizes in which the whole text fits. If it fits in none, uses the last
 * size, and shortens the text if it has too many lines. `width` is in pixels.
 */
function setText(text: string, width: number, sizes: readonly TypeSize[]): SetText {
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
    // A closing mark may hang beyond the line, since it must not begin the next one.
    const mayHang = CLOSING.test(segment) && widthOf(piece) <= em;
    const hyphen = ALPHABETIC.test(segment) && ALPHABETIC.test(piece.at(-1) ?? '') ? '-' : '';
    if (piece !== '' && widthOf(piece + segment + hyphen) > em && !mayHang) {
      pieces.push(piece + hyphen);
      piece = '';
    }
    piece += segment;
  }
  return [...pieces, piece];
}

const ALPHABETIC = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;

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

export const PAPERS: readonly { readonly ground: string; readonly figure: string }[] = [
  { ground: '#7a2a1c', figure: '#af5c49' },
  { ground: '#2f4f4a', figure: '#678e84' },
  { ground: '#23415f', figure: '#6588a8' },
  { ground: '#5b3a63', figure: '#98779f' },
  { ground: '#6b4a16', figure: '#af8947' },
  { ground: '#3d4a1f', figure: '#829054' },
  { ground: '#5f2740', figure: '#a5667f' },
  { ground: '#3a3632', figure: '#7f786e' },
  { ground: '#1f4a57', figure: '#5c909d' },
  { ground: '#4b3327', figure: '#967764' },
  { ground: '#33356b', figure: '#7578b1' },
  { ground: '#234d2d', figure: '#669471' },
];

/**
 * The patterns of the papers: each is a shape in a square tile of `tile` pixels. Shapes are filled and stroked in the
 * figure's tone unless they say "none".
 */
export const PATTERNS: readonly { readonly tile: number; readonly shape: string }[] = [
  { tile: 16, shape: '<circle cx="4" cy="4" r="2"/><circle cx="12" cy="12" r="2"/>' },
  { tile: 12, shape: '<path d="M0 3h12M0 9h12" stroke-width="2.5"/>' },
  { tile: 24, shape: '<path d="M0 6q6-8 12 0t12 0M0 18q6-8 12 0t12 0" fill="none" stroke-width="2"/>' },
  { tile: 20, shape: '<path d="M0 0h10l10 20H10z" stroke="none"/>' },
  {
    tile: 20,
    shape: '<path d="M10 1l4 9-4 9-4-9zM0-9l4 9-4 9M20-9l-4 9 4 9M0 11l4 9H0M20 11l-4 9h4" stroke="none"/>',
  },
  {
    tile: 24,
    shape:
      '<path d="M0 12a12 12 0 0 1 24 0M6 12a6 6 0 0 1 12 0M0 24a12 12 0 0 1 12-12 12 12 0 0 1 12 12" fill="none" stroke-width="1.5"/>',
  },
  { tile: 18, shape: '<path d="M9 4v10M4 9h10" stroke-width="2.5" stroke-linecap="round"/>' },
  {
    tile: 26,
    shape:
      '<g fill="none" stroke-width="1.5"><circle cx="13" cy="13" r="10"/><circle cx="13" cy="13" r="5"/></g>',
  },
  {
    tile: 24,
    shape: '<path d="M12 2c5 5 5 15 0 20-5-5-5-15 0-20zM2 12c5-5 15-5 20 0-5 5-15 5-20 0z" stroke="none"/>',
  },
  { tile: 20, shape: '<path d="M0 5l10 6 10-6M0 15l10 6 10-6" fill="none" stroke-width="2.5"/>' },
  { tile: 22, shape: '<path d="M0 0h11v11H0zM11 11h11v11H11z" stroke="none"/>' },
  {
    tile: 28,
    shape:
      '<path d="M14 3l3 8 8 3-8 3-3 8-3-8-8-3 8-3z" stroke="none"/><circle cx="0" cy="0" r="2"/><circle cx="28" cy="0" r="2"/><circle cx="0" cy="28" r="2"/><circle cx="28" cy="28" r="2"/>',
  },
];

// Writes PNG, second edition, https://www.w3.org/TR/PNG/, for programs that do not show SVG.

const SIGNATURE = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** The PNG colour type in which each pixel is an index into a palette; here each takes a byte. */
const INDEXED = 3;
const [GROUND, FIGURE, PAPER] = [0, 1, 2];

/**
 * Draws the paper and the label of an item's cover as a PNG of about 2 KB, without words. The same slug always gives the
 * same image.
 */
export function drawPaper(kind: ItemKind, slug: string): Uint8Array<ArrayBuffer> {
  const { width, height } = SHAPES[kind];
  const { paper, pattern, scale } = choicesOf(slug);
  const { ground, figure } = PAPERS[paper % PAPERS.length]!;
  const tile = 10 + (scale % 4) * 4;
  const lean = (pattern % 3) - 1;
  const label = { left: width / 8, right: (width * 7) / 8, top: height / 6, bottom: height / 2 };
  const colourAt = (x: number, y: number): number => {
    const inset = Math.min(x - label.left, label.right - 1 - x, y - label.top, label.bottom - 1 - y);
    if (inset >= 0) return Math.floor(inset) === 5 ? GROUND : PAPER;
    return (x + lean * y + tile * height) % (2 * tile) < tile ? GROUND : FIGURE;
  };
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) lines[y * (width + 1) + 1 + x] = colourAt(x, y);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, INDEXED, 0, 0, 0], 8);
  const palette = [ground, figure, LABEL].map((colour) => colour.slice(1)).join('');
  const parts = [
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette, 'hex')),
    chunk('IDAT', loadZlib().deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return new Uint8Array(Buffer.concat(parts));
}

function chunk(type: string, bytes: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), bytes]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(bytes.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(Bun.hash.crc32(named), named.length + 4);
  return framed;
}
