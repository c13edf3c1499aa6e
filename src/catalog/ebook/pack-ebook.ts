import { chapterFile, type EbookPicture } from '../../ebook/book.ts';
import { coverDocument, xhtmlDocument } from '../../ebook/document.ts';
import { navDocument } from '../../ebook/nav-document.ts';
import { CONTAINER, packageDocument } from '../../ebook/package-document.ts';
import { STYLE } from '../../ebook/style.ts';
import type { Artefact } from '../artefact.ts';
import { writeArtefact } from '../hashing-writer.ts';
import { readChapter, readPlan } from './work-folder.ts';
import { cleanSvg } from '../../ebook/svg.ts';
import { deflateChunk, END_OF_DEFLATE } from '../../archive/deflate.ts';
import { zipDirectory, type ZipEntry, zipHeader } from '../../archive/zip-entry.ts';

/** Writes the archive of an e-book whose chapters are all rendered. Throws system errors. */
export function packEbook(work: string): Promise<Artefact> {
  const { name, directory } = readPlan(work);
  return writeArtefact(directory, { kind: 'epub', name }, (put) => writeAll(work, createEbookArchive(put)));
}

async function writeAll(work: string, archive: EbookArchive): Promise<void> {
  const { book, chapters, cover, drawing, read } = readPlan(work);
  archive.addText('META-INF/container.xml', CONTAINER);
  const { shown, ids } = collect(work, chapters.length);
  const pictures = new Map<string, EbookPicture>();
  for (const path of cover === null ? shown : new Set([cover, ...shown])) {
    const picture = await readPicture(read(path) ?? Buffer.alloc(0));
    if (picture === null) continue;
    const file = `picture-${String(pictures.size + 1).padStart(4, '0')}.${picture.ending}`;
    archive.addPicture(`EPUB/${file}`, picture.bytes);
    pictures.set(path, { file, type: picture.type });
  }
  const given = pictures.get(cover ?? '');
  const front = given ?? { file: 'cover.svg', type: 'image/svg+xml' };
  if (given === undefined) archive.addText(`EPUB/${front.file}`, drawing);
  archive.addText('EPUB/cover.xhtml', coverDocument(book, front));
  const places = new Map(chapters.map(({ path }, n) => [path, { file: chapterFile(n), ids: ids[n] ?? {} }]));
  chapters.forEach(({ title, path }, n) => {
    const body = placeReferences(readChapter(work, n).xhtml, path, { chapters: places, pictures });
    archive.addText(`EPUB/${chapterFile(n)}`, xhtmlDocument(book, { title, body }));
  });
  archive.addText('EPUB/nav.xhtml', navDocument(book, chapters));
  archive.addText('EPUB/style.css', STYLE);
  const others = [...pictures.values()].filter((picture) => picture !== given);
  const parts = { chapters: chapters.length, cover: front, pictures: others };
  archive.addText('EPUB/package.opf', packageDocument(book, parts));
  archive.finish();
}

const PICTURE = /<img src="picture:([^"]*)"/g;

/** The pictures that chapters show, in order and each once, and the chapters' ids. */
function collect(work: string, count: number) {
  const shown = new Set<string>();
  const ids: Readonly<Record<string, string>>[] = [];
  for (let n = 0; n < count; n++) {
    const chapter = readChapter(work, n);
    for (const [, path = ''] of chapter.xhtml.matchAll(PICTURE)) shown.add(decodeURIComponent(path));
    ids.push(chapter.ids);
  }
  return { shown, ids };
}

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
async function readPicture(bytes: Buffer): Promise<Picture | null> {
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

/** A chapter's file, and the names there of its ids. */
type ChapterPlace = { readonly file: string; readonly ids: Readonly<Record<string, string>> };

type Places = {
  readonly chapters: ReadonlyMap<string, ChapterPlace>;
  readonly pictures: ReadonlyMap<string, EbookPicture>;
};

const REFERENCE = /<img src="([^"]*)" alt="([^"]*)"([^<>]*)\/>|<a href="([^"]*)"/g;

/** A chapter's text with its pictures and links in their places; a picture that is left out is its words, a link to nowhere none. */
function placeReferences(xhtml: string, path: string, { chapters, pictures }: Places): string {
  return xhtml.replace(REFERENCE, (_, source?: string, alt = '', more = '', address = ''): string => {
    if (source !== undefined) {
      const picture = pictures.get(decodeURIComponent(source.replace(/^picture:/, '')));
      return picture === undefined ? alt : `<img src="${picture.file}" alt="${alt}"${more}/>`;
    }
    const target = targetOf(address, path, chapters);
    return target === null ? '<a' : `<a href="${target}"`;
  });
}

function targetOf(address: string, path: string, chapters: Places['chapters']): string | null {
  const [, named, fragment = ''] = /^(?:chapter:([^#]*))?#(.*)$/.exec(address) ?? [];
  if (!/^(?:chapter:|#)/.test(address)) return address;
  const place = chapters.get(named === undefined ? path : decodeURIComponent(named));
  if (place === undefined) return null;
  const id = fragmentId(fragment);
  const name = Object.hasOwn(place.ids, id) ? place.ids[id] : undefined;
  const isOwn = named === undefined || decodeURIComponent(named) === path;
  if (isOwn) return name === undefined ? null : `#${name}`;
  return name === undefined ? place.file : `${place.file}#${name}`;
}

/** The renderer writes a fragment of its own as it is, and any other encoded. */
function fragmentId(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

// OCF 3.2, https://www.w3.org/TR/epub-32/#sec-container-zip: the first entry is "mimetype", stored and without extra fields.

/** An archive being written: texts deflated, pictures as they are. */
function createEbookArchive(put: (bytes: Uint8Array) => void) {
  const entries: ZipEntry[] = [];
  let at = 0;
  const write = (bytes: Uint8Array): void => {
    put(bytes);
    at += bytes.length;
  };
  const add = (path: string, bytes: Uint8Array, isStored: boolean): void => {
    const parts = isStored ? [bytes] : [deflateChunk(bytes), END_OF_DEFLATE];
    const deflated = parts.reduce((sum, { length }) => sum + length, 0);
    const crc32 = Bun.hash.crc32(bytes);
    const entry = { path, executable: false, crc32, size: bytes.length, deflated, start: 0, isStored };
    const header = zipHeader(entry);
    entries.push({ ...entry, start: at + header.length });
    write(header);
    parts.forEach(write);
  };
  add('mimetype', Buffer.from('application/epub+zip'), true);
  return {
    addText: (path: string, text: string): void => add(path, Buffer.from(text), false),
    addPicture: (path: string, bytes: Uint8Array): void => add(path, bytes, true),
    finish: (): void => write(zipDirectory(entries, at)),
  };
}

type EbookArchive = ReturnType<typeof createEbookArchive>;
