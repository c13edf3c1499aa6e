import { closesFence, hideAttributes, maskMarkup, opensFence, PICTURE } from './block.rule.ts';
import { UNSPACED } from './sentence.rule.ts';

const BULLET = /^[ \t]*[-*+•][ \t]+/;
const NUMBER = /^[ \t]*\d{1,3}[.)][ \t]/;
const CLOSING_NUMBER = /^[ \t]*(?!1\))\d{1,3}\)/;
const QUOTATION = /^[ \t]{0,3}(?:>[ \t]?)+/;
const HEADING = /^ {0,3}#{1,6}[ \t]+/;
const TABLE_ROW = /^[ \t]*\|(?=.*\|)/;
const TABLE_RULE = /^(?=.*--)[ \t:|-]+$/;
const TEXT = '\\[((?:\\\\.|[^[\\]\\\\]){0,300}|\\[[^[\\]]{0,300}\\])';
const LINK = new RegExp(
  `${TEXT}\\](?:\\( ?[^()\\s]{0,2000}(?:\\s+"[^"]{0,500}")?\\)|\\[[^[\\]]{0,200}\\])`,
  'g',
);
const LINK_END = /\](?:\( ?[^()\s]{0,2000}\)|\[[^[\]]{0,200}\])/g;
const ADDRESS = /<((?:https?|mailto):[^\s<>]{1,2000})>/g;
const PICTURES = new RegExp(PICTURE, 'g');
const HIDDEN = /\u00ad/g;
const CODE_SPAN = /(?<!`)(`{1,3})(?!`)(.{1,400}?)(?<!`)\1(?!`)/g;
/** The length of the excerpt that is shown of a passage that was found, in UTF-16 units. */
export const SNIPPET = 300;

export const FORMULA =
  /(?<![\w\\$])\$(?![\s$])[^$`]{1,400}(?<![\s\\])\$(?![\d$])|\$\$[^$]{1,2000}\$\$|\\\(.{1,400}?\\\)|\\\[[^[\]]{0,1000}[\^_={][^[\]]{0,1000}\\\]/g;
// Placeholders for code and formulas: two noncharacters with a number between them. The code is put back after the marks around
// it were read.
const NONCHARACTERS = /[\ufffe\uffff]/g;
const HELD = /\ufffe(\d+)\uffff/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
};

/**
 * Returns a slice of a Markdown text as a reader sees it: without marks, tags and link targets, each paragraph on one line,
 * list items and code on their own lines. If `isCode`, the slice is from inside code and stays as it is.
 */
export function shownText(slice: string, isCode = false): string {
  if (isCode) return slice;
  const lines: string[] = [];
  let fence = '';
  let paragraph = '';
  const endParagraph = (): void => {
    const shown = shownInline(paragraph);
    if (/[^\s-]/.test(shown)) lines.push(shown);
    paragraph = '';
  };
  for (const line of hideAttributes(slice, () => '').split(/\r\n|[\n\r]/)) {
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
      if (text.trim() === '' || BULLET.test(text) || (NUMBER.test(text) && !endsBracket(paragraph, text)))
        endParagraph();
      paragraph += `${text.replace(BULLET, lines.length > 0 ? '- ' : '')} `;
    }
  }
  endParagraph();
  return lines.join('\n');
}

/** Shows a quotation as `shownText` does, and adds "…" if its sentence goes on. */
export function shownQuote(quote: string, isCode = false): string {
  const shown = shownText(quote, isCode);
  // Only for prose, since lines of code often end with such characters.
  const isProse = !isCode && !/^ {0,3}(?:```|~~~)/m.test(quote);
  return isProse && /[,;:]$/.test(shown) ? `${shown} …` : shown;
}

/**
 * Converts `exact` as `shownText` does, even if it begins or ends inside emphasis or code whose other mark is in `prefix` or
 * `suffix`.
 */
export function shownWithin(prefix: string, exact: string, suffix: string): string {
  const [within, alone] = [hideMarkup(prefix + exact + suffix).slice(prefix.length), hideMarkup(exact)];
  const isHalf = (at: number): boolean => within[at] === HIDDEN_MARKUP && alone[at] !== HIDDEN_MARKUP;
  return shownText(exact.replace(/[*_`]/g, (mark, at: number) => (isHalf(at) ? '' : mark)));
}

/** Reports whether a line begins with a number that ends a bracket instead of starting a list item: "(signs 295 or\n340)". */
const endsBracket = (paragraph: string, line: string): boolean =>
  CLOSING_NUMBER.test(line) && paragraph.lastIndexOf('(') > paragraph.lastIndexOf(')');

/**
 * Match a backtick that ends code, after a character and before a blank or the end of a clause; and a last backtick that begins
 * code.
 */
