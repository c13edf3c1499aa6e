import {
  type Block,
  blocksOf,
  LEADS_IN,
  type MarkdownLine,
  linesOf,
  maskMarkup,
  opensFence,
  REFERS_BACK,
} from '../reading/block.rule.ts';
import { countWords, cutToWords, type Range, sentencesOf, trim } from '../reading/sentence.rule.ts';

// Sizes of a passage in words. Passages of 150-200 words without overlap had the best recall for the words read:
// test/bench/qa.md.
const ENOUGH = 150;
const MOST_WORDS = 200;
const MOST_FENCED = 400;
/** A passage of a program with fewer words takes in the next definition, if both together have at most MOST_WORDS. */
const FEWEST_CODE = 100;
/** The number of UTF-16 units at a text's end that are searched for words that introduce code. */
const LEAD = 100;
const LONE_CR = /\r(?!\n)/g;

/** A passage, and its text with comments and markup blanked out, which has the same length. */
type PlainPassage = Passage & { readonly plain: string; readonly isCode: boolean };

/**
 * Splits the file at `path` into passages, in order and without overlap. Joins paragraphs under one heading to at most 200
 * words; cuts longer ones after sentences, and longer sentences between words. Keeps code blocks of up to 400 words whole.
 * Splits programs before definitions and between lines. Leaves out headings, front matter and a BOM. Linear in the length of
 * the text.
 */
export function splitPassages(content: string, path: string, math = false): readonly PlainPassage[] {
  // In CommonMark 0.31 §2.1 a single CR ends a line too. Its replacement has the same length, so that offsets stay.
  const lined = content.replace(LONE_CR, '\n');
  const code = isCode(path, lined);
  const text = code ? lined : maskMarkup(lined, math);
  const blocks = code ? codeBlocksOf(text) : blocksOf(text);
  return Array.from(gather(text, blocks), ({ start, end, ...rest }) => {
    const range = trim(text, start, end);
    return { ...rest, ...range, plain: text.slice(range.start, range.end) };
  }).filter(({ plain }) => plain !== '');
}

type Piece = Passage & { readonly isCode: boolean };

function* gather(text: string, blocks: Iterable<Block>): Generator<Piece> {
  let open: Block | null = null;
  for (const block of blocks) {
    if (open !== null && fits(text, open, block)) {
      open = join(open, block);
      continue;
    }
    if (open !== null) yield* whole(text, open);
    open = block;
  }
  if (open !== null) yield* whole(text, open);
}

function* whole(text: string, block: Block): Generator<Piece> {
  const { heading, start, end } = block;
  if (block.words <= (block.kind === 'fence' ? MOST_FENCED : MOST_WORDS))
    yield { heading, start, end, isCode: block.kind === 'code' };
  else for (const range of cut(text, block)) yield { heading, ...range, isCode: block.kind !== 'prose' };
}

function fits(text: string, open: Block, next: Block): boolean {
  const stays = open.section === next.section || (next.kind === 'code' && open.words < FEWEST_CODE);
  const words = open.words + next.words;
  return (
    stays && (isTied(text, open, next) ? words <= MOST_FENCED : open.words < ENOUGH && words <= MOST_WORDS)
  );
}

