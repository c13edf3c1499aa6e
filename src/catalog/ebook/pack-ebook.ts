import type { EbookPicture } from '../../ebook/book.ts';
import { chapterFile } from '../../ebook/book.ts';
import { coverDocument, xhtmlDocument } from '../../ebook/document.ts';
import { navDocument } from '../../ebook/nav-document.ts';
import { CONTAINER, packageDocument } from '../../ebook/package-document.ts';
import { STYLE } from '../../ebook/style.ts';
import type { Artefact } from '../artefact.ts';
import { createEbookArchive, type EbookArchive, writeEpub } from './ebook-archive.ts';
import { readPicture } from './picture.ts';
import { placeReferences } from './references.ts';
import { readChapter, readPlan } from './work-folder.ts';

/** Writes the archive of an e-book whose chapters are all rendered. Throws system errors. */
export function packEbook(work: string): Promise<Artefact> {
  const { name, directory } = readPlan(work);
  return writeEpub(directory, name, (put) => writeAll(work, createEbookArchive(put)));
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
