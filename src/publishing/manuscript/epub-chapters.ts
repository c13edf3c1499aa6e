import { createCollector } from '../../platform/base/garbage.ts';
import { createIds } from '../../reading/markup/ids.ts';
import { type Notes, relativePath, writeTarget } from './book-text.ts';
import type { createItemPaths } from './epub.ts';
import {
  allBelow,
  archivePath,
  elementsOf,
  type EpubPackage,
  type EpubResource,
  findAll,
  lineOf,
  parseXml,
  type XmlElement,
  type XmlNode,
  xmlText,
} from './epub-package.ts';
import { calledIds, createMarkdownWriter, isNote, writeHtml } from './html-to-markdown.ts';

export type EpubSource = {
  readonly epub: Pick<EpubPackage, 'spine' | 'resources' | 'nav' | 'cover'>;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly paths: ReturnType<typeof createItemPaths>;
  readonly notes: Notes;
  /** Returns the ids at which a new chapter begins inside a document; empty if the whole document is one chapter. */
  readonly idsIn: (source: string) => ReadonlySet<string>;
};

/**
 * A chapter in Markdown, made from a document of the EPUB or a part of one. `source` is the document's name in the
 * archive, `id` the element at which the part begins, and `path` the chapter's path in the item.
 */
type EpubChapter = {
  readonly source: string;
  readonly id: string;
  readonly path: string;
  readonly text: string;
};

type Named = Omit<EpubChapter, 'text'>;
type Document = Named & { readonly body: XmlElement };

export function createEpubChapters({ epub, files, paths, notes, idsIn }: EpubSource) {
  const images = new Set<string>();
  const types = new Map(epub.resources.map(({ path, type }) => [path, type]));
  const writeMarkdown = createMarkdownWriter();

  const collect = createCollector(1024 ** 2);

  const bodyOf = (path: string, bytes: Uint8Array): XmlElement | undefined => {
    collect(bytes.length);
    return findAll(parseXml(path, bytes), 'body')[0];
  };

  const open = (resource: EpubResource): readonly Document[] => {
    const bytes = files.get(resource.path);
    if (bytes === undefined) notes.leftOut('Documents that the archive does not hold', resource.path);
    else if (resource === epub.nav) notes.leftOut('The table of contents, which the stall makes itself');
    else if (!/xhtml|html|xml/.test(resource.type))
      notes.leftOut('Documents that are no text', resource.path);
    else {
      const body = bodyOf(resource.path, bytes);
      if (body === undefined || isBlank(body)) notes.leftOut('Documents without text', resource.path);
      else if (isCoverPage(body, resource.path, epub)) notes.leftOut('The page of the cover', resource.path);
      else if (isTitlePage(body)) notes.leftOut('The title page', resource.path);
      else return partsOf(resource.path, body);
    }
    return [];
  };

  const partsOf = (source: string, body: XmlElement): readonly Document[] =>
    splitDocument(body, idsIn(source))
      .filter((part) => !isBlank(part.body))
      .map((part, n) => ({ source, ...part, path: paths(n === 0 ? source : `${source}#${part.id}`, '.md') }));

  const image = (address: string, from: Named): string | null => {
    if (/^(?:https?:|\/\/)/i.test(address)) {
      notes.lookAt('Images on other sites', `${address} (in ${from.source})`);
      return address;
    }
    const path = /^data:/i.test(address) ? '' : archivePath(address, from.source);
    if (!files.has(path)) notes.lookAt('Missing images', `${address.slice(0, 60)} (in ${from.source})`);
    if (!files.has(path)) return null;
    if (!types.has(path)) notes.lookAt('Images that the package document does not name', path);
    images.add(path);
    return writeTarget(relativePath(from.path, paths(path)));
  };

  return {
    images,
    read(): readonly EpubChapter[] {
      const places = new Map<string, Place>();
      const sources = new Set<string>();
      // A document's tree takes twenty times its size, so one at a time is held: each is read again when all places are known.
      for (const resource of new Map(epub.spine.map((one) => [one.path, one])).values())
        for (const { source, id, path, body } of open(resource)) {
          const place = { path, slugs: slugsOf(body) };
          sources.add(source);
          if (!places.has(source)) places.set(source, place);
          if (idsIn(source).size > 0)
            for (const inner of [id, ...idsBelow(body)])
              if (!places.has(`${source}#${inner}`)) places.set(`${source}#${inner}`, place);
        }
      const link = (address: string, from: Named): string | null => {
        if (/^[a-z][a-z0-9+.-]*:/i.test(address))
          return /^(?:https?|mailto):/i.test(address) ? address : null;
        const fragment = address.includes('#') ? address.slice(address.indexOf('#') + 1) : '';
        const source = address.startsWith('#') ? from.source : archivePath(address, from.source);
        const place = places.get(`${source}#${fragment}`) ?? places.get(source);
        if (place === undefined) notes.lookAt('Links that lead nowhere', `${address} (in ${from.source})`);
        if (place === undefined) return null;
        const slug = place.slugs.get(fragment);
        if (place.path === from.path) return slug === undefined ? null : `#${slug}`;
        return writeTarget(relativePath(from.path, place.path)) + (slug === undefined ? '' : `#${slug}`);
      };
      const write = ({ body, ...document }: Document): EpubChapter => {
        const html = writeHtml(body, {
          link: (address) => link(address, document),
          image: (address) => image(address, document),
          largeTable: () =>
            notes.lookAt(
              'Tables of more than 1000 cells, or very many, whose rows became paragraphs',
              document.source,
            ),
        });
        return { ...document, text: writeMarkdown(html) };
      };
      return [...sources].flatMap((source) =>
        partsOf(source, bodyOf(source, files.get(source)!)!).map(write),
      );
    },
  };
}

