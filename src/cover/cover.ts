// Drawn like the covers of the Insel-Bücherei: a patterned paper in two tones, and a label pasted on it.
import { createHash } from 'node:crypto';
import { setText, type SetText } from './cover-text.ts';
import { PAPERS, PATTERNS } from './cover-paper.ts';
import { escapeXml } from '../xml.ts';

export type CoverText = {
  readonly kind: 'book' | 'skill';
  readonly slug: string;
  readonly title: string;
  readonly publisher: string;
};

/** The background of the label and its words: 16:1. */
export const LABEL = '#fbf8f2';
export const INK = '#1d1b18';

/** Sizes in pixels: the cover, and the width of the label's words. */
export const SHAPES = {
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
const PUBLISHER = [
  { size: 12, most: 1 },
  { size: 11, most: 2 },
];
const LEADING = 1.25;

/** Draws an item's cover as SVG, 2:3 for a book and square for a skill: deterministic, under 3 KB, without style or script. */
export function drawCover({ kind, slug, title, publisher }: CoverText): string {
  const { width, height, measure } = SHAPES[kind];
  const [paper, pattern, scale, angle] = choicesOf(slug);
  const { ground, figure } = PAPERS[paper % PAPERS.length]!;
  const { tile, shape } = PATTERNS[pattern % PATTERNS.length]!;
  const words = setText(title, measure, TITLE);
  const imprint = setText(publisher, measure, PUBLISHER);
  const inner = heightOf(words) + 16 + heightOf(imprint);
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
    `<path d="M${width / 2 - 14} ${round(rule)}h28" stroke="${ground}"/>`,
    `<g font-family="Charter,Georgia,serif" text-anchor="middle" fill="${INK}">`,
    textLines(words, width / 2, top),
    textLines(imprint, width / 2, rule + 9),
    '</g></svg>',
  ].join('');
}

/** Four numbers derived from the slug. */
export function choicesOf(slug: string): readonly [number, number, number, number] {
  const [paper = 0, pattern = 0, scale = 0, angle = 0] = createHash('sha256').update(slug).digest();
  return [paper, pattern, scale, angle];
}

function heightOf({ lines, size }: SetText): number {
  return lines.length * size * LEADING;
}

function textLines({ lines, size }: SetText, x: number, top: number): string {
  const rows = lines.map(
    (line, n) => `<text x="${x}" y="${round(top + (n * LEADING + 0.97) * size)}">${escapeXml(line)}</text>`,
  );
  return `<g font-size="${size}"${directionIn(lines.join(' '))}>${rows.join('')}</g>`;
}

/** From right to left if the first letter is, as in HTML's `dir="auto"`: else its full stops are at the wrong end. */
function directionIn(text: string): string {
  const first = /\p{L}/u.exec(text)?.[0] ?? '';
  return RIGHT_TO_LEFT.test(first) ? ' direction="rtl"' : '';
}

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
