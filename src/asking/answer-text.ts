import type { AskEvent, Citation } from './answer.ts';
import { createStatementGate, UNTIED } from './statement-gate.ts';
import { escapeHtml } from '../reading/markup/html-writer.ts';
import type { Words } from '../words/words.ts';
import { directionOf } from '../platform/base/direction.ts';

type Chunk = Pick<Extract<AskEvent, { type: 'chunk' }>, 'text' | 'citation' | 'isPlain'>;

/**
 * Creates a converter of an answer's chunks into HTML. A citation becomes a small number, a link to `addressOf(citation)` that
 * opens another tab, since the page with the answer cannot be loaded again. A chunk with `isPlain` becomes a warning that the
 * answer is weak. With a `question`, each statement is held back until it ends, and shown in a quieter tone if no quote stands
 * beside it.
 */
export function createAnswerText(
  words: Words,
  addressOf: (citation: Citation) => string,
  question: string | null = null,
) {
  const { answer } = words.reading;
  const markdown = createAnswerMarkdown(answer.code);
  const addresses = new Map<string, string>();
  const gate = question === null ? null : createStatementGate(question, markOf);
  const quieter = createQuieter();
  // All text has been escaped, so only links of citations can look like this.
  const linked = (html: string): string =>
    quieter(html).replace(
      /href="#note-(\d+)" class="note"/g,
      (_, n: string) =>
        `href="${escapeHtml(addresses.get(n) ?? '')}" target="_blank" class="note" aria-label="${escapeHtml(answer.passage({ number: Number(n) }))}"`,
    );
  const end = (): string => linked(markdown.push(gate?.end() ?? '') + markdown.end());
  return {
    push({ text, citation, isPlain }: Chunk): string {
      if (isPlain === true) return `${end()}${ownLine(words, answer.weak, 'doubtful')}`;
      if (citation !== undefined) addresses.set(String(citation.n), addressOf(citation));
      const clean = text.replaceAll(MARK, '\ufffd').replace(/[\ue000\ue001]/g, '\ufffd');
      if (gate !== null) return linked(markdown.push(gate.push(clean, citation)));
      return linked(markdown.push(citation === undefined ? clean : markOf(citation.n)));
    },
    end,
  };
}

/** Creates a function that wraps the words between two signs of `UNTIED` in spans; its calls may get the signs separately. */
function createQuieter() {
  let isUntied = false;
  return (html: string): string =>
    html
      .split(/(?=[<\ue000\ue001])|(?<=[>\ue000\ue001])/)
      .map((part) => {
        if (part === UNTIED.open || part === UNTIED.close) {
          isUntied = part === UNTIED.open;
          return '';
        }
        return isUntied && part.trim() !== '' && !part.startsWith('<')
          ? `<span class="untied">${part}</span>`
          : part;
      })
      .join('');
}

/** Writes a sentence of the program as HTML, marked with its language, which may differ from that of the book around it. */
export function ownLine({ language }: Words, sentence: string, className = ''): string {
  const [of, dir] = [className === '' ? '' : ` class="${className}"`, directionOf(language)];
  return `<p${of} lang="${language}" dir="${dir}">${escapeHtml(sentence)}</p>`;
}