const ENDS_CODE = /^[^`]*[^\s`\\]`(?!`)(?=$|[\s,;:!?)\]]|\.(?:\s|$))/;
const BEGINS_CODE = /^(?:[^`]*`[^`]+`)*[^`]*(?<![^\s([{"'“*_—-])`[^`\s][^`]*$/;

/** Adds the missing backtick to a slice that begins or ends inside code. */
export function withWholeCode(slice: string): string {
  const begun = ENDS_CODE.test(slice) ? `\`${slice}` : slice;
  return BEGINS_CODE.test(begun) ? `${begun.trimEnd()}\`` : begun;
}

function shownInline(text: string): string {
  const codes: string[] = [];
  const hold = (code: string): string => `\ufffe${codes.push(code) - 1}\uffff`;
  const held = withWholeCode(text.trim())
    .replace(NONCHARACTERS, '')
    .replace(CODE_SPAN, (_, _ticks, code: string) => hold(code.replace(/^ (?=.*\S)(.*) $/, '$1')))
    .replace(FORMULA, hold);
  // Removes parts of links too, since a slice may begin or end inside a link.
  const linked = held.replace(PICTURES, '').replace(LINK, '$1').replace(LINK_END, '').replace(ADDRESS, '$1');
  const closed = linked.lastIndexOf(']') + 1;
  const [, bullet = '', rest = ''] = /^(- )?(.*)$/s.exec(
    linked.slice(0, closed) + linked.slice(closed).replaceAll('[', ''),
  )!;
  const shown = maskMarkup(
    hideMarkup(rest)
      .replace(HIDDEN, '')
      // Decodes entities before markup is hidden, since `<` and `&` would otherwise be read as markup.
      .replace(/&[#a-z\d]{2,6};/gi, (entity) => ENTITIES[entity.toLowerCase()] ?? entity),
  );
  return (
    bullet +
    shown
      .replace(HELD, (_, number: string) => codes[Number(number)]!)
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/**
 * Returns the head (a line of titles and a rule) of the table that has a row at `start` in a Markdown text; '' if there is no
 * row, or if `start` is the head itself.
 */
export function headOfTable(text: string, start: number): string {
  const [row = ''] = text.slice(start, start + LONGEST_HEAD).split('\n', 1);
  if (!TABLE_ROW.test(row)) return '';
  const above = text.slice(0, start).split('\n').slice(0, -1);
  const first = above.findLastIndex((line) => !TABLE_ROW.test(line)) + 1;
  const [titles = '', rule = ''] = above.slice(first, first + 2);
  return TABLE_RULE.test(rule) && titles.length + rule.length < LONGEST_HEAD ? `${titles}\n${rule}\n` : '';
}

const LONGEST_HEAD = 2000;

const cellsOf = (row: string): readonly string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
    .filter((cell) => cell !== '');

// The code below hides Markdown (CommonMark 0.31 §2.4, §4-6; GFM footnotes) without changing offsets, and writes all ellipses
// alike.
const HIDDEN_MARKUP = '\u00ad';
const BLANK = '\\s\u200b\u2060';
// Punctuation as wide as a Chinese character.
const WIDE = '\\u3000-\\u303f\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65';
const INVISIBLE = '\u00ad\u200b\u2060\ufeff';
const DEEPEST = 3;

// Emphasis has white space or punctuation around it, unlike `2*3*4`, `snake_case`, `f(*args)` and `a * b`. Unspaced
// scripts need no white space.
const LINE_OF_PARAGRAPH = '\\n(?![ \\t]{0,40}\\r?\\n)';

const TAGS = 'em|strong|b|i|u|code|kbd|span|a|small|mark|cite';

// Names of Python, C and Node, whose underscores are not emphasis.
const NAMES =
  '__(?:[a-z]{1,40}_[a-z_]{1,40}|[gs]et\\w+|all|add|call|class|contains|del|dict|dirname|doc|enter|eq|exit|file|filename|func|' +
  'future|ge|gt|hash|init|iter|le|len|line|lt|main|module|name|ne|new|next|proto|repr|slots|str|version)__';

// Rules for inline markup: each hides the groups `open` and `close` and leaves `text`. Inside code only the rule for its
// backticks applies. Each rule's groups get its number, since Node before 24 takes no name twice.
const SPANS = [
  '(?<![`\\\\])(?<tick>`{1,3})(?!`)[^`]{1,400}\\k<tick>(?!`)',
  '(?<open>\\\\)(?=[*_`#[\\]<>~|$"\'!&])',
  // Leaves `table[name](x)`, which is a call: a link does not follow an identifier, and its target looks like an address.
  '(?<![\\w)\\]])(?<open>!?\\[)(?<text>[^[\\]]{0,300})' +
    '(?<close>\\]\\((?=[^()\\s]{0,300}[/.#:])(?:[^()\\s]|\\([^()\\s]{0,100}\\)){1,500}(?:\\s{1,3}"[^"]{0,200}")?\\))',
  '(?<=\\S)(?<open>\\[\\^[\\w-]{1,32}\\])(?!:)',
  `(?<open><(?<tag>${TAGS})(?:\\s[^<>]{0,300})?>)(?<text>[^<]{1,600})(?<close></\\k<tag>>)`,
  emphasis('*', '_'),
  `(?!${NAMES})${emphasis('_', '*')}`,
]
  .map((rule, n) => rule.replace(/(\(\?|\\k)<([a-z]+)>/g, `$1<$2${n}>`))
  .join('|');
const SPAN = new RegExp(SPANS, 'gu');
const SPAN_BEGINS = /[\\*_`[<]/;
const CODE = /(?<open>(?<!`)`{1,3}(?!`))(?<text>[^`]{1,400})(?<close>\k<open>(?!`))/g;

const ELLIPSIS = /[[(] ?(?:\.{3}|…) ?[\])]|\.{3,}|\.(?:[ \u00a0]\.){2,}|…/g;
const LINE_BREAK = /<br ?\/?>(?=[ \t]{0,40}\r?\n|\S)/g;
// These match a code fence with its language, and a line that is a thematic break or underlines a heading (setext).
const FENCE = /^[ \t]{0,12}(?:`{3,}[^\n`]{0,100}|~{3,}[^\n~]{0,100})$/gm;
const RULE = /^[ \t]{0,3}(?:={3,}|(?:-[ \t]*){3,80}|(?:\*[ \t]*){3,80}|(?:_[ \t]*){3,80})$/gm;
const LINE_END = /\r\n|[\n\r\u2028\u2029]/;
const LINE = 200;
const LINE_MARK = /^[ \t]{0,12}(?:(?:[-*+•>]|#{1,6})[ \t]+|>)+/gm;

/**
 * Replaces each character of Markdown's marks by a soft hyphen, so that offsets stay the same. Every ellipsis becomes `…`,
 * `<br>` a space. Leaves marks that may be arithmetic, code or part of a name (see the rules), and those that change the
 * meaning: strikethrough, `<sub>` and `<sup>`.
 */
export function hideMarkup(text: string): string {
  let hidden = text.replace(ELLIPSIS, ellipsis);
  hidden = hidden.replace(LINE_BREAK, (mark) => ` ${HIDDEN_MARKUP.repeat(mark.length - 1)}`);
  for (const line of [FENCE, RULE]) hidden = hidden.replace(line, hide);
  hidden = hidden.replace(LINE_MARK, (mark, offset: number, whole: string) =>
    isBlockMark(whole, mark, offset) ? hide(mark) : mark,
  );
  for (let depth = 0; depth < DEEPEST && SPAN_BEGINS.test(hidden); depth++)
    hidden = hidden.replace(SPAN, hideAround);
  return hidden.replace(CODE, hideAround);
}

function emphasis(mark: string, other: string): string {
  const run = `(?<open>[${mark}]{1,3})(?=[^${BLANK}${mark}])`;
  const text = `(?<text>(?:[^${mark}\\n]|${LINE_OF_PARAGRAPH}){1,600}?)`;
  const end = `(?<=[^${BLANK}${mark}])(?<close>\\k<open>)(?![${mark}])`;
  const before = `(?<![^\\s\\p{Ps}\\p{Pi}\\p{Pd}"'>¡¿${other}${INVISIBLE}${UNSPACED}${WIDE}])`;
  const after = `(?![^\\s\\p{Pe}\\p{Pf}\\p{Pd}"'.,;:!?…<[${other}${INVISIBLE}${UNSPACED}${WIDE}])`;
  return before + run + text + end + after;
}

function ellipsis(mark: string): string {
  const dots = mark.match(/\./g)?.length ?? 0;
  const written = dots > 3 ? '.…' : '…';
  return written + HIDDEN_MARKUP.repeat(mark.length - written.length);
}

function hideAround(match: string, ...rest: readonly unknown[]): string {
  const groups = Object.entries(rest.at(-1) as Record<string, string | undefined>);
  const group = (name: string): string | undefined =>
    groups.find(([key, value]) => value !== undefined && key.startsWith(name))?.[1];
  const [open, text = '', close = ''] = [group('open'), group('text'), group('close')];
  if (open === undefined) return match;
  return HIDDEN_MARKUP.repeat(open.length) + text + HIDDEN_MARKUP.repeat(close.length);
}

const hide = (mark: string): string => mark.replace(/\S/g, HIDDEN_MARKUP);

// Reports whether a mark at a line's beginning is Markdown for a list or quotation. A line such as `- 5`, `> 5` or `+ b` may
// also be arithmetic that was broken across lines.
function isBlockMark(text: string, mark: string, offset: number): boolean {
  const kind = mark.trimStart()[0]!;
  const next = text.codePointAt(offset + mark.length) ?? 0;
  if (kind === '#' || (kind !== '+' && !/\p{N}/u.test(String.fromCodePoint(next)))) return true;
  const above =
    text
      .slice(Math.max(0, offset - LINE), offset)
      .split(LINE_END)
      .at(-2)
      ?.trim() ?? '';
  return above === '' || above.startsWith(kind);
}
