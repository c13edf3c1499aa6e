import { gfm } from '@joplin/turndown-plugin-gfm';
import TurndownService from 'turndown';

/** The marks by which `writeHtml` names what HTML has no element for. */
export const NOTE_CALL = 'data-note-call';
export const NOTE = 'data-note';

/** Makes a converter of HTML to the Markdown that a stall renders. */
export function createMarkdownWriter(): (html: string) => string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
    blankReplacement: (_, node) => (isBlock(node) ? '\n\n' : ''),
  });
  service.use(gfm);
  service.keep(['sup', 'sub', 'kbd', 'mark']);
  const escape = service.escape.bind(service);
  service.escape = (text) => ESCAPES.reduce((escaped, [mark, by]) => escaped.replace(mark, by), escape(text));
  service.addRule('note call', {
    filter: (node) => node.nodeName === 'SPAN' && node.hasAttribute(NOTE_CALL),
    replacement: (_, node) => `[^${attributeOf(node, NOTE_CALL)}]`,
  });
  service.addRule('note', {
    filter: (node) => node.nodeName === 'DIV' && node.hasAttribute(NOTE),
    replacement: (content, node) => {
      const text = content.trim().replace(/\n(?=[^\n])/g, '\n    ');
      return `\n\n[^${attributeOf(node, NOTE)}]: ${text}\n\n`;
    },
  });
  return (html) => `${service.turndown(html).trim()}\n`;
}

/** Marks that the library leaves alive: HTML, named characters, and those of blocks that end with the text. */
const ESCAPES: readonly (readonly [mark: RegExp, by: string])[] = [
  [/</g, '\\<'],
  [/&(?=#?\w+;)/g, '\\&'],
  [/~(?=~)/g, '\\~'],
  [/^(#{1,6})(?=\s|$)/, '\\$1'],
  // Marks at the end of a heading would close it.
  [/(\s)(#+\s*)$/, '$1\\$2'],
  [/^\+(?=\s|$)/, '\\+'],
  [/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2'],
];

const attributeOf = (node: unknown, name: string): string =>
  (node as { getAttribute(name: string): string | null }).getAttribute(name) ?? '';

const isBlock = (node: unknown): boolean => (node as { isBlock?: boolean }).isBlock === true;