const FENCE = /^( *)(`{3,})[^`\n]*\n/;
const ITEM = /^( *)(?:[-*+]|(\d{1,9})[.)])[ \t]+(?=\S)/;
const BLANK = /^[ \t]*\n/;
/** Matches an incomplete line that may still become a blank line, a code fence or a list item. */
const UNDECIDED = /^ *(?:[-*+][ \t]*|\d{1,9}(?:[.)][ \t]*)?|`{1,2}|`{3,}[^`\n]*)?$/;
const LONGEST_WAITING = 200;
/** The maximum depth of nested lists; items of deeper lists join the deepest. */
const DEEPEST = 6;

const isUndecided = (text: string): boolean => text.length < LONGEST_WAITING && UNDECIDED.test(text);

type List = { readonly tag: 'ul' | 'ol'; readonly indent: number };

/**
 * Turns a model's answer from Markdown into HTML while it arrives: paragraphs, emphasis, lists and code; all else stays text,
 * which is escaped. Holds markup back until its end has arrived. `code` is the label of code blocks.
 */
function createAnswerMarkdown(code: string) {
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
    // Closes the lists that are indented more than one column further than the item, except the outermost.
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

  /** Decides the kind of a line and writes its opening tags; returns false if more characters are needed. */
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
      html += `<pre tabindex="0" role="group" aria-label="${escapeHtml(code)}"><code>`;
    } else if (item !== null) beginItem(indent, item[2]);
    else beginText(indent);
    pending = pending.slice((blank ?? opened?.[0] ?? item?.[0] ?? ' '.repeat(indent)).length);
    if (blank !== undefined || opened !== null) return true;
    [isLineStart, isAfterBlank, before] = [false, false, ''];
    return true;
  };

  /** Writes a line of code, or ends the code block; returns false if the line is not complete yet. */
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
    // Writes citations that stand behind the closing fence after the code.
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
  const written = (isEnd: boolean): string => {
    while (pending !== '' && step(isEnd));
    if (isEnd && fence !== '') html += '</code></pre>';
    if (isEnd) {
      endBlocks();
      [fence, isLineStart, isAfterBlank] = ['', true, false];
    }
    const shown = html;
    html = '';
    return shown;
  };

  return {
    /**
     * Adds the next piece of the answer, in which the number of each citation is enclosed in two `MARK` characters. Returns the
     * new HTML, without markup whose end has not arrived yet.
     */
    push(text: string): string {
      pending += text;
      return written(false);
    },
    end: (): string => written(true),
  };
}

/** The character on both sides of a citation's number in an answer's text; `push` replaces it elsewhere. */
const MARK = '\0';
const markOf = (n: number): string => `${MARK}${n}${MARK}`;
const MARKER = /\0(\d+)\0/;

const RUN = /`+|\*+|_+/g;
/** Matches stars and underscores that may end emphasis, and whole code spans, to skip the stars in them. */
const ENDING = /`+([^`]*`+)?|\*+|_+/g;
const ELEMENTS = ['', 'em', 'strong', 'strong><em'] as const;
/**
 * Matches a letter or digit beside which `*` and `_` are no emphasis, as in `snake_case`, but no Chinese, Japanese, Korean or
 * Thai letter: emphasis often touches these.
 */
const WORD = /^(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}])[\p{L}\p{N}]/u;
/** The maximum length, in UTF-16 units, of emphasis or code within a line. Longer markup stays plain text. */
const LONGEST_MARKED = 300;

/** A part of a line as HTML. `rest` is the text after it, held back because emphasis or code in it may not be complete. */
type Inline = { readonly html: string; readonly rest: string };

/**
 * Renders the emphasis and code of a line, and escapes its other text. `before` is the character before `text`; `isEnd` says
 * that nothing more of the line comes.
 */
function renderInline(text: string, before: string, isEnd: boolean): Inline {
  let html = '';
  let at = 0;
  for (;;) {
    RUN.lastIndex = at;
    const run = RUN.exec(text)?.[0];
    if (run === undefined) return { html: html + showText(text.slice(at)), rest: '' };
    const start = RUN.lastIndex - run.length;
    html += showText(text.slice(at, start));
    const [from, previous] = [start + run.length, text[start - 1] ?? before];
    const mayWait = !isEnd && text.length - start < LONGEST_MARKED;
    if (from === text.length && mayWait) return { html, rest: text.slice(start) };
    const end = opens(run, previous, text.slice(from, from + 1)) ? endOf(text, run, from, isEnd) : NEVER;
    // Another star or a letter may follow stars at the end of the text: then they do not end emphasis.
    const isSure = isEnd || end + run.length < text.length;
    if ((end === WAITING || !isSure) && mayWait) return { html, rest: text.slice(start) };
    const isOpen = end === NEVER || end === WAITING;
    html += isOpen ? showText(run) : element(run, text.slice(from, end));
    at = isOpen ? from : end + run.length;
  }
}

const showText = (text: string): string =>
  text
    .split(MARKER)
    .map((part, index) => (index % 2 === 0 ? escapeHtml(part) : noteLink(part)))
    .join('');

const noteLink = (number: string): string =>
  `<sup><a href="#note-${number}" class="note">${number}</a></sup>`;

const NEVER = -1;
const WAITING = -2;

const opens = (run: string, previous: string, next: string): boolean =>
  run.startsWith('`') || (run.length < ELEMENTS.length && !WORD.test(previous) && /^[^\s*_]/.test(next));

/**
 * Returns the offset of the end of the code or emphasis that `run` begins before `from`: NEVER if the end is too far away,
 * WAITING if `text` does not have it yet.
 */
function endOf(text: string, run: string, from: number, isEnd: boolean): number {
  const isCode = run.startsWith('`');
  const ending = isCode ? RUN : ENDING;
  ending.lastIndex = from;
  for (let found = ending.exec(text); found !== null; found = ending.exec(text)) {
    if (found.index - from > LONGEST_MARKED) return NEVER;
    // A code span may begin here, and stars in it would be code.
    if (!isCode && found[0].startsWith('`') && found[1] === undefined && !isEnd) return WAITING;
    const endsWords = !/\s/.test(text[found.index - 1] ?? '') && !WORD.test(text.slice(ending.lastIndex));
    if (found[0] === run && (isCode || endsWords)) return found.index;
  }
  return WAITING;
}

function element(run: string, inner: string): string {
  if (run.startsWith('`')) return `<code>${showText(inner.replace(/^ (?=.*\S)(.*) $/, '$1'))}</code>`;
  const name = ELEMENTS[run.length] ?? '';
  const { html } = renderInline(inner, run, true);
  return `<${name}>${html}</${name.split('><').toReversed().join('></')}>`;
}
