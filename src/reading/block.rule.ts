import { ALERT_KIND } from '../words/alert.ts';
import { countWords } from './sentence.rule.ts';

/**
 * A paragraph, a fenced code block or a piece of a program. `heading` is the path of headings above it, `section` the number of
 * headings or definitions before it.
 */
export type Block = {
  readonly section: number;
  readonly heading: string;
  readonly start: number;
  readonly end: number;
  readonly words: number;
  readonly kind: 'prose' | 'fence' | 'code';
};

type Heading = { readonly level: number; readonly title: string };

const LONGEST_HEADING = 300;
const ATX = /^ {0,3}(#{1,6})[ \t]+(?=\S)/;
const SETEXT = /^ {0,3}(?:=+|-+)$/;
// Headings in plain text: "CHAPTER IV", "Глава 4. Дуэль", "第四章 决斗", "IV".
const CHAPTER =
  /^(?:(?:chapter|kapitel|chapitre|cap[ií]tulo|capitolo|глава) (?:[ivxlcdm]+|\d+)(?![\p{L}\d])[.:]?[^.!?]{0,80}\.?|第[一二三四五六七八九十百零〇\d]{1,6}[章回][^。！？]{0,40})$/iu;
// Matches a Roman numeral alone on its line. A lone "C" or "L" does not count: it is more likely the answer to a question.
const NUMERAL = /^(?:[IVX]|[IVXLC]{2,7})\.?$/;
const LABEL = /^title:\s+/i;
const FRONT_MATTER = /^\ufeff?---[ \t]*\r?\n(?=[A-Za-z_][\w-]*:)/;
const READABLE = /[\p{L}\p{N}]/u;
const FRONT_MATTER_END = /^(?:---|\.\.\.)[ \t]*$/m;

/**
 * Yields the blocks of a Markdown or plain text in reading order, without headings, front matter and rules. Headings are ATX
 * and setext (CommonMark 0.31 §4.2-4.3, one line) and lines such as "CHAPTER IV".
 */
export function* blocksOf(text: string): Generator<Block> {
  const path: Heading[] = [];
  let section = 0;
  for (const { lines, fenced, heading } of groupsOf(linesOf(text, skipFrontMatter(text)))) {
    if (heading !== null) {
      section++;
      enter(path, heading);
      continue;
    }
    const start = lines[0]!.start;
    const end = lines.at(-1)!.end;
    const slice = text.slice(start, end);
    if (!READABLE.test(slice)) continue;
    const titles = path.map(({ title }) => title).join(' › ');
    yield {
      section,
      heading: titles,
      start,
      end,
      words: countWords(slice),
      kind: fenced ? 'fence' : 'prose',
    };
  }
}

type Group = {
  readonly lines: readonly MarkdownLine[];
  readonly fenced: boolean;
  readonly heading: Heading | null;
};

function* groupsOf(lines: Iterable<MarkdownLine>): Generator<Group> {
  let open: MarkdownLine[] = [];
  let fence = '';
  for (const line of lines) {
    if (fence !== '') {
      open.push(line);
      if (!closesFence(line.text, fence)) continue;
      yield { lines: open, fenced: true, heading: null };
      open = [];
      fence = '';
      continue;
    }
    const found = headingAt(line, open);
    fence = found === null ? opensFence(line.text) : '';
    const ends = found !== null || fence !== '' || line.text === '';
    if (ends && open.length > 0 && !found?.setext) yield { lines: open, fenced: false, heading: null };
    if (ends) open = [];
    if (found !== null) yield { lines: [], fenced: false, heading: found };
    else if (line.text !== '') open.push(line);
  }
  if (open.length > 0) yield { lines: open, fenced: fence !== '', heading: null };
}

function headingAt(
  line: MarkdownLine,
  above: readonly MarkdownLine[],
): (Heading & { readonly setext: boolean }) | null {
  if (line.text.length > LONGEST_HEADING) return null;
  const marks = ATX.exec(line.text);
  if (marks !== null) {
    const title = line.text.slice(marks[0].length).replace(LABEL, '').trimEnd();
    return { level: marks[1]!.length, title: title.replace(/[ \t]#+$/, '').trimEnd(), setext: false };
  }
  const only = above.length === 1 ? above[0]!.text : '';
  if (only !== '' && only.length <= LONGEST_HEADING && SETEXT.test(line.text))
    return { level: line.text.includes('=') ? 1 : 2, title: only.trim(), setext: true };
  if (above.length === 0 && (CHAPTER.test(line.text) || NUMERAL.test(line.text)))
    return { level: 2, title: line.text.trim(), setext: false };
  return null;
}

function enter(path: Heading[], heading: Heading): void {
  while (path.length > 0 && path.at(-1)!.level >= heading.level) path.pop();
  path.push(heading);
}

function skipFrontMatter(text: string): number {
  const bom = text.startsWith('\ufeff') ? 1 : 0;
  const begin = FRONT_MATTER.exec(text)?.[0].length;
  if (begin === undefined) return bom;
  const end = FRONT_MATTER_END.exec(text.slice(begin));
  return end === null ? bom : begin + end.index + end[0].length;
}

export const LEADS_IN =
  /(?:[:：]|(?<!\p{L})(?:following|below|folgend|suivante?|siguiente|seguente|следующ|下面|以下|如下|次の)[^.!?。\n]{0,80}[.。]?)[*_`"”»]*$/iu;
export const REFERS_BACK =
  /^[\s>*_“"]*(?:(?:in )?(?:the|this) [\w-]* ?(?:code|example|listing|program|snippet|command|function|output)s? above|(?:in )?the above |(?:上面|以上|上述|上边)的?\p{Lo}{0,4}(?:代码|程序|例子|示例|命令|函数)|上記の|(?:前|先ほど)の|(?:in |im |am )?(?:der|die|das|dem|den)? ?(?:obige|vorige|vorstehende|\p{L}+ oben )|(?:dans )?(?:le |la |l['’])\p{L}+ ci-dessus|(?:en )?el \p{L}+ anterior)/iu;

// Matches the line that opens a fenced code block, CommonMark 0.31 §4.5. Allows more indentation, for lists, and an attribute
// that contains code, as some books have it.
const FENCE = /^[ \t]{0,12}(`{3,}(?=[^`]*$|\w+[ \t]+\w+=")|~{3,})/;

export const opensFence = (line: string): string => FENCE.exec(line)?.[1] ?? '';

/** Reports whether a line closes a code block that `fence` opened: at least as many of the same marks, and nothing else. */
export function closesFence(line: string, fence: string): boolean {
  const mark = opensFence(line);
  return mark.startsWith(fence) && line.trim() === mark;
}

export type MarkdownLine = { readonly start: number; readonly end: number; readonly text: string };

export function* linesOf(text: string, from = 0): Generator<MarkdownLine> {
  for (let start = from; start < text.length;) {
    const mark = text.indexOf('\n', start);
    const next = mark < 0 ? text.length : mark + 1;
    const line = text.slice(start, mark < 0 ? text.length : mark);
    const end = start + line.trimEnd().length;
    yield { start, end, text: text.slice(start, end) };
    start = next;
  }
}

// Match Markdown and HTML that readers do not see. CommonMark 0.31: §6.3 links, §6.6 raw HTML, §4.7 link reference definitions,
// §2.5 entities.

const TAGS =
  'a|abbr|article|aside|audio|b|big|blockquote|body|br|caption|center|cite|code|col|dd|del|details|dfn|div|dl|dt|em|figcaption|' +
  'figure|font|footer|h[1-6]|head|header|hr|html|i|iframe|img|ins|kbd|li|link|main|mark|math|m(?:frac|i|n|o|over|row|sub|' +
  'subsup|sup|table|td|text|tr|under)|meta|nav|ol|p|picture|pre|q|rp|' +
  'rt|ruby|s|samp|section|semantics|small|source|span|strike|strong|sub|summary|sup|svg|table|tbody|td|tfoot|th|thead|title|tr|tt|' +
  'u|ul|var|video|wbr';
const NOISY = /<[!/a-z]|\]\(|!\[|\[!|\]:|&[#a-z]|\{[:{]|\{[ \t]*[#.][a-z]|\[#|:::|^\^/im;
const REFERENCE = /^ {0,3}\[(?!\^)[^\]]{1,200}\]:[ \t]+\S/;
// A component of a site generator, such as mdBook's <Listing number="1">, but not `Vec<T>`.
const COMPONENT =
  '<[A-Za-z][\\w-]{0,60}(?:\\s+[\\w-]{1,60}="[^"<>]{0,1000}"){1,20}\\s*/?>|</[A-Z][\\w-]{0,60}>';
// The name or class of a block, as `{ #id }`, `{: key="value"}` or, at a line's end, `[#id]`; lines that are `::: tip`, `{{ a
// variable }}` or the `^` of kramdown; the mark of an alert, `> [!NOTE]`.
const ATTRIBUTES =
  `(?<=^[ \\t>]{0,20})\\[!${ALERT_KIND}\\](?=[ \\t]*\\r?$)|` +
  '\\{:[^{}\\n]{0,200}\\}|\\{[ \\t]{0,9}[#.][a-z][^{}\\n]{0,100}\\}|\\[#[a-z][\\w-]{0,100}\\](?=[ \\t]*$)|' +
  '^[ \\t]*(?::{3}.*|(?:\\^|\\{\\{[^{}\\n]{0,200}\\}\\}|\\[\\[?toc\\]\\]?)[ \\t]*)\\r?$';
const CODE = '(`{1,3})(?!`)[^`]{1,20000}\\1';
const ATTRIBUTE = new RegExp(`${CODE}|${ATTRIBUTES}`, 'gim');
const TITLE = '(?:\\s+"[^"]{0,2000}")?';
export const PICTURE = `!\\[(?:\\\\.|[^[\\]\\\\\\n]|\\n(?=\\S)){0,2000}\\](?:\\( ?[^()\\s]{0,2000}${TITLE}\\)|\\[[^[\\]]{0,200}\\])`;
const PICTURES = new RegExp(`${CODE}|${PICTURE}`, 'g');
const FORMULA = '\\$\\$?[^$]{1,2000}\\$|\\\\\\(.{1,2000}?\\\\\\)|\\\\\\[.{1,2000}?\\\\\\]';
const INLINE = new RegExp(
  `\`[^\`]*\`|<!--.*?-->|<!--.*|\\]\\( ?[^()\\s]{0,2000}${TITLE}\\)|` +
    `</?(?:${TAGS})(?:[\\s/][^<>]{0,2000})?>|${COMPONENT}|&(?:#\\d{1,7}|#x[\\da-f]{1,6}|[a-z][a-z\\d]{1,31});|${ATTRIBUTES}`,
  'gi',
);
const INLINE_WITH_MATH = new RegExp(`${FORMULA}|${INLINE.source}`, 'gi');

export const hideAttributes = (text: string, hide: (found: string) => string): string =>
  text.replace(ATTRIBUTE, (found) => (found.startsWith('`') ? found : hide(found)));

/**
 * Replaces pictures, tags, entities, attributes and link targets by as many blanks, and comments by as many line breaks, so
 * that offsets stay the same. Leaves code as it is and, if `math`, formulas too. Linear in the length of the text.
 */
export function maskMarkup(text: string, math = false): string {
  if (!NOISY.test(text)) return text;
  const lastEnd = text.lastIndexOf('-->');
  let fence = '';
  let isComment = false;
  let at = 0;
  const shown = text.replace(PICTURES, (found) => (found.startsWith('!') ? found.replace(/./g, ' ') : found));
  const lines = shown.split('\n').map((line) => {
    const start = at;
    at += line.length + 1;
    if (fence !== '') {
      if (closesFence(line, fence)) fence = '';
      return line;
    }
    let open = 0;
    if (isComment) {
      const end = line.indexOf('-->');
      if (end < 0) return gap(line);
      open = end + 3;
      isComment = false;
    }
    const rest = line.slice(open);
    fence = open === 0 ? opensFence(line) : '';
    if (fence !== '') return line;
    if (REFERENCE.test(rest)) return blank(line);
    const masked = rest.replace(math ? INLINE_WITH_MATH : INLINE, (found, offset: number) => {
      if (/^(?:[`$]|\\)/.test(found)) return found;
      if (!found.startsWith('<!--')) return blank(found);
      // Leaves a comment that never ends, since it would hide the rest of the book.
      if (!found.endsWith('-->')) {
        isComment = lastEnd > start + open + offset;
        return isComment ? gap(found) : found;
      }
      return gap(found);
    });
    return gap(line.slice(0, open)) + masked;
  });
  return lines.join('\n');
}

const blank = (text: string): string => ' '.repeat(text.length);

/** Replaces a comment by line breaks. They end the sentence around it, so that no quote contains it. */
const gap = (text: string): string => '\n'.repeat(text.length);