type Place = { readonly path: string; readonly slugs: ReadonlyMap<string, string> };

/** Maps each id by which a link may name a heading of this document to the id that a stall will give the heading. */
function slugsOf(body: XmlElement): ReadonlyMap<string, string> {
  const ids = createIds();
  return new Map(
    headingIds(body).flatMap(({ title, ids: named }) => {
      const slug = ids.forHeading(title);
      return named.map((id) => [id, slug] as const);
    }),
  );
}

const hasImage = (body: XmlElement): boolean =>
  [...findAll(body, 'img'), ...findAll(body, 'image')].length > 0;

const isBlank = (body: XmlElement): boolean => xmlText(body).trim() === '' && !hasImage(body);

/**
 * Whether a document is the title page and nothing else. It is left out, since the stall's pages and e-books have their
 * own.
 */
const isTitlePage = (body: XmlElement): boolean =>
  findAll(body, 'section').some(
    (section) =>
      section.attributes.get('epub:type') === 'titlepage' && xmlText(section).trim() === xmlText(body).trim(),
  );

/** Whether a document only shows the cover. It is then left out, since the stall shows the cover itself. */
function isCoverPage(body: XmlElement, path: string, { cover }: EpubSource['epub']): boolean {
  if (cover === null || xmlText(body).trim() !== '') return false;
  const shown = [
    ...findAll(body, 'img').map(({ attributes }) => attributes.get('src') ?? ''),
    ...findAll(body, 'image').map(({ attributes }) => attributes.get('href') ?? ''),
  ];
  return shown.length === 1 && archivePath(shown[0] ?? '', path) === cover.path;
}

type HeadingIds = { readonly title: string; readonly ids: readonly string[] };

/**
 * Lists the headings of a document in order, each with the ids that lead to it: its own, those of elements inside it,
 * and those right before it.
 */
