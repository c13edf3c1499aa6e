// PNG, second edition, https://www.w3.org/TR/PNG/: for programs that show no SVG.
import { choicesOf, INK, LABEL, SHAPES } from './cover.ts';
import { PAPERS } from './cover-paper.ts';
import { loadZlib } from '../zlib.ts';

const SIGNATURE = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Eight bits a pixel, each the number of a colour of the palette. */
const [DEPTH, PALETTE] = [8, 3];
const [GROUND, FIGURE, PAPER, RULE] = [0, 1, 2, 3];

/** The paper of an item's drawn cover with its label as a PNG, without words: deterministic, some 2 KB. */
export function drawPaper(kind: 'book' | 'skill', slug: string): Uint8Array<ArrayBuffer> {
  const { width, height } = SHAPES[kind];
  const [paper, pattern, scale] = choicesOf(slug);
  const { ground, figure } = PAPERS[paper % PAPERS.length]!;
  const tile = 10 + (scale % 4) * 4;
  const lean = (pattern % 3) - 1;
  const label = { left: width / 8, right: (width * 7) / 8, top: height / 6, bottom: height / 2 };
  const colourAt = (x: number, y: number): number => {
    const inset = Math.min(x - label.left, label.right - 1 - x, y - label.top, label.bottom - 1 - y);
    if (inset >= 0) return Math.floor(inset) === 5 ? GROUND : PAPER;
    return (x + lean * y + tile * height) % (2 * tile) < tile ? GROUND : FIGURE;
  };
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = colourAt(x, y);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([DEPTH, PALETTE, 0, 0, 0], 8);
  const colours = [ground, figure, LABEL, INK].map((colour) => Buffer.from(colour.slice(1), 'hex'));
  const parts = [
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.concat(colours.slice(0, RULE + 1))),
    chunk('IDAT', loadZlib().deflateSync(rows)),
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
