import { dirname } from 'node:path';
import type { CoverJob } from './cover-job.rule.ts';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readSlice } from '../platform/base/file-slice.ts';
import { MOST_PIXELS } from './limit.rule.ts';

/** The width of a resized cover in pixels, twice that of a card. */
export const COVER_WIDTH = 480;

/**
 * The maximum number of scans of a JPEG that is resized. A progressive one has about ten; each may take as long as an image.
 */
const MOST_SCANS = 64;

const NOTHING = new Uint8Array();

/**
 * Writes a copy of an image, at most 480 pixels wide, into `out`; an empty file if the image cannot be resized, or if the copy
 * is WebP and no smaller than the image.
 */
export async function resizeCover({ artefact, start, end, form, out }: CoverJob): Promise<true> {
  const original = Buffer.from(readSlice(artefact, start, end).toString('latin1'), 'base64');
  const resized = countScans(original) > MOST_SCANS ? NOTHING : await resize(original, form);
  mkdirSync(dirname(out), { recursive: true, mode: 0o700 });
  const isOfUse = form === 'jpeg' || resized.length < original.length;
  writeFileSync(`${out}.new`, isOfUse ? resized : NOTHING, { mode: 0o600 });
  renameSync(`${out}.new`, out);
  return true;
}

async function resize(original: Buffer, form: CoverJob['form']): Promise<Uint8Array> {
  try {
    const image = new Bun.Image(original, { maxPixels: MOST_PIXELS });
    const resized = image.resize(COVER_WIDTH, undefined, { withoutEnlargement: true });
    return await (form === 'jpeg' ? resized.jpeg({ quality: 82 }) : resized.webp({ quality: 82 })).bytes();
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_IMAGE_'))
      return NOTHING;
    throw error;
  }
}

/** Counts the scans of a JPEG by their markers (ITU-T T.81, B.1.1.3). */
function countScans(bytes: Buffer): number {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return 0;
  let scans = 0;
  for (let at = bytes.indexOf(SCAN); at !== -1; at = bytes.indexOf(SCAN, at + 2)) scans++;
  return scans;
}

const SCAN = Buffer.of(0xff, 0xda);
