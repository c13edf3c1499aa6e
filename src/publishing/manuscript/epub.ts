import { readFileSync } from 'node:fs';
import { unzip } from '../../catalog/archive/zip.ts';
import { titleOfChapter } from '../../catalog/chapters.rule.ts';
import { messageOf } from '../../platform/base/refusal.ts';
import { cannotImport, type ImportLimits, refuseManyChapters } from './source-folder.ts';
import { bareManuscript, type CopiedFile, type Manuscript, textFile } from './manuscript.ts';
import type { Notes, TextChapter } from './book-text.ts';
import { createEpubChapters, type EpubSource } from './epub-chapters.ts';
import {
  archivePath,
  elementsOf,
  type EpubPackage,
  findAll,
  lineOf,
  parseXml,
  readPackage,
  type XmlElement,
} from './epub-package.ts';
import { foldCase, unsafeName } from '../../catalog/path.rule.ts';
import { normalForm } from '../../platform/base/text.ts';

/** Reads an EPUB 2 or 3: one Markdown file for each document of its reading order, its images, and the EPUB itself. */
export function readEpub(file: CopiedFile, limits: ImportLimits, notes: Notes): Manuscript {
  const name = file.path;
  const files = unpackBook(file, limits, 'export the book again');
  refuseEncrypted(name, files);
  const epub = readPackage(name, files);
  refuseManyChapters(epub.spine.length, limits);
  if (epub.spine.length === 0)
    throw cannotImport(name, 'its package document names no chapters; export it again');
  if (epub.isFixed)
    notes.lookAt('The EPUB has a fixed layout: the text of its pages became flowing chapters');
  const paths = createItemPaths(epub.folder);
  const cover = epub.cover === null || !files.has(epub.cover.path) ? null : epub.cover.path;
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
    ...makeBook({ name, epub, files, paths, contents: readContents(epub, files) }, limits, notes),
    edition: { ...file, executable: false },
  };
}

type UnpackedBook = Omit<EpubSource, 'notes' | 'idsIn'> & {
  readonly name: string;
  readonly contents: BookContents;
};

export function makeBook({ name, contents, ...source }: UnpackedBook, limits: ImportLimits, notes: Notes) {
  const { epub, files, paths } = source;
  const starts = new Map<string, ReadonlySet<string>>();
  for (const [path, places] of contents)
    if (places.size > 1) starts.set(path, new Set([...places.keys()].filter((id) => id !== '')));
  const idsIn = (path: string): ReadonlySet<string> => starts.get(path) ?? new Set();
  // Refused here, since writing so many chapters would take minutes.
  refuseManyChapters(
    [...starts.values()].reduce((sum, { size }) => sum + size, 0),
    limits,
  );
  const { read, images } = createEpubChapters({ ...source, notes, idsIn });
  const chapters = placed(read(), contents);
  refuseManyChapters(chapters.length, limits);
  if (chapters.length === 0) throw cannotImport(name, 'it holds no text; name a file with text in it');
  if (epub.cover !== null && files.has(epub.cover.path)) images.add(epub.cover.path);
  notes.did('images', images.size);
  return {
    chapters: chapters.map(({ text: _, ...chapter }) => chapter),
    files: [
      ...chapters.map(({ path, text }) => textFile(path, text)),
      ...[...images].map((path) => ({ path: paths(path), executable: false, bytes: files.get(path)! })),
    ],
  };
}

/**
 * Unpacks an EPUB or a similar zip, within the limits of an item. `remedy` is what a person is told to do if the file is
 * damaged.
 */
export function unpackBook({ path: name, ...file }: CopiedFile, limits: ImportLimits, remedy: string) {
  if (file.size > limits.bytes)
    throw cannotImport(
      name,
      `it has ${file.size} bytes, more than ${limits.bytes}; allow more with --max-bytes`,
    );
  try {
    return unzip(readFileSync(file.source), limits);
  } catch (cause) {
    throw cannotImport(name, `${messageOf(cause).replace(/^Cannot unpack the archive: /, '')}; ${remedy}`);
  }
}

type Read = ReturnType<ReturnType<typeof createEpubChapters>['read']>;

/**
 * Gives each chapter its title, level and part from the table of contents. A chapter that is not listed there belongs to
 * the part of the chapter before it.
 */
function placed(read: Read, contents: BookContents): readonly TextChapter[] {
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

/** The methods that obfuscate fonts, which does not protect the text: https://www.w3.org/TR/epub-33/#sec-font-obfuscation */
const OBFUSCATION = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC']);

const PROTECTIONS: readonly (readonly [file: string, name: string])[] = [
  ['META-INF/license.lcpl', 'Readium LCP'],
  ['META-INF/sinf.xml', 'Apple FairPlay'],
  ['META-INF/rights.xml', 'Adobe ADEPT'],
];

/** Refuses an EPUB with encrypted parts and says which protection it has. Obfuscated fonts are allowed. */
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
    `${closed.length} of its parts are encrypted (DRM: ${protection}); export the book without protection`,
  );
}

// Tables of contents: the navigation document of EPUB 3, https://www.w3.org/TR/epub-33/#sec-nav, and the NCX of EPUB 2

