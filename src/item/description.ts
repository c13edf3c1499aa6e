import type { Manifest } from './item.ts';

const MOST = 300;

/** An item's description in one line of plain words, cut after 300 characters. */
export function summaryOf({ kind, description }: Manifest): string {
  const words = kind === 'book' ? withoutMarks(description) : description;
  const characters = [...words.replace(/\s+/g, ' ').trim()];
  return characters.length > MOST ? `${characters.slice(0, MOST).join('')}…` : characters.join('');
}

/** Markdown without the marks that descriptions have most: emphasis, code, links, headings, lists and quotations, and without its pictures. */
function withoutMarks(markdown: string): string {
  return markdown
    .replace(/^\s{0,3}(?:#{1,6}|[-*+>])\s+/gm, '')
    .replace(/!\[[^[\]]*\]\([^()]*\)/g, '')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/(\*\*|__|`)(?=\S)(.+?)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}])([*_])(?=\S)([^*_]+)\1(?![\p{L}\p{N}])/gu, '$2');
}