/** Reports whether one of two neighbouring blocks is code that the other introduces or refers to. */
function isTied(text: string, open: Block, next: Block): boolean {
  if (open.words > MOST_WORDS) return false;
  const before = text.slice(open.start, open.end);
  return next.kind === 'fence'
    ? LEADS_IN.test(before.slice(-LEAD))
    : /[`~]{3}$/.test(before) && REFERS_BACK.test(text.slice(next.start, next.end));
}

function join(open: Block, next: Block): Block {
  const kind = next.kind === 'fence' ? next.kind : open.kind;
  return { ...open, kind, section: next.section, end: next.end, words: open.words + next.words };
}

function* cut(text: string, block: Block): Generator<Range> {
  let { start, end } = block;
  let words = 0;
  for (const piece of pieces(text, block)) {
    const more = countWords(text.slice(piece.start, piece.end));
    if (words > 0 && words + more > MOST_WORDS) {
      yield { start, end };
      start = piece.start;
      words = 0;
    }
    end = piece.end;
    words += more;
  }
  if (words > 0) yield { start, end };
}

function* pieces(text: string, block: Block): Generator<Range> {
  for (const { start, end } of block.kind === 'prose'
    ? sentencesOf(text, block.start, block.end)
    : linesIn(text, block)) {
    for (let from = start; from < end;) {
      const to = cutToWords(text, MOST_WORDS, from, end);
      yield { start: from, end: to };
      from = to;
    }
  }
}

const linesIn = (text: string, { start, end, kind }: Block): readonly Range[] =>
  Array.from(linesOf(text.slice(start, end)))
    .filter((line) => kind === 'code' || opensFence(line.text) === '')
    .map((line) => ({ start: start + line.start, end: start + line.end }));

const CODE =
  /\.(?:c|cc|cpp|cs|css|dart|ex|go|h|hpp|hs|java|js|jsx|kt|lua|m|mjs|ml|php|pl|pm|ps1|py|r|rb|rs|scala|sh|sql|swift|ts|tsx|vue|zig)$/i;
const PROSE = /\.(?:md|markdown|mdown|mdx|adoc|rst|tex|html?)$/i;
const LOOKED_AT = 20_000;
const FEWEST_LINES = 5;
const CODE_SHARE = 0.5;
const CODE_LINE =
  /[;{}()[\]]$|^\s*(?:\/\/|\/\*|\*\/|\*\s|#include\b|#\[|@\w+|import\s|from\s\S+\simport|def\s|class\s|return\b)|\s=\s|=>|->|::|\w\.\w+\(/;

const DEFINITION = /^(?:\t| {0,4})[\p{L}_@#[/]/u;

/** Reports whether a file is code: by its suffix, or, if that does not tell, by at least half of its first lines. */
export function isCode(path: string, text: string): boolean {
  if (CODE.test(path)) return true;
  if (PROSE.test(path)) return false;
  const lines = [...linesOf(text.slice(0, LOOKED_AT))].filter((line) => line.text !== '');
  const alike = lines.filter((line) => CODE_LINE.test(line.text.slice(0, 1000))).length;
  return lines.length >= FEWEST_LINES && alike >= CODE_SHARE * lines.length;
}

/**
 * Yields the blocks of a program, which blank lines separate, in order. A definition, indented at most once, begins a new
 * section. Blocks get no heading: with the enclosing definition as heading, recall@1 was 4 points lower.
 */
function* codeBlocksOf(text: string): Generator<Block> {
  let section = 0;
  for (const lines of groups(text)) {
    const [first] = lines;
    if (first === undefined) continue;
    if (DEFINITION.test(first.text)) section++;
    const { start } = first;
    const end = lines.at(-1)!.end;
    const words = countWords(text.slice(start, end));
    yield { section, heading: '', start, end, words, kind: 'code' };
  }
}

function* groups(text: string): Generator<readonly MarkdownLine[]> {
  let open: MarkdownLine[] = [];
  for (const line of linesOf(text, text.startsWith('\ufeff') ? 1 : 0)) {
    if (line.text !== '') open.push(line);
    else {
      yield open;
      open = [];
    }
  }
  yield open;
}

/** A part of a file. `heading` is the path of headings joined by ` › `, or ''; `start` and `end` are UTF-16 offsets. */
export type Passage = { readonly heading: string; readonly start: number; readonly end: number };

/** A passage found by a search: `text` is exactly `start..end` of the file at `path`; a higher `score` is better. */
export type FoundPassage = Passage & {
  readonly path: string;
  readonly text: string;
  readonly score: number;
  readonly isCode?: boolean;
  /** Whether the words of the search are only in the passage's headings. */
  readonly isHeading?: boolean;
  readonly order?: number;
};

/** An excerpt of `passage`; `start` and `end` are UTF-16 offsets into its file. */
export type FoundQuote = {
  readonly passage: FoundPassage;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The most likely sentences of the excerpt, in order, as offsets into the file. */
  readonly marked: readonly (readonly [start: number, end: number])[];
};

/**
 * The result of a search, best first. `coverage` is 0 if nothing was found, up to 1 by words alone, and more if vectors are
 * near; below `neededCoverage` the book does not seem to answer.
 */
export type Found = {
  readonly passages: readonly FoundPassage[];
  readonly quotes: readonly FoundQuote[];
  readonly coverage: number;
  readonly neededCoverage: number;
  /** Whether the best quote is worth showing although the book does not seem to answer. */
  readonly isNear?: boolean;
  /**
   * Whether the question is too vague: without the title's words it has only common ones, no quote defines its subject, no
   * passage is near by its vector, and the question does not name the heading of the best quote.
   */
  readonly isVague?: boolean;
};

// Estimated tokens per character, close to common tokenizers: for ASCII, for other letters, and for scripts without spaces.
// Callers add a safety margin.
const ASCII = 1 / 4;
const OTHER = 1 / 2.5;
const UNSPACED_SCRIPT = 1 / 1.5;

/** Estimates how many tokens a model counts for `text`. A character that repeats in a row counts at most three times. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let run = 0;
  let before = -1;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    run = unit === before ? run + 1 : 0;
    before = unit;
    if (run < 3) tokens += unit < 0x80 ? ASCII : unit < 0x0e00 ? OTHER : UNSPACED_SCRIPT;
  }
  return Math.ceil(tokens);
}
