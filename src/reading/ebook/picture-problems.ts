import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../catalog/item.rule.ts';
import { LONGEST_TEXT } from '../../catalog/chapter-limit.rule.ts';
import { findEpub, isMarkdown } from '../../catalog/path.rule.ts';
import { EBOOK_IN_WORDS, type EbookImage, pictureOf } from '../../catalog/picture.rule.ts';
import { countRawMarkup, rawMarkupProblems } from '../../catalog/raw-markup.rule.ts';
import { counted } from '../../platform/base/text.ts';
import { fileLinks, resolveLink } from '../../platform/base/markdown-link.ts';
import { type Problem, quote, warning } from '../../platform/base/problem.ts';
import { cleanSvg } from './svg.ts';

/**
 * Warns of a book's pictures and texts:
 * - pictures that are missing or cut short, and how many have no description;
 * - pictures that its EPUB leaves out, unless the publisher has an EPUB of their own;
 * - markup that pages show as it is typed, and formulas that cannot be read.
 */
export function pictureProblems(
  folder: string,
  { kind, cover, formats, math }: Manifest,
  paths: readonly string[],
): readonly Problem[] {
  if (kind !== 'book') return [];
  const files = new Set(paths);
  const shown = new Set([cover]);
  const raw = new Map<string, number>();
  const unreadable: Problem[] = [];
  let undescribed = 0;
  const missing = paths.filter(isMarkdown).flatMap((path) => {
    const text = readStart(folder, path, LONGEST_TEXT).toString();
    countRawMarkup(text, raw, math);
    if (math) unreadable.push(...formulaProblems(path, text));
    const images = fileLinks(text).filter(({ isImage }) => isImage);
    const pictures = [...new Set(images.map(({ target }) => resolveLink(target, path)))];
    for (const picture of pictures) shown.add(picture);
    undescribed += images.filter((image) => image.text.trim() === '').length;
    return pictures.filter((picture) => !files.has(picture)).map((picture) => notThere(path, picture));
  });
  const ours = paths.filter((path) => shown.has(path));
  const unread = findEpub(formats) === null ? ours.filter((path) => isUnread(folder, path)) : [];
  const cut = ours.filter((path) => pictureOf(path) !== null && isCutShort(join(folder, path)));
  return [
    ...missing,
    ...unread.map(leftOut),
    ...cut.map(cutShort),
    ...rawMarkupProblems(raw),
    ...unreadable,
    ...(undescribed === 0 ? [] : [lackDescription(undescribed)]),
  ];
}

/** Loads the Markdown parser only when a book has formulas, since most starts do not need it. */
const markdown = () => require('../markup/markdown.ts') as typeof import('../markup/markdown.ts');

const formulaProblems = (path: string, text: string): readonly Problem[] =>
  [...Map.groupBy(markdown().unreadFormulas(text), ({ reason }) => reason)].map(
    ([reason, [first, ...others]]) =>
      warning(
        'formula',
        path,
        `Cannot read the formula ${first!.tex.trim().replace(/\s+/g, ' ').slice(0, 60)}${others.length > 0 ? ` and ${others.length} more` : ''}: ${reason}`,
        'Correct it; until then readers see it as code',
      ),
  );

function isUnread(folder: string, path: string): boolean {
  const picture = pictureOf(path);
  if (picture === null) return false;
  if (picture.ebook === null) return true;
  if (picture.page === 'drawing') return cleanSvg(readStart(folder, path, MOST_DRAWN).toString()) === null;
  return formatOf(readStart(folder, path, 12)) === undefined;
}

/** How many bytes of an SVG are read: more than the longest that `cleanSvg` takes, 2 Mi characters, can have. */
const MOST_DRAWN = 8 * 1024 * 1024;

/**
 * Reads at most `most` bytes from the beginning of a file. Returns no bytes if it cannot be read: hashing the file reports
 * that.
 */
