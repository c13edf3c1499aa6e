import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { cleanSvg } from '../ebook/svg.ts';
import { findEpub } from '../item/format.ts';
import type { Manifest } from '../item/item.ts';
import { fileLinks, resolveLink } from '../item/link.ts';
import { isMarkdown } from '../item/markdown-path.ts';
import { type Problem, quote, warning } from '../item/problem.ts';

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

// Where pictures end: PNG, https://www.w3.org/TR/png-3/#5Chunk-layout; JPEG, ITU T.81 §B.2.1; GIF89a §27; WebP, RFC 9649 §2.4.

/** Bytes that programs put behind a picture's end, such as a second picture, are looked over to this length. */
const TAIL = 64 * 1024;

/** Reads bytes of an open file; fewer at its end. */
type Read = (start: number, length: number) => Buffer;

/** By how a picture begins, whether a file of `size` bytes lacks its end. */
const FORMATS: readonly (readonly [start: RegExp, lacksEnd: (read: Read, size: number) => boolean])[] = [
  [/^\x89PNG\r\n/, isPngCut],
  [/^\xff\xd8\xff/, (read, size) => !tailOf(read, size).includes(Buffer.of(0xff, 0xd9))],
  [/^GIF8[79]a/, (read, size) => !tailOf(read, size).includes(0x3b)],
  [/^RIFF[^]{4}WEBP/, (read, size) => read(4, 4).readUInt32LE() + 8 > size],
];

/** Whether a file is a picture whose end is missing, as after a broken copy. False of one that cannot be read. */
function isCutShort(file: string): boolean {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      const read: Read = (start, length) => {
        const bytes = Buffer.alloc(length);
        return bytes.subarray(0, readSync(descriptor, bytes, 0, length, start));
      };
      const start = read(0, 12).toString('latin1');
      return FORMATS.find(([begins]) => begins.test(start))?.[1](read, size) ?? false;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
}

function tailOf(read: Read, size: number): Buffer {
  const start = Math.max(0, size - TAIL);
  return read(start, size - start);
}

/** Goes from chunk to chunk, of which a picture of many megabytes may have thousands. */
function isPngCut(read: Read, size: number): boolean {
  for (let at = 8; at + 12 <= size;) {
    const head = read(at, 8);
    at += head.readUInt32BE() + 12;
    if (head.toString('latin1', 4) === 'IEND') return at > size;
  }
  return true;
}
