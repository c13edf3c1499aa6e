import type { Token } from 'markdown-it';
import { ALERTS } from '../../words/alert.ts';
import {
  type ContentMap,
  mapHeading,
  mapLines,
  type Piece,
  placeOf,
  type Positioned,
} from './content-map.ts';
import { CLOSING } from './formula.ts';
import { shifted, writeEscape, writeForeignHtml, writeImage } from './foreign-html.ts';
import { highlight, languageOf } from './plain-text.ts';
import { linkAttributes, type Page } from './rendered.ts';
import type { Attributes, HtmlWriter } from './html-writer.ts';

type Walk = { block: Token | null; lines: readonly [number, number]; cells: readonly Cell[] };

/** Writes a block that contains no other blocks. Returns whether the offsets in the source are known for all its text. */
type Write = (token: Token, page: Page, walk: Walk) => boolean;

/** Blocks around which a frame is drawn if a passage in them cannot be marked itself. */
const FRAMED = new Set(
  'paragraph_open heading_open blockquote_open alert_open bullet_list_open ordered_list_open table_open fence code_block formula_block'.split(
    ' ',
  ),
);

export function writeBlocks(tokens: readonly Token[], page: Page): void {
  const walk: Walk = { block: null, lines: [0, 0], cells: [] };
  const ends: (() => void)[] = [];
  tokens.forEach((token, n) => {
    if (token.nesting < 0) return ends.pop()?.();
    if (token.map !== null) walk.lines = token.map;
    if (token.type === 'tr_open') walk.cells = cellsOf(token, page);
    const endFrame = FRAMED.has(token.type) ? page.writer.beginBlock(...offsetsOf(walk, page)) : nothing;
    if (token.nesting > 0) {
      walk.block = token;
      const endElement = beginBlock(token, page, tokens[n + 1]);
      ends.push(() => {
        endElement();
        endFrame();
      });
    } else {
      if (WRITERS[token.type]?.(token, page, walk) === false) page.writer.loseTrack(...offsetsOf(walk, page));
      endFrame();
    }
  });
}

const nothing = (): void => {};

function offsetsOf({ lines: [first, end] }: Walk, { source }: Page): [number, number] {
  const last = Math.max(first, end - 1);
  return [source.lines[first]?.start ?? 0, source.lines[last]?.end ?? source.original.length];
}

/**
 * Returns the cells of a table row with their offsets in the source. The parser knows where the row lies in its own copy
 * of the line; counted from the line's end, it is the same place in the source.
 */
function cellsOf({ map, at, end }: Positioned, { source: { lines, original } }: Page): readonly Cell[] {
  const line = lines[map?.[0] ?? -1];
  if (line === undefined || at === undefined || end === undefined) return [];
  return splitRow(original, line.end - (end - at), line.end);
}

const WRITERS: Readonly<Record<string, Write>> = {
  inline: ({ content, children, map }, page, walk) =>
    writeInline({ tokens: children ?? [], content, map: mapOf(content, map !== null, page, walk) }, page),
  fence: ({ content, info }, page, { lines }) => writeCodeBlock(content, info, lines[0] + 1, page),
  code_block: ({ content }, page, { lines }) => writeCodeBlock(content, '', lines[0], page),
  formula_block: writeFormulaBlock,
  html_block: ({ content }, page, { lines }) =>
    writeForeignHtml(content, mapLines(content, page.source, lines[0]), page),
  hr(_, { writer }) {
    writer.put('hr');
    writer.text('\n');
    return true;
  },
  footnote_anchor: (token, page) => writeInline({ tokens: [token], content: '', map: [] }, page),
};

function mapOf(content: string, hasLines: boolean, { source }: Page, walk: Walk): ContentMap {
  if (hasLines) {
    const isMarked = walk.block?.type === 'heading_open' && walk.block.markup.startsWith('#');
    return (isMarked ? mapHeading : mapLines)(content, source, walk.lines[0]);
  }
  const [cell, ...rest] = walk.cells;
  walk.cells = rest;
  return cell?.content === content ? cell.map : [];
}

function writeCodeBlock(content: string, info: string, firstLine: number, { writer, source, words }: Page) {
  const language = languageOf(info);
  // A wide code block scrolls, so the keyboard must be able to reach it.
  writer.open('pre', { tabindex: '0', role: 'group', 'aria-label': words.code });
  writer.open('code', language === null ? {} : { class: `language-${language}` });
  const map = mapLines(content, source, firstLine);
  let isPlaced = true;
  highlight(content, language, writer, (from, to) => {
    isPlaced = writer.content(content, map, from, to) && isPlaced;
  });
  writer.close();
  writer.close();
  writer.text('\n');
  return isPlaced;
}

