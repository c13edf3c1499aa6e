import {
  chapterFile,
  CONTAINER,
  type EbookPicture,
  navDocument,
  packageDocument,
  STYLE,
} from './package-document.ts';
import { coverDocument, xhtmlDocument } from './xhtml.ts';
import { type Artefact, writeArtefact } from '../../catalog/artefact.ts';
import { readChapter, readPlan } from './ebook-job.ts';
import { cleanSvg } from './svg.ts';
import { createZipWriter } from '../../catalog/skill-archive.ts';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { findEpub, isMarkdown } from '../../catalog/path.rule.ts';
import type { Manifest } from '../../catalog/item.rule.ts';
import { LONGEST_TEXT, MOST_PIXELS } from '../../catalog/limit.rule.ts';
import { decoded, picturesIn } from '../../platform/base/link.ts';
import { countRawMarkup, rawMarkupProblems } from '../../catalog/raw-markup.rule.ts';
import { type Problem, quote, warning } from '../../platform/base/problem.ts';

/** Writes the archive of an e-book whose chapters are all rendered. Throws system errors. */
export function packEbook(work: string): Promise<Artefact> {
  const { name, directory } = readPlan(work);
  return writeArtefact(directory, { kind: 'epub', name }, (put) => writeAll(work, createZipWriter(put)));
}

async function writeAll(work: string, zip: ReturnType<typeof createZipWriter>): Promise<void> {
  const addText = (path: string, text: string): void => zip.add(path, Buffer.from(text));
  const { book, chapters, cover, drawing, read } = readPlan(work);
  // OCF 3.2 requires that this entry is the first, uncompressed and without extra fields:
  // https://www.w3.org/TR/epub-32/#sec-container-zip
  zip.add('mimetype', Buffer.from('application/epub+zip'), { isStored: true });
  addText('META-INF/container.xml', CONTAINER);
  const { shown, ids, formulas } = collect(work, chapters.length);
  const pictures = new Map<string, EbookPicture>();
  for (const path of cover === null ? shown : new Set([cover, ...shown])) {
    const picture = await readPicture(read(path) ?? Buffer.alloc(0));
    if (picture === null) continue;
    const file = `picture-${String(pictures.size + 1).padStart(4, '0')}.${picture.ending}`;
    zip.add(`EPUB/${file}`, picture.bytes, { isStored: true });
    pictures.set(path, { file, type: picture.type });
  }
  const given = pictures.get(cover ?? '');
  const front = given ?? { file: 'cover.svg', type: 'image/svg+xml' };
  if (given === undefined) addText(`EPUB/${front.file}`, drawing);
  addText('EPUB/cover.xhtml', coverDocument(book, front));
  const places = new Map(chapters.map(({ path }, n) => [path, { file: chapterFile(n), ids: ids[n] ?? {} }]));
  chapters.forEach(({ title, path }, n) => {
    const body = placeReferences(readChapter(work, n).xhtml, path, { chapters: places, pictures });
    addText(`EPUB/${chapterFile(n)}`, xhtmlDocument(book, { title, body }));
  });
  addText('EPUB/nav.xhtml', navDocument(book, chapters));
  addText('EPUB/style.css', STYLE);
  const others = [...pictures.values()].filter((picture) => picture !== given);
  const parts = { chapters: chapters.length, formulas, cover: front, pictures: others };
  addText('EPUB/package.opf', packageDocument(book, parts));
  zip.finish();
}

const PICTURE = /<img src="picture:([^"]*)"/g;

/**
 * Collects from the rendered chapters the pictures that they show, in order and each once, the ids of each chapter, and
 * the numbers of the chapters that have formulas.
 */
function collect(work: string, count: number) {
  const shown = new Set<string>();
  const ids: Readonly<Record<string, string>>[] = [];
  const formulas = new Set<number>();
  for (let n = 0; n < count; n++) {
    const chapter = readChapter(work, n);
    for (const [, path = ''] of chapter.xhtml.matchAll(PICTURE)) shown.add(decodeURIComponent(path));
    ids.push(chapter.ids);
    if (chapter.xhtml.includes('<math ')) formulas.add(n);
  }
  return { shown, ids, formulas };
}

/** A picture as it is written into the e-book. */
type Picture = { readonly bytes: Uint8Array; readonly ending: string; readonly type: string };

/** The maximum size of a picture that is read, in bytes. */
const LARGEST_PICTURE = 32 * 1024 * 1024;

/**
 * The picture formats that every EPUB reader shows, so that they need no conversion
 * (https://www.w3.org/TR/epub-32/#sec-cmt-supported).
 */
const KEPT: Readonly<Record<string, Omit<Picture, 'bytes'>>> = {
  png: { ending: 'png', type: 'image/png' },
  jpeg: { ending: 'jpg', type: 'image/jpeg' },
  gif: { ending: 'gif', type: 'image/gif' },
};

/**
 * Prepares a picture for the e-book; its format is found from its bytes, not from its name. An SVG is cleaned, and
 * formats that EPUB lacks are converted to PNG. Null if the picture cannot be read.
 */
