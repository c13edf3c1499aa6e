import { readFileSync } from 'node:fs';
import { unzip } from '../../archive/unzip.ts';
import { titleOfChapter } from '../../item/chapter-title.ts';
import { messageOf } from '../../refusal.ts';
import { cannotImport } from '../cannot-import.ts';
import { type ImportLimits, refuseManyChapters } from '../import-limits.ts';
import { bareManuscript, type CopiedFile, type Manuscript, textFile } from '../manuscript.ts';
import type { TextChapter } from '../markdown/book-text.ts';
import type { Notes } from '../notes.ts';
import { readContents } from './contents.ts';
import { createEpubChapters } from './epub-chapters.ts';
import { createItemPaths } from './item-paths.ts';
import { readPackage } from './package.ts';
import { findAll, parseXml } from './xml.ts';

/** Reads an EPUB 2 or 3: one Markdown file for each document of its reading order, its images, and the EPUB itself. */
export function readEpub(file: CopiedFile, limits: ImportLimits, notes: Notes): Manuscript {
  const name = file.path;
  const files = unpack(name, file, limits);
  refuseEncrypted(name, files);
  const epub = readPackage(name, files);
  refuseManyChapters(epub.spine.length, limits);
  if (epub.spine.length === 0)
    throw cannotImport(name, 'its package document names no chapters', 'export it again');
  if (epub.isFixed)
    notes.lookAt('The EPUB has a fixed layout: the text of its pages became flowing chapters');
  const paths = createItemPaths(epub.folder);
  const contents = readContents(epub, files);
  const idsIn = (source: string): ReadonlySet<string> => {
    const ids = [...(contents.get(source)?.keys() ?? [])];
    return new Set(ids.length > 1 ? ids.filter((id) => id !== '') : []);
  };
  const { read, images } = createEpubChapters({ epub, files, paths, notes, idsIn });
  const chapters = placed(read(), contents);
  refuseManyChapters(chapters.length, limits);
  if (chapters.length === 0) throw cannotImport(name, 'it holds no text', 'name an EPUB with text in it');
  const cover = epub.cover === null || !files.has(epub.cover.path) ? null : epub.cover.path;
  if (cover !== null) images.add(cover);
  notes.did('images', images.size);
  return {
    ...bareManuscript,
    kind: 'book',
    format: 'EPUB',
    folder: name.replace(/\.epub$/i, ''),
    title: epub.title,
    description: epub.description,
    authors: epub.authors,
    language: epub.language,
    publisher: epub.publisher,
    license: epub.rights,
    cover: cover === null ? null : paths(cover),
    chapters: chapters.map(({ text: _, ...chapter }) => chapter),
    files: [
      ...chapters.map(({ path, text }) => textFile(path, text)),
      ...[...images].map((path) => ({ path: paths(path), executable: false, bytes: files.get(path)! })),
    ],
    edition: { ...file, executable: false },
  };
}

function unpack(name: string, file: CopiedFile, limits: ImportLimits) {
  if (file.size > limits.bytes)
    throw cannotImport(
      name,
      `it has ${file.size} bytes, more than ${limits.bytes}`,
      'allow more with --max-bytes',
    );
  try {
    return unzip(readFileSync(file.source), limits);
  } catch (cause) {
    throw cannotImport(
      name,
      messageOf(cause).replace(/^Cannot unpack the archive: /, ''),
      'export the book again',
    );
  }
}

type Read = ReturnType<ReturnType<typeof createEpubChapters>['read']>;

/** Chapters with their places in the table of contents; one that it does not name belongs to the one before. */
function placed(read: Read, contents: ReturnType<typeof readContents>): readonly TextChapter[] {
  let part: string | null = null;
  return read.map(({ source, id, path, text }) => {
    const places = contents.get(source);
    const place = places?.size === 1 ? [...places.values()][0] : places?.get(id);
    part = place === undefined ? part : place.part;
    const title = (place?.title ?? '') || titleOfChapter(path, text);
    return { path, text, title, level: place?.level ?? 1, part };
  });
}

// META-INF/encryption.xml, https://www.w3.org/TR/epub-33/#sec-container-metainf-encryption.xml

/** Obfuscation of fonts, which is no protection of the text: https://www.w3.org/TR/epub-33/#sec-font-obfuscation */
const OBFUSCATION = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC']);

/** The files by which a protection is known. */
const PROTECTIONS: readonly (readonly [file: string, name: string])[] = [
  ['META-INF/license.lcpl', 'Readium LCP'],
  ['META-INF/sinf.xml', 'Apple FairPlay'],
  ['META-INF/rights.xml', 'Adobe ADEPT'],
];

/** Refuses an EPUB with encrypted parts other than obfuscated fonts, and names their protection. */
function refuseEncrypted(name: string, files: ReadonlyMap<string, Uint8Array>): void {
  const bytes = files.get('META-INF/encryption.xml');
  if (bytes === undefined) return;
  const parts = findAll(parseXml('META-INF/encryption.xml', bytes), 'encrypteddata').map((part) => ({
    method: findAll(part, 'encryptionmethod')[0]?.attributes.get('algorithm') ?? 'an unknown method',
    path: findAll(part, 'cipherreference')[0]?.attributes.get('uri') ?? '',
  }));
  const closed = parts.filter(({ method }) => !OBFUSCATION.has(method));
  if (closed.length === 0) return;
  const protection = PROTECTIONS.find(([file]) => files.has(file))?.[1] ?? closed[0]?.method;
  throw cannotImport(
    name,
    `${closed.length} of its parts are encrypted (DRM: ${protection})`,
    'export the book without protection',
  );
}
