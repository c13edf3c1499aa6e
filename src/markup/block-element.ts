import type { Token } from 'markdown-it';
import { shifted } from './foreign-html.ts';
import type { Attributes, HtmlWriter } from './html-writer.ts';
import { plainText } from './inline.ts';
import type { Page } from './page.ts';

/** Begins a block's element, and gives back what ends it; `next` is the token after `token`. */
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
        'aria-label': 'Link to this heading',
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
  // A table wider than the page is scrolled, and must be reached by the keyboard for it.
  table_open: (_, { writer }) =>
    begin(
      writer,
      ['div', { class: 'scroll', role: 'group', 'aria-label': 'Table', tabindex: '0' }],
      ['table'],
    ),
  th_open: ({ attrs }, { writer }) => begin(writer, ['th', { scope: 'col', ...alignment(attrs) }]),
  td_open: ({ attrs }, { writer }) => begin(writer, ['td', alignment(attrs)]),
  footnote_block_open: (_, { writer }) =>
    begin(writer, ['section', { class: 'notes', role: 'doc-endnotes', 'aria-label': 'Notes' }], ['ol']),
  footnote_open: ({ meta }, { writer, anchors }) =>
    begin(writer, ['li', anchors ? { id: `fn:${Number(meta?.id) + 1}` } : {}]),
};

/** Begins the element of a block that holds others, or text; to be called where it ends. */
export const beginBlock: Begin = (token, page, next) =>
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
