import { renderInline, showText } from './answer-inline.ts';

const FENCE = /^( *)(`{3,})[^`\n]*\n/;
const ITEM = /^( *)(?:[-*+]|(\d{1,9})[.)])[ \t]+(?=\S)/;
const BLANK = /^[ \t]*\n/;
/** The beginning of a line that may still turn out to be one of these. */
const UNDECIDED = /^ *(?:[-*+][ \t]*|\d{1,9}(?:[.)][ \t]*)?|`{1,2}|`{3,}[^`\n]*)?$/;
/** The longest such beginning. */
const LONGEST = 200;
/** Lists within lists; deeper ones go on in the last. */
const DEEPEST = 6;

const isUndecided = (text: string): boolean => text.length < LONGEST && UNDECIDED.test(text);

type List = { readonly tag: 'ul' | 'ol'; readonly indent: number };

/**
 * A model's answer as HTML, while it comes: paragraphs, emphasis, lists and code of its Markdown, and nothing else of it.
 * All text is escaped first, and whatever is open is held back until it is known what it is.
 */
export function createAnswerMarkdown() {
  let pending = '';
  let before = '';
  let fence = '';
  let isLineStart = true;
  let isAfterBlank = false;
  let isParagraph = false;
  let lists: List[] = [];
  let html = '';

  const endParagraph = (): void => {
    if (isParagraph) html += '</p>';
    isParagraph = false;
  };
  const endLists = (depth: number): void => {
    for (const { tag } of lists.slice(depth).toReversed()) html += `</li></${tag}>`;
    lists = lists.slice(0, depth);
  };
  const endBlocks = (): void => {
    endParagraph();
    endLists(0);
  };
  const beginItem = (indent: number, number: string | undefined): void => {
    endParagraph();
    const tag = number === undefined ? 'ul' : 'ol';
    // An item belongs to the deepest list that is not further in, or begins one that is.
    const known = lists.filter((list) => list.indent <= indent + 1).length;
    endLists(Math.max(known, Math.min(1, lists.length)));
    const open = lists.at(-1);
    const isWithin = open === undefined || (indent >= open.indent + 2 && lists.length < DEEPEST);
    if (!isWithin && open.tag === tag) html += '</li><li>';
    else {
      if (!isWithin) endLists(lists.length - 1);
      html += `<${tag}${number === undefined ? '' : ` start="${Number(number)}"`}><li>`;
      lists.push({ tag, indent });
    }
  };
  const beginText = (indent: number): void => {
    if (isAfterBlank && indent < 2) endBlocks();
    if (isParagraph || lists.length > 0) html += isAfterBlank ? '\n\n' : '\n';
    else {
      html += '<p>';
      isParagraph = true;
    }
  };

  /** Decides what a line is; false if that is not known yet. */
  const beginLine = (isEnd: boolean): boolean => {
    const [blank] = BLANK.exec(pending) ?? [];
    const opened = FENCE.exec(pending);
    const item = ITEM.exec(pending);
    if (blank === undefined && opened === null && item === null && !isEnd && isUndecided(pending))
      return false;
    const indent = /^ */.exec(pending)?.[0].length ?? 0;
    if (blank !== undefined) isAfterBlank = true;
    else if (opened !== null) {
      endParagraph();
      if (isAfterBlank && indent < 2) endLists(0);
      fence = opened[2] ?? '';
      html += '<pre tabindex="0" role="group" aria-label="Code"><code>';
    } else if (item !== null) beginItem(indent, item[2]);
    else beginText(indent);
    pending = pending.slice((blank ?? opened?.[0] ?? item?.[0] ?? ' '.repeat(indent)).length);
    if (blank !== undefined || opened !== null) return true;
    [isLineStart, isAfterBlank, before] = [false, false, ''];
    return true;
  };

  /** A line of code, whole; false if its end has not come. */
  const codeLine = (isEnd: boolean): boolean => {
    const end = pending.indexOf('\n');
    if (end === -1 && !isEnd) return false;
    const line = end === -1 ? pending : pending.slice(0, end);
    const rest = end === -1 ? '' : pending.slice(end + 1);
    const closed = /^ *(`{3,})[ \t]*(?:((?:\0\d+\0)+)[ \t]*)?$/.exec(line);
    if (closed === null || (closed[1] ?? '').length < fence.length) {
      html += `${showText(line)}\n`;
      pending = rest;
      return true;
    }
    fence = '';
    html += '</code></pre>';
    // Notes of the code's words are written after it.
    pending = closed[2] === undefined ? rest : `${closed[2]}\n${rest}`;
    isAfterBlank = true;
    return true;
  };

  const lineText = (isEnd: boolean): boolean => {
    const end = pending.indexOf('\n');
    const line = end === -1 ? pending : pending.slice(0, end);
    const shown = renderInline(line, before, isEnd || end !== -1);
    html += shown.html;
    before = line.slice(0, line.length - shown.rest.length).at(-1) ?? before;
    pending = end === -1 ? shown.rest : pending.slice(end + 1);
    isLineStart = end !== -1;
    return isLineStart;
  };

  const step = (isEnd: boolean): boolean => {
    if (fence !== '') return codeLine(isEnd);
    return isLineStart ? beginLine(isEnd) : lineText(isEnd);
  };
  const flush = (isEnd: boolean): string => {
    while (pending !== '' && step(isEnd));
    const written = html;
    html = '';
    return written;
  };
  const endAll = (): string => {
    const last = flush(true);
    const code = fence === '' ? '' : '</code></pre>';
    fence = '';
    endBlocks();
    [isLineStart, isAfterBlank] = [true, false];
    const ends = html;
    html = '';
    return last + code + ends;
  };

  return {
    /** A piece of the answer, with notes between MARKs. */
    push(text: string): string {
      pending += text;
      return flush(false);
    },
    /** What is still held or open. */
    end: endAll,
  };
}