function writeFormulaBlock(token: Token, page: Page, { lines: [first, end] }: Walk): boolean {
  const { writer, source, words } = page;
  const line = source.lines[first];
  const last = source.lines[end - 1];
  const read = page.readFormula(token);
  const start = source.original.indexOf(token.markup, line?.start);
  if ('reason' in read || line === undefined || last === undefined) {
    const written =
      token.tag === 'math' ? token.markup + token.content + CLOSING[token.markup]! : token.content;
    return writeCodeBlock(written, '', token.tag === 'math' ? first : first + 1, page);
  }
  writer.open('div', { class: 'scroll formula', role: 'group', 'aria-label': words.formula, tabindex: '0' });
  writer.markupFor(read.markup, start, source.original.slice(start, last.end).trimEnd().length);
  writer.close();
  writer.text('\n');
  return true;
}

/** A table cell's content, with `\|` as `|`, and its offsets in the source. */
type Cell = { readonly content: string; readonly map: ContentMap };

/** Splits a table row, from `start` to `end` of a text, into cells (GFM 0.29 §4.10). */
function splitRow(text: string, start: number, end: number): readonly Cell[] {
  const cells: Cell[] = [];
  const [first, last] = trimmed(text, start, end);
  let from = first;
  for (let at = first; at <= last; at++) {
    if (at < last && (text[at] !== '|' || (text[at - 1] === '\\' && at > first))) continue;
    cells.push(readCell(text, from, at));
    from = at + 1;
  }
  if (text[first] === '|') cells.shift();
  if (cells.at(-1)?.content === '') cells.pop();
  return cells;
}

function trimmed(text: string, start: number, end: number): readonly [number, number] {
  const part = text.slice(start, end);
  const from = end - part.trimStart().length;
  return [from, Math.max(from, start + part.trimEnd().length)];
}

function readCell(text: string, start: number, end: number): Cell {
  const [from, to] = trimmed(text, start, end);
  const map: Piece[] = [];
  let content = '';
  for (const part of text.slice(from, to).split(/\\(?=\|)/)) {
    const before = map.at(-1);
    const source = before === undefined ? from : before.source + before.length + 1;
    map.push({ at: content.length, length: part.length, source });
    content += part;
  }
  return { content, map };
}

type Begin = (token: Token, page: Page, next: Token | undefined) => () => void;

const BEGINNINGS: Readonly<Record<string, Begin>> = {
  heading_open({ tag }, { writer, ids, shift, anchors, headings }, next) {
    const own = shifted(tag, shift);
    if (!anchors) return begin(writer, [own]);
    const title = plainText(next?.children ?? []).trim();
    const id = ids.forHeading(title);
    headings.push({ level: Number(own.slice(1)), id, title });
    writer.open(own, { id });
    return () => {
      writer.text(' ');
      writer.open('a', {
        class: 'anchor',
        href: `#${encodeURIComponent(id)}`,
        // Hides the link from screen readers, which would otherwise read it as part of each heading.
        'aria-hidden': 'true',
        tabindex: '-1',
      });
      writer.close();
      writer.close();
      writer.text('\n');
    };
  },
  paragraph_open: ({ hidden }, { writer }) => (hidden ? () => {} : begin(writer, ['p'])),
  ordered_list_open({ attrs }, { writer }) {
    const start = attrs?.find(([name]) => name === 'start')?.[1];
    return begin(writer, ['ol', start === undefined ? {} : { start: String(start) }]);
  },
  table_open: (_, { writer, words }) =>
    begin(
      writer,
      ['div', { class: 'scroll', role: 'group', 'aria-label': words.table, tabindex: '0' }],
      ['table'],
    ),
  th_open: ({ attrs }, { writer }) => begin(writer, ['th', { scope: 'col', ...alignment(attrs) }]),
  td_open: ({ attrs }, { writer }) => begin(writer, ['td', alignment(attrs)]),
  alert_open({ info }, { writer, words }) {
    const end = begin(writer, ['aside', { class: `alert ${info}`, role: 'note' }]);
    writer.open('p', { class: 'alert-title' });
    writer.text(words[ALERTS.find((kind) => kind === info)!]);
    writer.close();
    return end;
  },
  footnote_block_open: (_, { writer, words }) =>
    begin(writer, ['section', { class: 'notes', role: 'doc-endnotes', 'aria-label': words.notes }], ['ol']),
  footnote_open: ({ meta }, { writer, anchors }) =>
    begin(writer, ['li', anchors ? { id: `fn:${Number(meta?.id) + 1}` } : {}]),
};

const beginBlock: Begin = (token, page, next) =>
  (BEGINNINGS[token.type] ?? (({ tag }, { writer }) => begin(writer, [tag])))(token, page, next);

function begin(
  writer: HtmlWriter,
  ...elements: readonly (readonly [tag: string, attributes?: Attributes])[]
): () => void {
  for (const [tag, attributes] of elements) writer.open(tag, attributes);
  return () => {
    for (const _ of elements) writer.close();
    writer.text('\n');
  };
}

