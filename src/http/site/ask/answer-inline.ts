import { escapeHtml } from '../../../markup/html-writer.ts';

/** A note's number as it is kept within an answer's text: no text of an answer holds this character. */
export const MARK = '\0';
const MARKER = /\0(\d+)\0/;

const RUN = /`+|\*+|_+/g;
/** Where emphasis may end: code is skipped, since its stars are its own. */
const ENDING = /`+([^`]*`+)?|\*+|_+/g;
const ELEMENTS = ['', 'em', 'strong', 'strong><em'] as const;
/** A letter or digit at which emphasis neither begins nor ends, as in `snake_case` and `2*3*4`; scripts without spaces are let through. */
const WORD = /^(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}])[\p{L}\p{N}]/u;
/** The longest emphasis or code within a line: so long it waits for its end. */
const LONGEST = 300;

/** A stretch of a line as HTML, and the end of it that waits for more: emphasis or code that is still open. */
type Inline = { readonly html: string; readonly rest: string };

/** Emphasis and code of a line, all else escaped. `before` is the character before it; `isEnd` says that the line ends with it. */
export function renderInline(text: string, before: string, isEnd: boolean): Inline {
  let html = '';
  let at = 0;
  for (;;) {
    RUN.lastIndex = at;
    const run = RUN.exec(text)?.[0];
    if (run === undefined) return { html: html + showText(text.slice(at)), rest: '' };
    const start = RUN.lastIndex - run.length;
    html += showText(text.slice(at, start));
    const [from, previous] = [start + run.length, text[start - 1] ?? before];
    const mayWait = !isEnd && text.length - start < LONGEST;
    if (from === text.length && mayWait) return { html, rest: text.slice(start) };
    const end = run.startsWith('`')
      ? endOfCode(text, run, from)
      : endOfEmphasis(text, run, previous, from, isEnd);
    // A run at the end may still grow, or turn out to be within a word.
    const isSure = isEnd || end + run.length < text.length;
    if ((end === WAITING || !isSure) && mayWait) return { html, rest: text.slice(start) };
    const isOpen = end === NEVER || end === WAITING;
    html += isOpen ? showText(run) : element(run, text.slice(from, end));
    at = isOpen ? from : end + run.length;
  }
}

/** Text escaped, its notes as links. */
export function showText(text: string): string {
  return text
    .split(MARKER)
    .map((part, index) => (index % 2 === 0 ? escapeHtml(part) : noteLink(part)))
    .join('');
}

const noteLink = (number: string): string =>
  `<sup><a href="#note-${number}" class="note">${number}</a></sup>`;

const NEVER = -1;
const WAITING = -2;

function endOfCode(text: string, run: string, from: number): number {
  RUN.lastIndex = from;
  for (let found = RUN.exec(text); found !== null; found = RUN.exec(text)) {
    if (found.index - from > LONGEST) return NEVER;
    if (found[0] === run) return found.index;
  }
  return WAITING;
}

function endOfEmphasis(text: string, run: string, previous: string, from: number, isEnd: boolean): number {
  const opens = !WORD.test(previous) && /^[^\s*_]/.test(text.slice(from, from + 1));
  if (!opens || run.length >= ELEMENTS.length) return NEVER;
  ENDING.lastIndex = from;
  for (let found = ENDING.exec(text); found !== null; found = ENDING.exec(text)) {
    if (found.index - from > LONGEST) return NEVER;
    // The code that begins here may still end.
    if (found[0].startsWith('`') && found[1] === undefined && !isEnd) return WAITING;
    const isAfterWords = !/\s/.test(text[found.index - 1] ?? '');
    if (found[0] === run && isAfterWords && !WORD.test(text.slice(ENDING.lastIndex))) return found.index;
  }
  return WAITING;
}

function element(run: string, inner: string): string {
  if (run.startsWith('`')) return `<code>${showText(inner.replace(/^ (?=.*\S)(.*) $/, '$1'))}</code>`;
  const name = ELEMENTS[run.length] ?? '';
  const { html } = renderInline(inner, run, true);
  return `<${name}>${html}</${name.split('><').toReversed().join('></')}>`;
}
