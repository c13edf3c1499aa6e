import { escapeXml } from '../../platform/base/text.ts';
import { languageFor, type Words, wordsIn } from '../../words/words.ts';
import { type EbookMetadata, type EbookPicture } from './package-document.ts';
import { VOID_ELEMENTS } from '../markup/html-writer.ts';

// Reads and writes markup made by src/reading/markup. Parsing is simple, since that markup is well-formed XML, "<" and ">"
// occur only in tags, and every attribute value is quoted.

export type Node = string | Element;

export type Element = {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Node[];
};

const ATTRIBUTE = / ([a-z:-]+)="([^"]*)"/g;
/** Shared by all elements without attributes, which most are. */
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

type Open = { readonly tag: string; readonly attributes: Element['attributes']; readonly children: Node[] };

export function parseXhtml(markup: string): readonly Node[] {
  const root: Open = { tag: '', attributes: NO_ATTRIBUTES, children: [] };
  const stack: Open[] = [root];
  let top = root;
  for (let at = 0; at < markup.length;) {
    const start = markup.indexOf('<', at);
    const end = start === -1 ? -1 : markup.indexOf('>', start);
    if (start > at) top.children.push(markup.slice(at, start));
    if (end === -1) {
      if (start === -1) top.children.push(markup.slice(at));
      break;
    }
    at = end + 1;
    if (markup[start + 1] === '/') {
      if (stack.length > 1) stack.pop();
      top = stack.at(-1)!;
      continue;
    }
    const isEmpty = markup[end - 1] === '/';
    const element = readTag(markup.slice(start + 1, isEmpty ? end - 1 : end));
    top.children.push(element);
    if (isEmpty) continue;
    stack.push(element);
    top = element;
  }
  return root.children;
}

function readTag(written: string): Open {
  const space = written.indexOf(' ');
  if (space === -1) return { tag: written, attributes: NO_ATTRIBUTES, children: [] };
  const attributes = new Map<string, string>();
  for (const [, name = '', value = ''] of written.matchAll(ATTRIBUTE)) attributes.set(name, value);
  return { tag: written.slice(0, space), attributes, children: [] };
}

export function writeXhtml(nodes: readonly Node[]): string {
  const parts: string[] = [];
  for (const node of nodes) write(node, parts);
  return parts.join('');
}

function write(node: Node, parts: string[]): void {
  if (typeof node === 'string') return void parts.push(node);
  const { tag, attributes, children } = node;
  let start = `<${tag}`;
  for (const [name, value] of attributes) start += ` ${name}="${value}"`;
  if (VOID_ELEMENTS.has(tag)) return void parts.push(`${start}/>`);
  parts.push(`${start}>`);
  for (const child of children) write(child, parts);
  parts.push(`</${tag}>`);
}

export function element(
  tag: string,
  attributes: readonly (readonly [string, string])[],
  children: readonly Node[] = [],
): Element {
  return { tag, attributes: attributes.length === 0 ? NO_ATTRIBUTES : new Map(attributes), children };
}

export const isBlank = (node: Node): boolean => typeof node === 'string' && !/[^ \t\r\n]/.test(node);

// EPUB Content Documents 3.2, https://www.w3.org/TR/epub-32/#sec-xhtml-content-docs

type Language = Pick<EbookMetadata, 'language' | 'direction'>;

export function xhtmlDocument(
  { language, direction }: Language,
  { title, body, type }: { readonly title: string; readonly body: string; readonly type?: string },
): string {
  const lang = escapeXml(language);
  const { untitled } = wordsOf({ language });
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${lang}" xml:lang="${lang}" dir="${direction}">
<head>
<title>${escapeXml(oneLine(title, untitled))}</title>
<link rel="stylesheet" type="text/css" href="style.css"/>
</head>
<body${type === undefined ? '' : ` epub:type="${type}"`}>
${body}
</body>
</html>
`;
}

export function coverDocument(book: EbookMetadata, { file }: EbookPicture): string {
  const alt = escapeXml(oneLine(book.title, wordsOf(book).cover));
  const body = `<div class="cover"><img src="${file}" alt="${alt}"/></div>`;
  return xhtmlDocument(book, { title: book.title, body, type: 'cover' });
}

export function titleDocument(book: EbookMetadata): string {
  const { title, authors, publisher, license } = book;
  const lines = [authors.join(' · '), publisher, license ?? ''].map((line) => oneLine(line, ''));
  const body = `<section epub:type="titlepage" class="titlepage">
<h1>${escapeXml(oneLine(title, wordsOf(book).untitled))}</h1>
${lines.flatMap((line) => (line === '' ? [] : [`<p>${escapeXml(line)}</p>`])).join('\n')}
</section>`;
  return xhtmlDocument(book, { title, body, type: 'frontmatter' });
}

const PROSE = /\.(?:txt|text|adoc|asciidoc|rst)$/i;

/**
 * Writes a text that is not Markdown. Prose becomes paragraphs that keep its line breaks; anything else becomes
 * preformatted text.
 */
export function plainXhtml(original: string, path: string): string {
  const text = original.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  if (!PROSE.test(path)) return `<pre>${escapeXml(text)}</pre>`;
  return text
    .split(/\n(?:[ \t]*\n)+/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p class="lines">${escapeXml(paragraph.replace(/^\n+|(?<!\s)\s+$/g, ''))}</p>\n`)
    .join('');
}

export const wordsOf = ({ language }: Pick<EbookMetadata, 'language'>): Words['bookText'] =>
  wordsIn(languageFor(language)).bookText;

/** Makes a text a single line, for elements that must not be empty: returns `otherwise` if nothing is left. */
export const oneLine = (text: string, otherwise: string): string =>
  text.replace(/\s+/g, ' ').trim() || otherwise;
