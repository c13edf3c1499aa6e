// EPUB Packages 3.2, https://www.w3.org/TR/epub-32/#sec-package-documents
import { oneLine, wordsOf, xhtmlDocument } from './xhtml.ts';
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

// EPUB Navigation Documents, https://www.w3.org/TR/epub-32/#sec-package-nav

type Entry = { readonly label: string; readonly file: string | null; readonly children: Entry[] };

export function navDocument(book: EbookMetadata, chapters: readonly EbookChapter[]): string {
  const title = oneLine(book.title, wordsOf(book).contents);
  const body = `<nav epub:type="toc" role="doc-toc" id="toc">
<h1>${escapeXml(title)}</h1>
${listOf(entriesOf(chapters), wordsOf(book).untitled)}
</nav>
<nav epub:type="landmarks" id="landmarks" hidden="hidden">
<ol><li><a epub:type="cover" href="cover.xhtml">${escapeXml(wordsOf(book).cover)}</a></li><li><a epub:type="titlepage" href="title.xhtml">${escapeXml(title)}</a></li><li><a epub:type="bodymatter" href="${chapterFile(0)}">${escapeXml(oneLine(chapters[0]?.title ?? '', title))}</a></li></ol>
</nav>`;
  return xhtmlDocument(book, { title, body });
}

function entriesOf(chapters: readonly EbookChapter[]): readonly Entry[] {
  const root: Entry = { label: '', file: null, children: [] };
  let [top, part]: [Entry, string | null] = [root, null];
  let stack: { readonly entry: Entry; readonly level: number }[] = [];
  chapters.forEach((chapter, n) => {
    if (chapter.part !== part) {
      part = chapter.part;
      stack = [];
      top = part === null ? root : { label: part, file: null, children: [] };
      if (top !== root) root.children.push(top);
    }
    while ((stack.at(-1)?.level ?? 0) >= chapter.level) stack.pop();
    const entry: Entry = { label: chapter.title, file: chapterFile(n), children: [] };
    (stack.at(-1)?.entry ?? top).children.push(entry);
    stack.push({ entry, level: chapter.level });
  });
  return root.children;
}

function listOf(entries: readonly Entry[], untitled: string): string {
  const items = entries.map(({ label, file, children }) => {
    const text = escapeXml(oneLine(label, untitled));
    const own = file === null ? `<span>${text}</span>` : `<a href="${file}">${text}</a>`;
    return `<li>${own}${children.length === 0 ? '' : `\n${listOf(children, untitled)}`}</li>\n`;
  });
  return `<ol>\n${items.join('')}</ol>`;
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

/** The style sheet of e-books. It is short, as a reading program's own settings should prevail. */
export const STYLE = `body { margin: 0 5%; line-height: 1.45; overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { line-height: 1.2; page-break-after: avoid; break-after: avoid; }
img { max-width: 100%; height: auto; }
figure { margin: 1em 0; }
figcaption, caption { font-size: 0.9em; }
blockquote { margin: 1em 1.5em; }
.alert { margin: 1em 0; padding: 0 0.8em; border: 1px solid; }
.alert-title { font-weight: bold; }
.formula { margin: 1em 0; text-align: center; }
pre { white-space: pre-wrap; font-size: 0.85em; line-height: 1.35; }
p.lines { white-space: pre-wrap; }
code, kbd, samp { font-family: monospace; }
table { border-collapse: collapse; }
td, th { border: 1px solid; padding: 0.2em 0.5em; vertical-align: top; }
.left { text-align: left; }
.center { text-align: center; }
.right { text-align: right; }
sup { line-height: 1; }
.notes { margin-top: 2em; border-top: 1px solid; font-size: 0.9em; }
.cover, .titlepage { text-align: center; }
.cover img { max-height: 100%; }
nav ol { list-style: none; }
.hljs-comment, .hljs-quote { font-style: italic; color: #5c5c5c; }
.hljs-keyword, .hljs-selector-tag, .hljs-section, .hljs-title, .hljs-name { font-weight: bold; }
.hljs-string, .hljs-attr, .hljs-regexp { color: #1c5a2e; }
.hljs-number, .hljs-literal, .hljs-built_in, .hljs-type { color: #7a2a1c; }
.hljs-addition { color: #1c5a2e; }
.hljs-deletion { color: #8a1c1c; }
`;

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
  /** Who has certified that the book is accessible; null if nobody has. */
  readonly certifiedBy: string | null;
  readonly modified: number;
};

export type EbookChapter = { readonly title: string; readonly level: number; readonly part: string | null };

export type EbookPicture = { readonly file: string; readonly type: string };

export const chapterFile = (n: number): string => `chapter-${String(n + 1).padStart(4, '0')}.xhtml`;