function headingIds(body: XmlElement): readonly HeadingIds[] {
  const found: HeadingIds[] = [];
  let waiting: string[] = [];
  const visit = (node: XmlNode): void => {
    if (typeof node === 'string') {
      if (node.trim() !== '') waiting = [];
      return;
    }
    const id = node.attributes.get('id');
    if (id !== undefined) waiting.push(id);
    if (/^h[1-6]$/.test(node.name)) {
      found.push({ title: lineOf(node), ids: [...waiting, ...idsBelow(node)] });
      waiting = [];
    } else for (const child of node.children) visit(child);
  };
  visit(body);
  return found;
}

const idsBelow = (element: XmlElement): readonly string[] =>
  allBelow(element).flatMap(({ attributes }) => attributes.get('id') ?? []);

/** A part of a document's body; `id` is the element at which it begins, '' for the document's beginning. */
type DocumentPart = { readonly id: string; readonly body: XmlElement };

/**
 * Splits a document at the elements with these ids. Each part keeps the elements that enclose it, and gets the notes that it
 * refers to. A part with nothing but headings beside its notes becomes empty.
 */
function splitDocument(body: XmlElement, ids: ReadonlySet<string>): readonly DocumentPart[] {
  if (ids.size === 0) return [{ id: '', body }];
  const starts = startsOf(body, ids);
  const called = new Set(calledIds(body));
  const notes = new Map<string, XmlElement>();
  const opened = [''];

  const visit = (element: XmlElement): Copies => {
    const start = starts.get(element);
    if (start !== undefined) opened.push(start);
    const first = opened.length - 1;
    const children: XmlNode[][] = [];
    let isThinned = false;
    for (const child of element.children) {
      if (typeof child !== 'string' && isNote(child, called)) {
        notes.set(child.attributes.get('id') ?? '', child);
        isThinned = true;
      } else if (typeof child === 'string') (children[opened.length - 1 - first] ??= []).push(child);
      else {
        const inner = visit(child);
        isThinned ||= inner.isThinned;
        inner.copies.forEach((copy, n) => (children[inner.first - first + n] ??= []).push(copy));
      }
    }
    children[0] ??= [];
    const copies: XmlElement[] = [];
    children.forEach((nodes, n) => {
      const attributes = n === 0 ? element.attributes : new Map<string, string>();
      if (!isThinned || nodes.some(saysMore)) copies[n] = { ...element, attributes, children: nodes };
    });
    return { first, copies, isThinned };
  };

  const { copies } = visit(body);
  return opened.map((id, part) => {
    const own = copies[part] ?? { ...body, children: [] };
    const called = new Set(calledIds(own));
    const added = [...called].flatMap((note) => notes.get(note) ?? []);
    return { id, body: { ...own, children: [...own.children, ...added] } };
  });
}

/**
 * The copies of an element that lies in several parts, one for each, from part number `first` on. `isThinned` is true if
 * a note was taken out of it.
 */
type Copies = {
  readonly first: number;
  readonly copies: readonly XmlElement[];
  readonly isThinned: boolean;
};

const saysMore = (node: XmlNode): boolean =>
  typeof node === 'string'
    ? node.trim() !== ''
    : !/^h[1-6]$/.test(node.name) && (xmlText(node).trim() !== '' || node.name === 'img');

/** Finds the elements at which parts begin: those with these ids, or the outermost element that begins with such an element. */
function startsOf(body: XmlElement, ids: ReadonlySet<string>): ReadonlyMap<XmlElement, string> {
  const starts = new Map<XmlElement, string>();
  const visit = (element: XmlElement): void => {
    elementsOf(element).forEach(visit);
    const id = element.attributes.get('id') ?? '';
    const first = element.children.find((child) => typeof child !== 'string' || child.trim() !== '');
    const inner = typeof first === 'object' ? starts.get(first) : undefined;
    if (ids.has(id)) starts.set(element, id);
    else if (inner !== undefined && element !== body && typeof first === 'object') {
      starts.delete(first);
      starts.set(element, inner);
    }
  };
  visit(body);
  return starts;
}