export const readStart = (folder: string, path: string, most: number): Buffer =>
  readFrom(join(folder, path), Buffer.alloc(0), (read, size) => read(0, Math.min(most, size)));

function notThere(path: string, picture: string): Problem {
  return warning(
    'missing-picture',
    path,
    `The picture ${quote(picture)}, which this text shows, is no distributed file`,
    'Correct the path, or copy the picture into the item',
  );
}

const lackDescription = (count: number): Problem =>
  warning(
    'undescribed-picture',
    '',
    `${counted(count, 'picture')} of the texts ${count === 1 ? 'has' : 'have'} no description, so who cannot see learns nothing of ${count === 1 ? 'it' : 'them'}`,
    'Write one between the brackets: ![A heron on one leg](heron.png)',
  );

const cutShort = (path: string): Problem =>
  warning(
    'picture-cut',
    path,
    `The picture ${quote(path)} is cut short: readers see a part of it, or nothing`,
    'Copy or save it again',
  );

const leftOut = (path: string): Problem =>
  warning(
    'epub-picture',
    path,
    `The book's EPUB leaves out ${quote(path)}: it is no picture that e-books have, or is damaged`,
    `Save it as ${EBOOK_IN_WORDS}; readers of the EPUB see its description instead`,
  );

// The bytes with which the picture formats end: PNG, https://www.w3.org/TR/png-3/#5Chunk-layout; JPEG, ITU T.81 §B.2.1;
// GIF89a §27; WebP, RFC 9649 §2.4.

/**
 * The bytes at a file's end that are searched for the end of a picture: programs put more behind it, such as a second
 * picture.
 */
const TAIL = 64 * 1024;

type Read = (start: number, length: number) => Buffer;
type LacksEnd = (read: Read, size: number) => boolean;

/**
 * How to know a picture by its bytes. `start` matches a file's first twelve; `lacksEnd` reports whether a file of `size` bytes
 * is cut short, which is never found of a BMP.
 */
const FORMATS: Readonly<Record<EbookImage, readonly [start: RegExp, lacksEnd: LacksEnd]>> = {
  png: [/^\x89PNG\r\n/, isPngCut],
  jpeg: [/^\xff\xd8\xff/, (read, size) => !tailOf(read, size).includes(Buffer.of(0xff, 0xd9))],
  gif: [/^GIF8[79]a/, (read, size) => !tailOf(read, size).includes(0x3b)],
  bmp: [/^BM/, () => false],
  webp: [/^RIFF[^]{4}WEBP/, (read, size) => read(4, 4).readUInt32LE() + 8 > size],
};

const formatOf = (start: Buffer) =>
  Object.values(FORMATS).find(([begins]) => begins.test(start.toString('latin1')));

/** Whether a file is a picture that ends too early, as after an interrupted copy; false if it cannot be read. */
const isCutShort = (file: string): boolean =>
  readFrom(file, false, (read, size) => formatOf(read(0, 12))?.[1](read, size) ?? false);

function readFrom<Result>(
  file: string,
  otherwise: Result,
  use: (read: Read, size: number) => Result,
): Result {
  let descriptor: number | null = null;
  try {
    const opened = (descriptor = openSync(
      file,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    ));
    const read: Read = (start, length) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(opened, bytes, 0, length, start));
    };
    return use(read, fstatSync(opened).size);
  } catch {
    return otherwise;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function tailOf(read: Read, size: number): Buffer {
  const start = Math.max(0, size - TAIL);
  return read(start, size - start);
}

/** Whether a PNG lacks its last chunk, IEND. Follows the chunks by their lengths; a large picture may have thousands. */
function isPngCut(read: Read, size: number): boolean {
  for (let at = 8; at + 12 <= size;) {
    const head = read(at, 8);
    at += head.readUInt32BE() + 12;
    if (head.toString('latin1', 4) === 'IEND') return at > size;
  }
  return true;
}
