import { loadZlib } from '../../../runtime.ts';

// PNG: https://www.w3.org/TR/png-3/

const [WIDTH, HEIGHT] = [1200, 630];
const PALETTE = Uint8Array.of(0xfb, 0xf8, 0xf2, 0xa5, 0x34, 0x1f);

/** The icon's awning of five stripes over a table as a PNG: other sites draw links to items without a cover with it. */
export function drawPreview(): Uint8Array<ArrayBuffer> {
  const row = (isDark: (x: number) => boolean): Uint8Array => {
    const bytes = new Uint8Array(1 + WIDTH / 8);
    for (let x = 0; x < WIDTH; x++) if (isDark(x)) bytes[1 + (x >> 3)]! |= 0x80 >> (x & 7);
    return bytes;
  };
  const [paper, awning, table] = [
    row(() => false),
    row((x) => x >= 300 && x < 900 && Math.floor((x - 300) / 120) % 2 === 0),
    row((x) => x >= 300 && x < 900),
  ];
  const rows = Array.from({ length: HEIGHT }, (_, y) => {
    if (y >= 120 && y < 330) return awning;
    return y >= 440 && y < 510 ? table : paper;
  });
  // One bit for each pixel, and a palette.
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0]);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  return new Uint8Array(
    Buffer.concat([
      Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
      chunk('IHDR', header),
      chunk('PLTE', PALETTE),
      chunk('IDAT', loadZlib().deflateSync(Buffer.concat(rows))),
      chunk('IEND', new Uint8Array()),
    ]),
  );
}

function chunk(name: string, content: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(name), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(loadZlib().crc32(body));
  return Buffer.concat([length, body, check]);
}
