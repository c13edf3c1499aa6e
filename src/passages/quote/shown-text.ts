import { closesFence, opensFence } from '../text/fence.ts';
import { maskMarkup } from '../text/markup.ts';
import { hideMarkup } from './quote-markup.ts';

const BULLET = /^[ \t]*[-*+•][ \t]+/;
const NUMBER = /^[ \t]*\d{1,3}[.)][ \t]/;
const QUOTATION = /^[ \t]{0,3}(?:>[ \t]?)+/;
const HEADING = /^ {0,3}#{1,6}[ \t]+/;
const TABLE_ROW = /^[ \t]*\|(?=.*\|)/;
const TABLE_RULE = /^(?=.*--)[ \t:|-]+$/;
const LINK = /!?\[([^[\]]{0,300})\](?:\([^()\s]{0,2000}(?:\s+"[^"]{0,500}")?\)|\[[^[\]]{0,200}\])/g;
const LINK_END = /\](?:\([^()\s]{0,2000}\))/g;
const HIDDEN = /\u00ad/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
};

/**
 * A slice of a Markdown text as a reader sees it: without marks, tags and link targets, each paragraph on one line, list
 * items and code on lines of their own. `isCode` is for a slice within code, which stays as it is.
 */
export function shownText(slice: string, isCode = false): string {
  if (isCode) return slice;
  const lines: string[] = [];
  let fence = '';
  let paragraph = '';
  const endParagraph = (): void => {
    if (paragraph.trim() !== '') lines.push(shownInline(paragraph));
    paragraph = '';
  };
  for (const line of slice.split(/\r\n|[\n\r]/)) {
    const opened = opensFence(line);
    if (fence !== '' ? closesFence(line, fence) : opened !== '') {
      endParagraph();
      fence = fence === '' ? opened : '';
    } else if (fence !== '') lines.push(line);
    else if (TABLE_ROW.test(line)) {
      endParagraph();
      if (!TABLE_RULE.test(line)) lines.push(shownInline(cellsOf(line).join(' · ')));
    } else {
      const text = line.replace(QUOTATION, '').replace(HEADING, '');
      if (text.trim() === '' || BULLET.test(text) || NUMBER.test(text)) endParagraph();
      paragraph += `${text.replace(BULLET, lines.length > 0 ? '- ' : '')} `;
    }
  }
  endParagraph();
  return lines.join('\n');
}

function shownInline(text: string): string {
  // A slice may begin or end within a link.
  const linked = text.replace(LINK, '$1').replace(LINK_END, '');
  const closed = linked.lastIndexOf(']') + 1;
  const [, bullet = '', rest = ''] = /^(- )?(.*)$/s.exec(
    linked.slice(0, closed) + linked.slice(closed).replaceAll('[', ''),
  )!;
  const shown = maskMarkup(
    hideMarkup(rest)
      .replace(HIDDEN, '')
      .replace(/&[#a-z\d]{2,6};/gi, decode),
  );
  return bullet + shown.replace(/\s+/g, ' ').trim();
}

// Behind a mask `<` and `&` would be markup again.
function decode(entity: string): string {
  return ENTITIES[entity.toLowerCase()] ?? entity;
}

function cellsOf(row: string): readonly string[] {
  return row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');
}