async function readPicture(bytes: Buffer): Promise<Picture | null> {
  if (bytes.length === 0 || bytes.length > LARGEST_PICTURE) return null;
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

/** The file of a chapter in the e-book, and a map from the ids in the rendered Markdown to those in this file. */
type ChapterPlace = { readonly file: string; readonly ids: Readonly<Record<string, string>> };

type Places = {
  readonly chapters: ReadonlyMap<string, ChapterPlace>;
  readonly pictures: ReadonlyMap<string, EbookPicture>;
};

const REFERENCE = /<img src="([^"]*)" alt="([^"]*)"([^<>]*)\/>|<a href="([^"]*)"/g;

/**
 * Replaces the placeholders in a chapter by addresses inside the e-book. A missing picture becomes its alternative text,
 * and a dead link an `<a>` without an address.
 */
const placeReferences = (xhtml: string, path: string, { chapters, pictures }: Places): string =>
  xhtml.replace(REFERENCE, (_, source?: string, alt = '', more = '', address = ''): string => {
    if (source !== undefined) {
      const picture = pictures.get(decodeURIComponent(source.replace(/^picture:/, '')));
      return picture === undefined ? alt : `<img src="${picture.file}" alt="${alt}"${more}/>`;
    }
    const target = targetOf(address, path, chapters);
    return target === null ? '<a' : `<a href="${target}"`;
  });

function targetOf(address: string, path: string, chapters: Places['chapters']): string | null {
  const [, named, fragment = ''] = /^(?:chapter:([^#]*))?#(.*)$/.exec(address) ?? [];
  if (!/^(?:chapter:|#)/.test(address)) return address;
  const place = chapters.get(named === undefined ? path : decodeURIComponent(named));
  if (place === undefined) return null;
  // Fragments of links that the renderer made itself, such as a footnote's, are not percent-encoded.
  const id = decoded(fragment);
  const name = Object.hasOwn(place.ids, id) ? place.ids[id] : undefined;
  const isOwn = named === undefined || decodeURIComponent(named) === path;
  if (isOwn) return name === undefined ? null : `#${name}`;
  return name === undefined ? place.file : `${place.file}#${name}`;
}

const RASTER = /\.(?:png|jpe?g|gif|webp|avif|bmp|tiff?)$/i;
const DRAWING = /\.svg$/i;

/**
 * Warns of a book's pictures and texts:
 * - pictures that are missing or cut short;
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
  const missing = paths.filter(isMarkdown).flatMap((path) => {
    const text = readStart(folder, path, LONGEST_TEXT).toString();
    countRawMarkup(text, raw, math);
    if (math) unreadable.push(...formulaProblems(path, text));
    const pictures = picturesIn(text, path);
    for (const picture of pictures) shown.add(picture);
    return pictures.filter((picture) => !files.has(picture)).map((picture) => notThere(path, picture));
  });
  const ours = paths.filter((path) => shown.has(path));
  const unread = findEpub(formats) === null ? ours.filter((path) => isUnread(folder, path)) : [];
  const cut = ours.filter((path) => RASTER.test(path) && isCutShort(join(folder, path)));
  return [...missing, ...unread.map(leftOut), ...cut.map(cutShort), ...rawMarkupProblems(raw), ...unreadable];
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
  if (DRAWING.test(path)) return cleanSvg(readStart(folder, path, MOST_DRAWN).toString()) === null;
  if (!RASTER.test(path)) return false;
  const start = readStart(folder, path, 12).toString('latin1');
  return !FORMATS.some(([begins]) => begins.test(start));
}

/** The maximum number of bytes of an SVG that are checked. A longer one counts as unreadable, and e-books leave it out. */
const MOST_DRAWN = 8 * 1024 * 1024;

/**
 * Reads at most `most` bytes from the beginning of a file; no bytes if it cannot be read, which is reported when the file is
 * hashed.
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
    'Save it as PNG, JPEG, GIF, WebP or plain SVG; readers of the EPUB see its description instead',
  );

// The bytes with which the picture formats end: PNG, https://www.w3.org/TR/png-3/#5Chunk-layout; JPEG, ITU T.81 §B.2.1;
// GIF89a §27; WebP, RFC 9649 §2.4.

/**
 * The bytes at a file's end that are searched for the end of a picture: programs put more behind it, such as a second
 * picture.
 */
const TAIL = 64 * 1024;

/** Reads bytes of an open file; fewer at its end. */
type Read = (start: number, length: number) => Buffer;

/**
 * The picture formats that an e-book can hold, as they are or as PNG. `start` matches a file's first twelve bytes;
 * `lacksEnd` reports whether a file of `size` bytes is cut short.
 */
const FORMATS: readonly (readonly [start: RegExp, lacksEnd: (read: Read, size: number) => boolean])[] = [
  [/^\x89PNG\r\n/, isPngCut],
  [/^\xff\xd8\xff/, (read, size) => !tailOf(read, size).includes(Buffer.of(0xff, 0xd9))],
  [/^GIF8[79]a/, (read, size) => !tailOf(read, size).includes(0x3b)],
  [/^BM/, () => false],
  [/^RIFF[^]{4}WEBP/, (read, size) => read(4, 4).readUInt32LE() + 8 > size],
];

/** Whether a file is a picture that ends too early, as after an interrupted copy; false if it cannot be read. */
const isCutShort = (file: string): boolean =>
  readFrom(file, false, (read, size) => {
    const start = read(0, 12).toString('latin1');
    return FORMATS.find(([begins]) => begins.test(start))?.[1](read, size) ?? false;
  });

/** Opens a file and returns the result of `use`; `otherwise` if the file cannot be read. */
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
