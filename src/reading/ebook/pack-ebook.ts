import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CONTAINER, type EbookPicture, packageDocument } from './package-document.ts';
import {
  chapterFile,
  coverDocument,
  navDocument,
  STYLE,
  titleDocument,
  xhtmlDocument,
} from './ebook-pages.ts';
import { type Artefact, writeArtefact } from '../../catalog/artefact.ts';
import { readChapter, readPlan } from './ebook-job.ts';
import type { PointerMap } from './pointer-map.ts';
import { writeChecksummed } from '../../platform/base/checksummed-file.ts';
import { cleanSvg } from './svg.ts';
import { createZipWriter } from '../../catalog/skill-archive.ts';
import { MOST_PIXELS } from '../../catalog/limit.rule.ts';
import { type Picture, pictureOf, PICTURES } from '../../catalog/picture.rule.ts';
import { decoded } from '../../platform/base/markdown-link.ts';

export async function packEbook(work: string): Promise<Artefact> {
  const { name, directory, map, chapters } = readPlan(work);
  const points = chapters.map(({ path }, n) => ({ path, ...readChapter(work, n).points }));
  mkdirSync(dirname(map), { recursive: true, mode: 0o700 });
  await writeChecksummed(map, { chapters: points } satisfies PointerMap);
  return writeArtefact(directory, { kind: 'epub', name }, (put) => writeAll(work, createZipWriter(put)));
}

async function writeAll(work: string, zip: ReturnType<typeof createZipWriter>): Promise<void> {
  const addText = (path: string, text: string): void => zip.add(path, Buffer.from(text));
  const { book, chapters, cover, drawing, read } = readPlan(work);
  // OCF 3.2 requires that this entry is the first, uncompressed and without extra fields:
  // https://www.w3.org/TR/epub-32/#sec-container-zip
  zip.add('mimetype', Buffer.from('application/epub+zip'), { isStored: true });
  const { shown, undescribed, ids, formulas } = collect(work, chapters.length);
  const pictures = new Map<string, EbookPicture>();
  for (const path of cover === null ? shown : new Set([cover, ...shown])) {
    const picture = await readPicture(read(path) ?? Buffer.alloc(0));
    if (picture === null) continue;
    const file = `picture-${String(pictures.size + 1).padStart(4, '0')}.${picture.kind.endings[0]}`;
    writeFileSync(join(work, file), picture.bytes, { mode: 0o600 });
    pictures.set(path, { file, type: picture.kind.type });
  }
  const given = pictures.get(cover ?? '');
  const front = given ?? { file: 'cover.svg', type: PICTURES['svg+xml'].type };
  const others = [...pictures.values()].filter((picture) => picture !== given);
  const facts = {
    hasPictures: [...shown].some((path) => pictures.has(path)),
    areDescribed: ![...pictures.keys()].some((path) => undescribed.has(path)),
    hasMath: formulas.size > 0,
    isStill: ![...pictures.values()].some(({ type }) => type === PICTURES.gif.type),
  };
  const parts = { chapters: chapters.length, formulas, cover: front, pictures: others, facts };
  // Second, since an e-reader knows a file by samples, most of them near its beginning: two editions differ here.
  addText('EPUB/package.opf', packageDocument(book, parts));
  addText('META-INF/container.xml', CONTAINER);
  for (const { file } of pictures.values())
    zip.add(`EPUB/${file}`, readFileSync(join(work, file)), { isStored: true });
  if (given === undefined) addText(`EPUB/${front.file}`, drawing);
  addText('EPUB/cover.xhtml', coverDocument(book, front));
  addText('EPUB/title.xhtml', titleDocument(book));
  const places = new Map(chapters.map(({ path }, n) => [path, { file: chapterFile(n), ids: ids[n] ?? {} }]));
  chapters.forEach(({ title, path }, n) => {
    const body = placeReferences(readChapter(work, n).xhtml, path, { chapters: places, pictures });
    addText(`EPUB/${chapterFile(n)}`, xhtmlDocument(book, { title, body }));
  });
  addText('EPUB/nav.xhtml', navDocument(book, chapters));
  addText('EPUB/style.css', STYLE);
  zip.finish();
}

const PICTURE = /<img src="picture:([^"]*)" alt="([^"]*)"/g;

/**
 * Collects from the rendered chapters the pictures that they show, in order and each once; the pictures that lack a description
 * somewhere; the ids of each chapter; and the numbers of the chapters with formulas.
 */
function collect(work: string, count: number) {
  const shown = new Set<string>();
  const undescribed = new Set<string>();
  const ids: Readonly<Record<string, string>>[] = [];
  const formulas = new Set<number>();
  for (let n = 0; n < count; n++) {
    const chapter = readChapter(work, n);
    for (const [, address = '', text = ''] of chapter.xhtml.matchAll(PICTURE)) {
      const path = decodeURIComponent(address);
      shown.add(path);
      if (text.trim() === '') undescribed.add(path);
    }
    ids.push(chapter.ids);
    if (chapter.xhtml.includes('<math ')) formulas.add(n);
  }
  return { shown, undescribed, ids, formulas };
}

type Packed = { readonly bytes: Uint8Array; readonly kind: Picture };

const LARGEST_PICTURE = 32 * 1024 * 1024;

/**
 * Prepares a picture for the e-book; its format is found from its bytes, not from its name. An SVG is cleaned, and
 * formats that EPUB lacks are converted to PNG. Null if the picture cannot be read.
 */
async function readPicture(bytes: Buffer): Promise<Packed | null> {
  if (bytes.length === 0 || bytes.length > LARGEST_PICTURE) return null;
  if (/^\s*</.test(bytes.subarray(0, 256).toString('latin1').replace('\u00ef\u00bb\u00bf', '')))
    return readDrawing(bytes);
  try {
    const { format } = await new Bun.Image(bytes).metadata();
    const kind = pictureOf(`.${format}`);
    if (kind?.ebook === 'kept') return { bytes, kind };
    const png = await new Bun.Image(bytes, { maxPixels: MOST_PIXELS }).png().bytes();
    return { bytes: png, kind: PICTURES.png };
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_IMAGE_')) return null;
    throw error;
  }
}

function readDrawing(bytes: Buffer): Packed | null {
  const svg = cleanSvg(bytes.toString());
  return svg === null ? null : { bytes: Buffer.from(svg), kind: PICTURES['svg+xml'] };
}

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
