// Tables of contents: the navigation document of EPUB 3, https://www.w3.org/TR/epub-33/#sec-nav, and the NCX of EPUB 2
import { archivePath, type EpubPackage } from './package.ts';
import { elementsOf, findAll, parseXml, type XmlElement, xmlText } from './xml.ts';

/** A file's place in the table of contents. */
type ContentsPlace = { readonly title: string; readonly level: number; readonly part: string | null };

/** The entries of a table of contents; `path` is null for a heading without a page, `id` '' for the beginning of one. */
type Entry = {
  readonly title: string;
  readonly path: string | null;
  readonly id: string;
  readonly inner: readonly Entry[];
};

const DEEPEST = 3;

/**
 * The chapters of each file that the table of contents names, by the file's name in the archive and the id at which they
 * begin, the first entry's first.
 */
export function readContents(
  { nav, ncx }: EpubPackage,
  files: ReadonlyMap<string, Uint8Array>,
): ReadonlyMap<string, ReadonlyMap<string, ContentsPlace>> {
  const contents = entriesOf(nav?.path, ncx?.path, files);
  const paths = pathsOf(contents);
  const [most] =
    [...Map.groupBy(paths, (path) => path)].find(([, ones]) => 2 * ones.length > paths.length) ?? [];
  const places = new Map<string, Map<string, ContentsPlace>>();
  const add = (entries: readonly Entry[], level: number, part: string | null, above: string | null): void => {
    for (const { title, path, id, inner } of entries) {
      const known = places.get(path ?? '') ?? new Map<string, ContentsPlace>();
      // Entries below a place in the same file are its sections, unless the file is nearly the whole book.
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

function entriesOf(
  nav: string | undefined,
  ncx: string | undefined,
  files: ReadonlyMap<string, Uint8Array>,
): readonly Entry[] {
  const [navigation, older] = [nav, ncx].map((path) => (path === undefined ? undefined : files.get(path)));
  if (nav !== undefined && navigation !== undefined) {
    const lists = findAll(parseXml(nav, navigation), 'nav');
    const toc =
      lists.find(({ attributes }) => attributes.get('epub:type')?.split(/\s+/).includes('toc')) ?? lists[0];
    const list = toc === undefined ? undefined : elementsOf(toc).find(({ name }) => name === 'ol');
    if (list !== undefined) return navEntries(list, nav);
  }
  if (ncx === undefined || older === undefined) return [];
  const map = findAll(parseXml(ncx, older), 'navmap')[0];
  return map === undefined ? [] : ncxEntries(map, ncx);
}

function navEntries(list: XmlElement, from: string): readonly Entry[] {
  return elementsOf(list)
    .filter(({ name }) => name === 'li')
    .map((row) => {
      const inner = elementsOf(row).find(({ name }) => name === 'ol');
      const label = elementsOf(row).find(({ name }) => name === 'a' || name === 'span');
      const href = label?.attributes.get('href');
      return {
        title: label === undefined ? '' : lineOf(label),
        path: href === undefined ? null : archivePath(href, from),
        id: idOf(href),
        inner: inner === undefined ? [] : navEntries(inner, from),
      };
    });
}

function ncxEntries(map: XmlElement, from: string): readonly Entry[] {
  return elementsOf(map)
    .filter(({ name }) => name === 'navpoint')
    .map((point) => {
      const label = elementsOf(point).find(({ name }) => name === 'navlabel');
      const src = elementsOf(point)
        .find(({ name }) => name === 'content')
        ?.attributes.get('src');
      return {
        title: label === undefined ? '' : lineOf(label),
        path: src === undefined ? null : archivePath(src, from),
        id: idOf(src),
        inner: ncxEntries(point, from),
      };
    });
}

const lineOf = (element: XmlElement): string => xmlText(element).replace(/\s+/g, ' ').trim();
