import { closesFence, opensFence } from './fence.ts';
import { type Line, linesOf } from './line.ts';
import { countWords } from './words.ts';

/** A paragraph, a fenced code block or a piece of a program; `heading` is the path of headings above it, `section` counts the headings or definitions before it. */
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
const CHAPTER = /^chapter (?:[ivxlcdm]+|\d+)\b[^.!?]{0,80}\.?$/i;
const FRONT_MATTER = /^\ufeff?---[ \t]*\r?\n(?=[A-Za-z_][\w-]*:)/;
const READABLE = /[\p{L}\p{N}]/u;
const FRONT_MATTER_END = /^(?:---|\.\.\.)[ \t]*$/m;

/**
 * The blocks of a Markdown or plain text in reading order, without headings, front matter and rules.
 * Headings are ATX and setext (CommonMark 0.31 §4.2-4.3, one line) and lines such as "CHAPTER IV".
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

type Group = { readonly lines: readonly Line[]; readonly fenced: boolean; readonly heading: Heading | null };

function* groupsOf(lines: Iterable<Line>): Generator<Group> {
  let open: Line[] = [];
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

function headingAt(line: Line, above: readonly Line[]): (Heading & { readonly setext: boolean }) | null {
  if (line.text.length > LONGEST_HEADING) return null;
  const marks = ATX.exec(line.text);
  if (marks !== null) {
    const title = line.text.slice(marks[0].length).trimEnd();
    return { level: marks[1]!.length, title: title.replace(/[ \t]#+$/, '').trimEnd(), setext: false };
  }
  const only = above.length === 1 ? above[0]!.text : '';
  if (only !== '' && only.length <= LONGEST_HEADING && SETEXT.test(line.text))
    return { level: line.text.includes('=') ? 1 : 2, title: only.trim(), setext: true };
  if (above.length === 0 && CHAPTER.test(line.text))
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
