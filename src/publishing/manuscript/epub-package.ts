// Reads the package document, https://www.w3.org/TR/epub-33/#sec-package-doc and OPF 2.0.1
import { LONGEST_TEXT } from '../../catalog/chapter-limit.rule.ts';
import { decoded, resolveLink } from '../../platform/base/markdown-link.ts';
import { cannotImport, decodeText } from './source-folder.ts';
import { characterOf } from '../../platform/base/text.ts';
import { type SaxesAttributePlain, SaxesParser } from 'saxes';

export type EpubResource = ReturnType<typeof resourceOf>;

/** The contents of a package document. A text is null if its metadata lack it. */
export type EpubPackage = {
  readonly folder: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly authors: readonly string[];
  readonly language: string | null;
  readonly publisher: string | null;
  readonly rights: string | null;
  readonly resources: readonly EpubResource[];
  readonly spine: readonly EpubResource[];
  readonly cover: EpubResource | null;
  readonly ncx: EpubResource | null;
  readonly nav: EpubResource | null;
  /** Whether its pages are laid out in advance: https://www.w3.org/TR/epub-33/#layout */
  readonly isFixed: boolean;
};

type Files = ReadonlyMap<string, Uint8Array>;

export function readPackage(name: string, files: Files): EpubPackage {
  const container = files.get('META-INF/container.xml');
  if (container === undefined) throw notEpub(name, 'META-INF/container.xml');
  const path = findAll(parseXml('META-INF/container.xml', container), 'rootfile')[0]?.attributes.get(
    'full-path',
  );
  const bytes = path === undefined ? undefined : files.get(path);
  if (path === undefined || bytes === undefined) throw notEpub(name, path ?? 'a package document');
  return packageOf(path, parseXml(path, bytes));
}

function packageOf(path: string, document: XmlElement): EpubPackage {
  const [metadata, manifest, spine] = ['metadata', 'manifest', 'spine'].map(
    (name) => findAll(document, name)[0] ?? EMPTY,
  ) as [XmlElement, XmlElement, XmlElement];
  const resources = findAll(manifest, 'item').map((item) => resourceOf(item, path));
  const byId = new Map(resources.map((resource) => [resource.id, resource]));
  const textOf = (name: string): string | null => textsOf(metadata, name)[0] ?? null;
  const coverId = findAll(metadata, 'meta').find(({ attributes }) => attributes.get('name') === 'cover');
  return {
    folder: path.slice(0, path.lastIndexOf('/') + 1),
    title: textOf('title'),
    description: plainDescription(textOf('description')),
    authors: authorsOf(metadata),
    language: textOf('language'),
    publisher: textOf('publisher'),
    rights: textOf('rights'),
    resources,
    spine: findAll(spine, 'itemref').flatMap(
      ({ attributes }) => byId.get(attributes.get('idref') ?? '') ?? [],
    ),
    cover:
      resources.find(({ properties }) => properties.includes('cover-image')) ??
      imageOnly(byId.get(coverId?.attributes.get('content') ?? '')),
    ncx: byId.get(spine.attributes.get('toc') ?? '') ?? resources.find(({ type }) => type === NCX) ?? null,
    nav: resources.find(({ properties }) => properties.includes('nav')) ?? null,
    isFixed: findAll(metadata, 'meta').some(
      (meta) =>
        meta.attributes.get('property') === 'rendition:layout' && xmlText(meta).trim() === 'pre-paginated',
    ),
  };
}

function resourceOf({ attributes }: XmlElement, path: string) {
  const href = attributes.get('href') ?? '';
  return {
    id: attributes.get('id') ?? '',
    path: archivePath(href, path),
    type: attributes.get('media-type') ?? '',
    properties: (attributes.get('properties') ?? '').split(/\s+/),
  };
}

