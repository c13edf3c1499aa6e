import { escapeXml } from '../../platform/base/text.ts';
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
