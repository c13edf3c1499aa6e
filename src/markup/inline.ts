import type { Token } from 'markdown-it';
import type { ContentMap } from './content-map.ts';
import { writeEscape, writeForeignHtml, writeImage } from './foreign-html.ts';
import { linkAttributes } from './links.ts';
import type { Page } from './page.ts';
import type { Positioned } from './positions.ts';

/** A block's inline tokens, its content and where that comes from. */
type Inline = {
  readonly tokens: readonly Token[];
  readonly content: string;
  readonly map: ContentMap;
};

type Write = (token: Positioned, inline: Inline, page: Page) => boolean | void;

/** Tags that GFM 0.29 §6.11 shows as they are written: their text would go with them, and the rest of the paragraph. */
const FILTERED = /^<\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)[\s/>]/i;

/** How each inline token is written; false where some of its text has no place in the source. */
const WRITERS: Readonly<Record<string, Write>> = {
  text: ({ content: text, at }, inline, page) => writeText(text, at, text.length, inline, page),
  code_inline(token, inline, page) {
    page.writer.open('code');
    const isPlaced = writeCode(token, inline, page);
    page.writer.close();
    return isPlaced;
  },
  text_special: writeSpecial,
  softbreak: (_, __, { writer }) => writer.text('\n'),
  hardbreak(_, __, { writer }) {
    writer.put('br');
    writer.text('\n');
  },
  link_open({ attrs }, _, { writer, links }) {
    const { href = '', title } = Object.fromEntries(attrs ?? []) as Record<string, string>;
    const address = links.href(href);
    if (address === null || writer.isWithin('a')) writer.open('span');
    else writer.open('a', { ...linkAttributes(address), ...(title === undefined ? {} : { title }) });
  },
  link_close: (_, __, { writer }) => writer.close(),
  image({ attrs, children }, _, { writer, links }) {
    const { src = '', title } = Object.fromEntries(attrs ?? []) as Record<string, string>;
    const alt = plainText(children ?? []);
    writeImage(src, { alt, ...(title === undefined ? {} : { title }) }, writer, links);
  },
  html_inline({ content: html }, _, page) {
    if (FILTERED.test(html)) page.writer.text(html);
    else writeForeignHtml(html, [], page);
  },
  task({ info }, _, { writer }) {
    writer.open('span', { class: 'task', role: 'img', 'aria-label': info === '' ? 'To do' : 'Done' });
    writer.text(info === '' ? '☐' : '☑');
    writer.close();
  },
  footnote_ref({ meta }, _, { writer, anchors }) {
    const { id, subId } = meta as { id: number; subId: number };
    const name = noteName(id, subId);
    writer.open('sup');
    writer.open(
      'a',
      anchors ? { href: `#fn:${id + 1}`, id: `fnref:${name}`, class: 'note' } : { class: 'note' },
    );
    writer.text(String(id + 1));
    writer.close();
    writer.close();
  },
  footnote_anchor({ meta }, _, { writer, anchors }) {
    const { id, subId } = meta as { id: number; subId: number };
    if (!anchors) return;
    writer.text(' ');
    writer.open('a', {
      href: `#fnref:${noteName(id, subId)}`,
      class: 'back',
      'aria-label': 'Back to the text',
    });
    writer.text('↩\ufe0e');
    writer.close();
  },
};

/** The name of a reference to note number `id`, the first of which has no number of its own. */
function noteName(id: number, subId: number): string {
  return subId > 0 ? `${id + 1}:${subId + 1}` : String(id + 1);
}

/** Writes a block's inline tokens. Whether all its text has a place in the source. */
export function writeInline(inline: Inline, page: Page): boolean {
  let isPlaced = true;
  for (const token of inline.tokens) {
    const write = WRITERS[token.type];
    if (write !== undefined) isPlaced = write(token, inline, page) !== false && isPlaced;
    else if (token.nesting > 0) page.writer.open(token.tag);
    else if (token.nesting < 0) page.writer.close();
  }
  return isPlaced;
}

/** Writes `text` at its place `at`, if the content holds it there. */
function writeText(
  text: string,
  at: number | undefined,
  length: number,
  { content, map }: Inline,
  { writer }: Page,
): boolean {
  const isThere = at !== undefined && content.slice(at, at + length).replaceAll('\n', ' ') === text;
  if (isThere) return writer.content(content, map, at, at + length, text);
  writer.text(text);
  return !/\S/.test(text);
}

/** Of an escape the character itself has a place; an entity is shown whole or not at all. */
function writeSpecial({ content: text, markup, at = -1 }: Positioned, inline: Inline, page: Page): boolean {
  const start = at + markup.length - text.length;
  if (markup.endsWith(text)) return writeText(text, start, text.length, inline, page);
  return writeEscape({ text, at, length: markup.length }, inline.map, page.writer);
}

/** A code span's text begins after its backticks, and after one space where there is one at both ends. */
function writeCode({ content: code, markup, at = -1 }: Positioned, inline: Inline, page: Page): boolean {
  const start = at + markup.length;
  const isPadded = !inline.content.slice(start, start + code.length + markup.length).endsWith(markup);
  return writeText(code, isPadded ? start + 1 : start, code.length, inline, page);
}

/** The words of inline tokens, without markup. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content, children }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' ';
      if (type === 'html_inline') return '';
      return children === null ? content : plainText(children);
    })
    .join('');
}