export function archivePath(address: string, from: string): string {
  return resolveLink(decoded(address.replace(/[#?].*/s, '')), from);
}

const textsOf = (metadata: XmlElement, name: string): readonly string[] =>
  elementsOf(metadata)
    .flatMap((one) => (['dc-metadata', 'x-metadata'].includes(one.name) ? elementsOf(one) : [one]))
    .filter((element) => element.name === name)
    .map(lineOf)
    .filter((text) => text !== '');

function authorsOf(metadata: XmlElement): readonly string[] {
  const roles = new Map(
    findAll(metadata, 'meta')
      .filter(({ attributes }) => attributes.get('property') === 'role')
      .map((meta) => [(meta.attributes.get('refines') ?? '').slice(1), xmlText(meta).trim()] as const),
  );
  const creators = findAll(metadata, 'creator').filter(
    ({ attributes }) =>
      (attributes.get('opf:role') ?? roles.get(attributes.get('id') ?? '') ?? 'aut') === 'aut',
  );
  return [...new Set(creators.map(lineOf))].filter((one) => one !== '');
}

/** Removes tags and character references, since descriptions are often HTML within text. */
const plainDescription = (text: string | null): string | null =>
  text
    ?.replace(/<(?:\/?[a-z]|!--)[^<>]*>/gi, ' ')
    .replace(/&(#?\w{1,10});/g, (written, name: string) => characterOf(name) ?? written)
    .replace(/\s+/g, ' ')
    .trim() || null;

const imageOnly = (resource: EpubResource | undefined): EpubResource | null =>
  resource?.type.startsWith('image/') ? resource : null;

const NCX = 'application/x-dtbncx+xml';
const EMPTY: XmlElement = { name: '', attributes: new Map(), children: [] };

const notEpub = (name: string, missing: string): Error =>
  cannotImport(name, `it is no EPUB: it lacks ${missing}; export it again`);

// XML 1.0 is parsed by saxes, which never fetches an external entity and ignores the entities that a document declares.

/**
 * An XML element. Its name is in lower case and without prefix: `dc:title` is `title`. For `attributes` see
 * `readAttributes`.
 */
export type XmlElement = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlNode[];
};
export type XmlNode = XmlElement | string;

type OpenElement = XmlElement & { readonly children: XmlNode[] };

/** The maximum nesting that is read: no person writes a deeper document, and one could overflow the converter's stack. */
const DEEPEST = 200;

/**
 * The maximum number of elements in a document of which a tree is made, since each takes about a kilobyte of memory. An
 * attribute counts half.
 */
const MOST_ELEMENTS = 200_000;

/** The maximum size of a document of which a tree is made, in bytes: twice that of a chapter that can be read. */
const LONGEST_DOCUMENT = 2 * LONGEST_TEXT;

/** The maximum number of attributes in a document: an element may have any number, each of up to 600 bytes of memory. */
const MOST_ATTRIBUTES = 1_000_000;

/**
 * Parses an XML document and returns its root element. Refuses what `readXml` refuses, and a document over
 * `LONGEST_DOCUMENT` or `MOST_ELEMENTS`.
 */
export function parseXml(name: string, bytes: Uint8Array): XmlElement {
  if (bytes.length > LONGEST_DOCUMENT)
    throw cannotImport(name, `it has more than ${LONGEST_DOCUMENT} bytes; divide it`);
  const root: OpenElement = { name: '', attributes: new Map(), children: [] };
  const open: OpenElement[] = [root];
  let count = 0;
  readXml(name, bytes, {
    open: (tag, written) => {
      count += 1 + Object.keys(written).length / 2;
      if (count > MOST_ELEMENTS)
        throw cannotImport(
          name,
          `it has more than ${MOST_ELEMENTS} elements, or as many attributes; divide it`,
        );
      const element: OpenElement = { name: tag, attributes: readAttributes(written), children: [] };
      open.at(-1)!.children.push(element);
      open.push(element);
    },
    close: () => void open.pop(),
    text: (text) => void open.at(-1)!.children.push(text),
  });
  return elementsOf(root)[0] ?? root;
}

type Attributes = Readonly<Record<string, SaxesAttributePlain | string>>;
type XmlHandler = {
  readonly open: (name: string, attributes: Attributes) => void;
  readonly close?: () => void;
  readonly text?: (text: string) => void;
};

/**
 * Reads an XML document from its beginning and keeps nothing of it. Refuses text that is not well formed, declared entities,
 * deep nesting and very many attributes.
 */
export function readXml(name: string, bytes: Uint8Array, { open, close, text }: XmlHandler): void {
  const parser = new SaxesParser({ fileName: name });
  // The DTDs of EPUB 2 define the same named characters as HTML:
  // https://www.w3.org/TR/xhtml-modularization/dtd_module_defs.html
  parser.ENTITIES = new Proxy({}, { get: (_, name) => characterOf(String(name)) });
  let [depth, attributes] = [0, 0];
  const refuse = (reason: string): Error => cannotImport(name, `it is broken XML (${reason}); mend it`);
  parser.on('error', (error) => {
    throw refuse(error.message.replace(/^.*?:(\d+):(\d+): /, 'line $1: '));
  });
  parser.on('doctype', (doctype) => {
    if (/<!ENTITY/.test(doctype))
      throw cannotImport(name, 'it declares entities of its own; write out what they stand for');
  });
  parser.on('attribute', () => {
    if (++attributes > MOST_ATTRIBUTES)
      throw cannotImport(name, `it has more than ${MOST_ATTRIBUTES} attributes; divide it`);
  });
  parser.on('opentag', (tag) => {
    if (++depth > DEEPEST) throw refuse(`elements nest deeper than ${DEEPEST}`);
    open(localName(tag.name), tag.attributes);
  });
  parser.on('closetag', () => {
    depth--;
    close?.();
  });
  if (text !== undefined) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  const written = textOf(name, bytes);
  for (let at = 0; at < written.length; at += PIECE) parser.write(written.slice(at, at + PIECE));
  parser.close();
}

/** How many characters saxes is given at a time: it copies each piece. */
const PIECE = 65_536;

/** Decodes a document. EPUB allows UTF-8 and UTF-16, and older books declare Latin 1. */
function textOf(name: string, bytes: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /^(?:<\?xml[^>]*encoding\s*=\s*["'])(iso-8859-1|windows-1252)["']/i.exec(head);
  return declared === null ? decodeText(name, bytes) : new TextDecoder('windows-1252').decode(bytes);
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

/**
 * Reads attributes by their names in lower case. One with a prefix, such as `xlink:href`, is also found without it,
 * unless the element has an attribute of that name.
 */
function readAttributes(written: Attributes): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [name, value] of Object.entries(written))
    if (name.includes(':')) attributes.set(name.toLowerCase(), String(value));
  for (const [name, value] of Object.entries(written))
    if (!name.includes(':')) attributes.set(name.toLowerCase(), String(value));
    else if (!Object.hasOwn(written, localName(name)) && !name.startsWith('xmlns'))
      attributes.set(localName(name), String(value));
  return attributes;
}

export function elementsOf({ children }: XmlElement): readonly XmlElement[] {
  return children.filter((child) => typeof child !== 'string');
}

export function allBelow(element: XmlElement, found: XmlElement[] = []): readonly XmlElement[] {
  for (const child of elementsOf(element)) {
    found.push(child);
    allBelow(child, found);
  }
  return found;
}

export function findAll(element: XmlElement, name: string): readonly XmlElement[] {
  return allBelow(element).filter((one) => one.name === name);
}

export function xmlText(node: XmlNode): string {
  return typeof node === 'string' ? node : node.children.map(xmlText).join('');
}

export const lineOf = (element: XmlElement): string => xmlText(element).replace(/\s+/g, ' ').trim();
