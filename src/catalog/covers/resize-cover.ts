import { closeSync, mkdirSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CoverJob } from '../reading/render-job.ts';

/** Twice the width of a card, in pixels. */
const WIDTH = 480;

/** Decoded it takes four bytes for each pixel. */
const MOST_PIXELS = 24_000_000;

/** A progressive JPEG has about ten; each may cost as much as the whole image. */
const MOST_SCANS = 64;

const NOTHING = new Uint8Array();

/** Writes an image as WebP of at most 480 pixels' width into `out`; an empty file if the original is as good, or is no image that can be read. */
export async function resizeCover({ artefact, start, end, out }: CoverJob): Promise<true> {
  const original = readImage(artefact, start, end);
  const resized = countScans(original) > MOST_SCANS ? NOTHING : await resize(original);
  mkdirSync(dirname(out), { recursive: true, mode: 0o700 });
  writeFileSync(`${out}.new`, resized.length < original.length ? resized : NOTHING, { mode: 0o600 });
  renameSync(`${out}.new`, out);
  return true;
}

async function resize(original: Buffer): Promise<Uint8Array> {
  try {
    const image = new Bun.Image(original, { maxPixels: MOST_PIXELS });
    return await image.resize(WIDTH, undefined, { withoutEnlargement: true }).webp({ quality: 82 }).bytes();
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_IMAGE_'))
      return NOTHING;
    throw error;
  }
}

function readImage(artefact: string, start: number, end: number): Buffer {
  const base64 = Buffer.alloc(end - start);
  const descriptor = openSync(artefact, 'r');
  try {
    readSync(descriptor, base64, 0, base64.length, start);
  } finally {
    closeSync(descriptor);
  }
  return Buffer.from(base64.toString('latin1'), 'base64');
}

/** The scans of a JPEG, by their markers (ITU-T T.81, B.1.1.3). */
function countScans(bytes: Buffer): number {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return 0;
  let scans = 0;
  for (let at = bytes.indexOf(SCAN); at !== -1; at = bytes.indexOf(SCAN, at + 2)) scans++;
  return scans;
}

const SCAN = Buffer.of(0xff, 0xda);