function alignment(attrs: Token['attrs']): Attributes {
  const side = /text-align:(left|right|center)/.exec(String(attrs?.[0]?.[1]))?.[1];
  return side === undefined ? {} : { class: side };
}

/** The inline tokens of a block, with the text that they were parsed from and that text's offsets in the source. */
type Inline = { readonly tokens: readonly Token[]; readonly content: string; readonly map: ContentMap };

type WriteInline = (token: Positioned, inline: Inline, page: Page) => boolean | void;

/** Matches the tags that GFM 0.29 §6.11 shows as text. As elements they would hide the rest of the paragraph. */
const FILTERED = /^<\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)[\s/>]/i;

/**
 * Writes an inline token, by its type. Each function returns whether the offsets in the source are known for all the
 * text it wrote.
 */
const INLINE_WRITERS: Readonly<Record<string, WriteInline>> = {
  text: ({ content: text, at }, inline, page) => writeText({ text, at, length: text.length }, inline, page),
  code_inline(token, inline, page) {
    page.writer.open('code');
    const isPlaced = writeCode(token, inline, page);
    page.writer.close();
    return isPlaced;
  },
  formula: writeFormula,
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
  task({ info }, _, { writer, words }) {
    writer.open('span', { class: 'task', role: 'img', 'aria-label': info === '' ? words.toDo : words.done });
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
  footnote_anchor({ meta }, _, { writer, anchors, words }) {
    const { id, subId } = meta as { id: number; subId: number };
    if (!anchors) return;
    writer.text(' ');
    writer.open('a', {
      href: `#fnref:${noteName(id, subId)}`,
      class: 'back',
      'aria-label': words.backToText,
    });
    writer.text('↩\ufe0e');
    writer.close();
  },
};

/**
 * Returns the name of a reference to a note, whose numbers count from 0: "3" for the first reference to the third note, "3:2"
 * for the second.
 */
const noteName = (id: number, subId: number): string =>
  subId > 0 ? `${id + 1}:${subId + 1}` : String(id + 1);

function writeInline(inline: Inline, page: Page): boolean {
  let isPlaced = true;
  for (const token of inline.tokens) {
    const write = INLINE_WRITERS[token.type];
    if (write !== undefined) isPlaced = write(token, inline, page) !== false && isPlaced;
    else if (token.nesting > 0) page.writer.open(token.tag);
    else if (token.nesting < 0) page.writer.close();
  }
  return isPlaced;
}

/**
 * Writes `text`, with its offsets in the source if the block's content really has it at `at`. Returns whether the
 * offsets are known, or the text is only white space.
 */
function writeText(
  { text, at, length }: { readonly text: string; readonly at?: number | undefined; readonly length: number },
  { content, map }: Inline,
  { writer }: Page,
): boolean {
  const isThere = at !== undefined && content.slice(at, at + length).replaceAll('\n', ' ') === text;
  if (isThere) return writer.content(content, map, at, at + length, text);
  writer.text(text);
  return !/\S/.test(text);
}

/**
 * Writes an escape with the source offset of its character, without the backslash, or an entity with that of the whole entity.
 */
function writeSpecial({ content: text, markup, at = -1 }: Positioned, inline: Inline, page: Page): boolean {
  const start = at + markup.length - text.length;
  if (markup.endsWith(text)) return writeText({ text, at: start, length: text.length }, inline, page);
  return writeEscape({ text, at, length: markup.length }, inline.map, page.writer);
}

/** Writes a code span's text. In the content it begins after the backticks, and after one space if both ends have one. */
function writeCode({ content: code, markup, at = -1 }: Positioned, inline: Inline, page: Page): boolean {
  const start = at + markup.length;
  const isPadded = !inline.content.slice(start, start + code.length + markup.length).endsWith(markup);
  const from = isPadded ? start + 1 : start;
  return writeText({ text: code, at: from, length: code.length }, inline, page);
}

/** Writes a formula, which can only be marked as a whole. If it cannot be read, its source is written as code. */
function writeFormula(token: Positioned, { content, map }: Inline, page: Page): boolean {
  const { writer } = page;
  const { at = -1, markup: mark } = token;
  const end = at + token.content.length + 2 * mark.length;
  const read = page.readFormula(token);
  const [from, to] = [placeOf(map, at, 1), placeOf(map, end - 1, 1)];
  if ('markup' in read && from !== null && to !== null) {
    writer.markupFor(read.markup, from, to + 1 - from);
    return true;
  }
  writer.open('code');
  const isPlaced = writer.content(content, map, at, end);
  writer.close();
  return isPlaced;
}

export const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map(({ type, content, children }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' ';
      if (type === 'html_inline') return '';
      return children === null ? content : plainText(children);
    })
    .join('');
