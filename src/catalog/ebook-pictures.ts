import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { cleanSvg } from '../ebook/svg.ts';
import { findEpub } from '../item/format.ts';
import type { Manifest } from '../item/item.ts';
import { fileLinks, resolveLink } from '../item/link.ts';
import { isMarkdown } from '../item/markdown-path.ts';
import { type Problem, quote, warning } from '../item/problem.ts';
import { isCutShort } from './cut-picture.ts';

const RASTER = /\.(?:png|jpe?g|gif|webp|avif|bmp|tiff?)$/i;
const DRAWING = /\.svg$/i;

/** How the pictures begin that an e-book has as they are, or as PNG: PNG, JPEG, GIF, BMP, and WebP after its length. */
const STARTS = [/^\x89PNG\r\n/, /^\xff\xd8\xff/, /^GIF8[79]a/, /^BM/, /^RIFF[^]{4}WEBP/];

/**
 * Warns of pictures that a book shows and that are cut short, and of those that its EPUB leaves out, unless the publisher
 * has an EPUB of their own.
 */
export function ebookPictureProblems(
  folder: string,
  { kind, cover, formats }: Manifest,
  paths: readonly string[],
): readonly Problem[] {
  if (kind !== 'book') return [];
  const isMade = findEpub(formats) === null;
  const unread = isMade ? paths.filter((path) => isUnread(folder, path)) : [];
  const cut = paths.filter((path) => RASTER.test(path) && isCutShort(join(folder, path)));
  if (unread.length + cut.length === 0) return [];
  const shown = new Set([cover, ...paths.filter(isMarkdown).flatMap((path) => picturesOf(folder, path))]);
  return [
    ...unread.filter((path) => shown.has(path)).map(leftOut),
    ...cut.filter((path) => shown.has(path)).map(cutShort),
  ];
}

function isUnread(folder: string, path: string): boolean {
  if (DRAWING.test(path)) return cleanSvg(readStart(folder, path, MOST_DRAWN).toString()) === null;
  if (!RASTER.test(path)) return false;
  const start = readStart(folder, path, 12).toString('latin1');
  return !STARTS.some((pattern) => pattern.test(start));
}

/** A longer drawing is left out too, in bytes. */
const MOST_DRAWN = 8 * 1024 * 1024;
/** The most of a text that is read for its pictures, in bytes. */
const MOST_TEXT = 4 * 1024 * 1024;

function picturesOf(folder: string, path: string): readonly string[] {
  return fileLinks(readStart(folder, path, MOST_TEXT).toString())
    .filter(({ isImage }) => isImage)
    .map(({ target }) => resolveLink(target, path));
}

/** The beginning of a file; nothing of one that cannot be read, which hashing reports. */
function readStart(folder: string, path: string, most: number): Buffer {
  try {
    const descriptor = openSync(join(folder, path), 'r');
    try {
      const bytes = Buffer.alloc(Math.min(most, fstatSync(descriptor).size));
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return Buffer.alloc(0);
  }
}

function cutShort(path: string): Problem {
  return warning(
    'picture-cut',
    path,
    `The picture ${quote(path)} is cut short: readers see a part of it, or nothing`,
    'Copy or save it again',
  );
}

function leftOut(path: string): Problem {
  return warning(
    'epub-picture',
    path,
    `The book's EPUB leaves out ${quote(path)}: it is no picture that e-books have, or is damaged`,
    'Save it as PNG, JPEG, GIF, WebP or plain SVG; readers of the EPUB see its description instead',
  );
}
