// The package document, https://www.w3.org/TR/epub-33/#sec-package-doc and OPF 2.0.1
import { ENTITIES } from './entities.ts';
import { resolveLink } from '../../item/link.ts';
import { cannotImport } from '../cannot-import.ts';
import { elementsOf, findAll, parseXml, type XmlElement, xmlText } from './xml.ts';

/** A publication resource; `path` is its name in the archive. */
export type EpubResource = {
  readonly id: string;
  readonly path: string;
  readonly type: string;
  readonly properties: readonly string[];
};

export type EpubPackage = {
  /** The folder of the package document in the archive. */
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

/** Reads the package document that META-INF/container.xml names. */
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

function resourceOf({ attributes }: XmlElement, path: string): EpubResource {
  const href = attributes.get('href') ?? '';
  return {
    id: attributes.get('id') ?? '',
    path: archivePath(href, path),
    type: attributes.get('media-type') ?? '',
    properties: (attributes.get('properties') ?? '').split(/\s+/),
  };
}

/** The name in the archive that an address means, seen from the file `from`. */
export function archivePath(address: string, from: string): string {
  const path = address.replace(/[#?].*$/s, '');
  try {
    return resolveLink(decodeURIComponent(path), from);
  } catch {
    return resolveLink(path, from);
  }
}

const textsOf = (metadata: XmlElement, name: string): readonly string[] =>
  elementsOf(metadata)
    .flatMap((one) => (['dc-metadata', 'x-metadata'].includes(one.name) ? elementsOf(one) : [one]))
    .filter((element) => element.name === name)
    .map((element) => xmlText(element).replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '');

/** Every creator but those whose role is another than author. */
function authorsOf(metadata: XmlElement): readonly string[] {
  const roles = new Map(
    findAll(metadata, 'meta')
      .filter(({ attributes }) => attributes.get('property') === 'role')
      .map((meta) => [(meta.attributes.get('refines') ?? '').slice(1), xmlText(meta).trim()] as const),
  );
  const creators = findAll(metadata, 'creator').filter(({ attributes }) => {
    const role = attributes.get('opf:role') ?? roles.get(attributes.get('id') ?? '') ?? 'aut';
    return role === 'aut';
  });
  return [...new Set(creators.map((one) => xmlText(one).replace(/\s+/g, ' ').trim()))].filter(
    (one) => one !== '',
  );
}

/** Descriptions are often HTML within text. */
const plainDescription = (text: string | null): string | null =>
  text
    ?.replace(/<(?:\/?[a-z]|!--)[^<>]*>/gi, ' ')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{1,10}));/gi, characterOf)
    .replace(/\s+/g, ' ')
    .trim() || null;

function characterOf(written: string, decimal?: string, hex?: string, name = ''): string {
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  if (name === '' && code > 0 && code <= 0x10ffff) return String.fromCodePoint(code);
  const named = { ...ENTITIES, ...XML_ENTITIES };
  return Object.hasOwn(named, name) ? (named[name] ?? written) : written;
}

const XML_ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const imageOnly = (resource: EpubResource | undefined): EpubResource | null =>
  resource?.type.startsWith('image/') ? resource : null;

const NCX = 'application/x-dtbncx+xml';
const EMPTY: XmlElement = { name: '', attributes: new Map(), children: [] };

const notEpub = (name: string, missing: string): Error =>
  cannotImport(name, `it is no EPUB: it lacks ${missing}`, 'export it again');
