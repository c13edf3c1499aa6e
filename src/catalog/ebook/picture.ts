import { cleanSvg } from '../../ebook/svg.ts';

/** A picture as an e-book may have it. */
type Picture = {
  readonly bytes: Uint8Array;
  readonly ending: string;
  readonly type: string;
};

/** Decoded it takes four bytes for each pixel. */
const MOST_PIXELS = 24_000_000;

/** The longest that is read, in bytes. */
const LONGEST = 32 * 1024 * 1024;

/** The pictures of EPUB 3.2 that are taken as they are (https://www.w3.org/TR/epub-32/#sec-cmt-supported). */
const KEPT: Readonly<Record<string, Omit<Picture, 'bytes'>>> = {
  png: { ending: 'png', type: 'image/png' },
  jpeg: { ending: 'jpg', type: 'image/jpeg' },
  gif: { ending: 'gif', type: 'image/gif' },
};

/** A picture by its bytes, whatever its file is called: as it is, as PNG, or null if it cannot be read. */
export async function readPicture(bytes: Buffer): Promise<Picture | null> {
  if (bytes.length === 0 || bytes.length > LONGEST) return null;
  if (/^\s*</.test(bytes.subarray(0, 256).toString('latin1').replace('\u00ef\u00bb\u00bf', '')))
    return readDrawing(bytes);
  try {
    const { format } = await new Bun.Image(bytes).metadata();
    const kept = Object.hasOwn(KEPT, format) ? KEPT[format] : undefined;
    if (kept !== undefined) return { bytes, ...kept };
    const png = await new Bun.Image(bytes, { maxPixels: MOST_PIXELS }).png().bytes();
    return { bytes: png, ...KEPT['png']! };
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_IMAGE_')) return null;
    throw error;
  }
}

function readDrawing(bytes: Buffer): Picture | null {
  const svg = cleanSvg(bytes.toString());
  return svg === null ? null : { bytes: Buffer.from(svg), ending: 'svg', type: 'image/svg+xml' };
}