type ContentsPlace = { readonly title: string; readonly level: number; readonly part: string | null };

/** The chapters of each file by the id of the element at which each begins, '' for the file's beginning. */
type BookContents = ReadonlyMap<string, ReadonlyMap<string, ContentsPlace>>;

/** An entry of a table of contents. `path` is null for a heading without a page; `id` is '' for the beginning of a file. */
type Entry = {
  readonly title: string;
  readonly path: string | null;
  readonly id: string;
  readonly inner: readonly Entry[];
};

const DEEPEST = 3;

/**
 * Reads from the table of contents which chapters are in each file, by the file's name in the archive and the element's
 * id. If several entries lead to the same place, the first counts.
 */
function readContents({ nav, ncx }: EpubPackage, files: ReadonlyMap<string, Uint8Array>) {
  const contents = entriesOf(nav?.path, ncx?.path, files);
  const paths = pathsOf(contents);
  const [most] =
    [...Map.groupBy(paths, (path) => path)].find(([, ones]) => 2 * ones.length > paths.length) ?? [];
  const places = new Map<string, Map<string, ContentsPlace>>();
  const add = (entries: readonly Entry[], level: number, part: string | null, above: string | null): void => {
    for (const { title, path, id, inner } of entries) {
      const known = places.get(path ?? '') ?? new Map<string, ContentsPlace>();
      // An entry below another one of the same file is only a section of that chapter, unless most of the book is in
      // this file.
      const isChapter = known.size === 0 || path !== above || path === most;
      if (path !== null && isChapter && !known.has(id))
        places.set(path, known.set(id, { title, level: Math.min(level, DEEPEST), part }));
      const isPart = path === null && level === 1 && title !== '';
      add(inner, path === null ? level : level + 1, isPart ? title : part, path ?? above);
    }
  };
  add(contents, 1, null, null);
  return places;
}

const pathsOf = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap(({ path, inner }) => [...(path === null ? [] : [path]), ...pathsOf(inner)]);

const idOf = (address: string | undefined): string =>
  address?.includes('#') === true ? address.slice(address.indexOf('#') + 1) : '';

function entriesOf(nav: string | undefined, ncx: string | undefined, files: ReadonlyMap<string, Uint8Array>) {
  const [navigation, older] = [nav, ncx].map((path) => (path === undefined ? undefined : files.get(path)));
  if (nav !== undefined && navigation !== undefined) {
    const lists = findAll(parseXml(nav, navigation), 'nav');
    const toc =
      lists.find(({ attributes }) => attributes.get('epub:type')?.split(/\s+/).includes('toc')) ?? lists[0];
    const list = toc === undefined ? undefined : elementsOf(toc).find(({ name }) => name === 'ol');
    if (list !== undefined) return entriesIn(list, nav, true);
  }
  if (ncx === undefined || older === undefined) return [];
  const map = findAll(parseXml(ncx, older), 'navmap')[0];
  return map === undefined ? [] : entriesIn(map, ncx, false);
}

function entriesIn(list: XmlElement, from: string, isNav: boolean): readonly Entry[] {
  const rows = elementsOf(list).filter(({ name }) => name === (isNav ? 'li' : 'navpoint'));
  return rows.map((row) => {
    const part = (...names: readonly string[]) => elementsOf(row).find(({ name }) => names.includes(name));
    const label = isNav ? part('a', 'span') : part('navlabel');
    const address = isNav ? label?.attributes.get('href') : part('content')?.attributes.get('src');
    const inner = isNav ? part('ol') : row;
    return {
      title: label === undefined ? '' : lineOf(label),
      path: address === undefined ? null : archivePath(address, from),
      id: idOf(address),
      inner: inner === undefined ? [] : entriesIn(inner, from, isNav),
    };
  });
}

/**
 * Makes a function that chooses the path in the item for a file of the archive: the file's own path below the package
 * document's folder, with safe names.
 */
export function createItemPaths(folder: string) {
  const given = new Map<string, string>();
  // A file of the book must not replace the item's item.yaml.
  const taken = new Set([foldCase('item.yaml')]);
  return (path: string, extension: string | null = null): string => {
    const known = given.get(path);
    if (known !== undefined) return known;
    const inside = path.startsWith(folder) ? path.slice(folder.length) : path;
    const safe =
      inside
        .split('/')
        .map(safeName)
        .filter((name) => name !== '')
        .join('/') || 'file';
    const dot = safe.lastIndexOf('.');
    const [stem, type] = dot > safe.lastIndexOf('/') + 1 ? [safe.slice(0, dot), safe.slice(dot)] : [safe, ''];
    const end = extension ?? type;
    let free = stem + end;
    for (let n = 2; taken.has(foldCase(free)); n++) free = `${stem}-${n}${end}`;
    taken.add(foldCase(free));
    given.set(path, free);
    return free;
  };
}

function safeName(name: string): string {
  const plain = normalForm(name, 'NFC')
    .replace(/[^\p{L}\p{M}\p{N}._ -]/gu, '-')
    .replace(/^[. ]+|(?<![. ])[. ]+$/g, '');
  return plain === '' || unsafeName(plain) === null ? plain : `_${plain}`;
}
