// EPUB Packages 3.2, https://www.w3.org/TR/epub-32/#sec-package-documents
import { chapterFile, oneLine, wordsOf } from './ebook-pages.ts';
import { escapeXml } from '../../platform/base/text.ts';
import { createHash } from 'node:crypto';
import type { Accessibility } from '../accessibility.ts';
import type { Direction } from '../../platform/base/direction.ts';

export const CONTAINER = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles>
<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
</rootfiles>
</container>
`;

type EbookParts = {
  readonly chapters: number;
  readonly formulas: ReadonlySet<number>;
  readonly cover: EbookPicture;
  readonly pictures: readonly EbookPicture[];
  readonly facts: Accessibility;
};

export function packageDocument(book: EbookMetadata, parts: EbookParts): string {
  const { chapters, formulas, cover, pictures } = parts;
  const files = Array.from({ length: chapters }, (_, n) => ({ id: `c${n + 1}`, file: chapterFile(n) }));
  const manifest = [
    item('nav', 'nav.xhtml', 'application/xhtml+xml', 'nav'),
    item('style', 'style.css', 'text/css'),
    item('cover', 'cover.xhtml', 'application/xhtml+xml'),
    item('title', 'title.xhtml', 'application/xhtml+xml'),
    item('cover-image', cover.file, cover.type, 'cover-image'),
    ...files.map(({ id, file }, n) =>
      item(id, file, 'application/xhtml+xml', formulas.has(n) ? 'mathml' : undefined),
    ),
    ...pictures.map(({ file, type }, n) => item(`p${n + 1}`, file, type)),
  ];
  const progression = book.direction === 'rtl' ? ' page-progression-direction="rtl"' : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${escapeXml(book.language)}" dir="${book.direction}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
${[...metadataOf(book), ...accessibilityOf(book, parts.facts)].join('\n')}
</metadata>
<manifest>
${manifest.join('\n')}
</manifest>
<spine${progression}>
<itemref idref="cover"/>
<itemref idref="title"/>
${files.map(({ id }) => `<itemref idref="${id}"/>`).join('\n')}
</spine>
</package>
`;
}

function metadataOf(book: EbookMetadata): readonly string[] {
  const text = (name: string, value: string): readonly string[] => {
    const line = oneLine(value, '');
    return line === '' ? [] : [`<dc:${name}>${escapeXml(line)}</dc:${name}>`];
  };
  return [
    `<dc:identifier id="id">urn:uuid:${bookUuid(book.id)}</dc:identifier>`,
    `<dc:title>${escapeXml(oneLine(book.title, wordsOf(book).untitled))}</dc:title>`,
    `<dc:language>${escapeXml(book.language)}</dc:language>`,
    ...book.authors.flatMap((author) => text('creator', author)),
    ...text('publisher', book.publisher),
    ...text('description', book.description),
    ...book.tags.flatMap((tag) => text('subject', tag)),
    ...text('rights', book.license ?? ''),
    `<meta property="dcterms:modified">${new Date(book.modified).toISOString().slice(0, 19)}Z</meta>`,
    // This names the cover for reading programs that know only EPUB 2.
    '<meta name="cover" content="cover-image"/>',
  ];
}

/** Tells how the book can be read (EPUB Accessibility 1.1, https://www.w3.org/TR/epub-a11y-11/#sec-disc-package). */
function accessibilityOf(
  book: EbookMetadata,
  { hasPictures, areDescribed, hasMath, isStill }: Accessibility,
): readonly string[] {
  const words = wordsOf(book);
  const features = [
    'tableOfContents',
    'readingOrder',
    'structuralNavigation',
    'displayTransformability',
    ...(hasPictures && areDescribed ? ['alternativeText'] : []),
    ...(hasMath ? ['MathML'] : []),
  ];
  const summary = [
    words.readableText,
    ...(hasPictures ? [areDescribed ? words.describedPictures : words.undescribedPictures] : []),
    ...(hasMath ? [words.readableMath] : []),
  ];
  const meta = (name: string, value: string) => `<meta property="schema:${name}">${escapeXml(value)}</meta>`;
  return [
    meta('accessMode', 'textual'),
    ...(hasPictures ? [meta('accessMode', 'visual')] : []),
    ...(areDescribed ? [meta('accessModeSufficient', 'textual')] : []),
    ...features.map((feature) => meta('accessibilityFeature', feature)),
    meta('accessibilityHazard', isStill ? 'none' : 'unknown'),
    meta('accessibilitySummary', summary.join(words.sentenceGap)),
    ...(book.certifiedBy === null
      ? []
      : [
          '<meta property="dcterms:conformsTo" id="conforms">EPUB Accessibility 1.1 - WCAG 2.1 Level AA</meta>',
          `<meta property="a11y:certifiedBy" refines="#conforms">${escapeXml(book.certifiedBy)}</meta>`,
        ]),
  ];
}

function item(id: string, file: string, type: string, properties?: string): string {
  const more = properties === undefined ? '' : ` properties="${properties}"`;
  return `<item id="${id}" href="${file}" media-type="${type}"${more}/>`;
}

/**
 * Returns the address of a site or mailbox as a URI by RFC 3986, whose syntax is stricter than that of browsers; null if
 * that is impossible.
 */
export function asUri(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || !/^(?:https?|mailto):$/.test(url.protocol)) return null;
  const { origin, host, username } = url;
  if (url.protocol === 'mailto:') return `mailto:${encoded(url.href.slice(7))}`;
  if (username !== '' || !HOST.test(host)) return null;
  const hash = url.hash === '' ? '' : `#${encoded(url.hash.slice(1)).replaceAll('#', '%23')}`;
  return origin + encoded(url.pathname + url.search) + hash;
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d+)?$/;
const UNSAFE = /%(?![0-9a-fA-F]{2})|[^A-Za-z0-9\-._~:/?@!$&'()*+,;=%]/gu;

const encoded = (text: string): string =>
  text.toWellFormed().replace(UNSAFE, (found) => encodeURIComponent(found));

/** The namespace for the UUIDs of books, a random number that must never change. */
const NAMESPACE = Buffer.from('8c2f4a6e1b7d4f0a9e35d1c8704b2a96', 'hex');

/** Returns the UUID of a book, the same for all its editions. */
export const bookUuid = (id: string): string => hashUuid(Buffer.concat([NAMESPACE, Buffer.from(id)]));

/** Makes a UUID of version 8 of the SHA-256 of a name (RFC 9562 §5.8). */
export function hashUuid(name: string | Uint8Array): string {
  const hash = createHash('sha256').update(name).digest().subarray(0, 16);
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** `modified` is in milliseconds since 1970, `language` a BCP 47 tag. */
export type EbookMetadata = {
  readonly id: string;
  readonly title: string;
  readonly authors: readonly string[];
  readonly publisher: string;
  readonly description: string;
  readonly language: string;
  readonly direction: Direction;
  readonly license: string | null;
  readonly tags: readonly string[];
  /** The name of the certifier who found the book accessible; null if nobody did. */
  readonly certifiedBy: string | null;
  readonly modified: number;
};

export type EbookChapter = { readonly title: string; readonly level: number; readonly part: string | null };

export type EbookPicture = { readonly file: string; readonly type: string };
