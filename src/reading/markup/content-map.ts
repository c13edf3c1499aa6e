import { type MarkdownSource } from './parser.ts';
import { firstWhere, TooMuch } from './rendered.ts';
import type { MarkdownIt, StateInline, Token } from 'markdown-it';

/**
 * A piece of a block's content that the source has unchanged: `length` characters, at the offset `at` in the content and
 * `source` in the source.
 */
export type Piece = { readonly at: number; readonly length: number; readonly source: number };

/** Maps a block's content to offsets in the source, by pieces in order. Characters that the parser added belong to no piece. */
export type ContentMap = readonly Piece[];

/**
 * Maps a content of several lines to the source, from line `firstLine` there. Each line is the end of a source line, whose
 * beginning the parser removed: marks of quotations and indentation.
 */
export function mapLines(content: string, { original, lines }: MarkdownSource, firstLine: number) {
  const pieces: Piece[] = [];
  let at = 0;
  content.split('\n').forEach((text, n) => {
    const line = lines[firstLine + n];
    const piece = line === undefined ? null : findEnd({ text, at }, original, line);
    if (piece !== null) pieces.push(piece);
    at += text.length + 1;
  });
  return pieces;
}

/** Maps a heading's content, which also lacks the marks that close the heading. */
export function mapHeading(content: string, { original, lines }: MarkdownSource, lineNumber: number) {
  const line = lines[lineNumber];
  if (line === undefined) return [];
  const closing = /[ \t]#+[ \t]*$/.exec(original.slice(line.start, line.end));
  const ends = closing === null ? [line.end] : [line.start + closing.index, line.end];
  const piece = ends
    .map((end) => findEnd({ text: content, at: 0 }, original, { ...line, end }))
    .find((one) => one !== null);
  return piece == null ? [] : [piece];
}

function findEnd(
  { text, at }: { readonly text: string; readonly at: number },
  original: string,
  { start, end }: { readonly start: number; readonly end: number },
): Piece | null {
  // If a tab is partly indentation, the parser replaces it by spaces.
  const rest = text.trimStart();
  for (const shown of rest.length === text.length ? [text] : [text, rest]) {
    for (const to of [end, start + original.slice(start, end).trimEnd().length]) {
      const from = to - shown.length;
      if (from < start || !original.startsWith(shown, from)) continue;
      return { at: at + text.length - shown.length, length: shown.length, source: from };
    }
  }
  return null;
}

type Traced = {
  readonly found: (from: number, to: number, source: number) => void;
  readonly missed: (from: number, to: number) => void;
};

/**
 * Divides the content from `from` to `to`: calls `found` for each stretch that comes from the source, and `missed` for
 * each other one.
 */
export function trace(
  map: ContentMap,
  { from, to }: { readonly from: number; readonly to: number },
  { found, missed }: Traced,
): void {
  let at = from;
  for (let n = firstPiece(map, from); n < map.length && at < to; n++) {
    const piece = map[n]!;
    if (piece.at >= to) break;
    const end = Math.min(to, piece.at + piece.length);
    if (piece.at > at) missed(at, piece.at);
    at = Math.max(at, piece.at);
    if (end > at) found(at, end, piece.source + at - piece.at);
    at = Math.max(at, end);
  }
  if (at < to) missed(at, to);
}

export function placeOf(map: ContentMap, at: number, length: number): number | null {
  const piece = map[firstPiece(map, at)];
  const holds = piece !== undefined && piece.at <= at && at + length <= piece.at + piece.length;
  return holds ? piece.source + at - piece.at : null;
}

const firstPiece = (map: ContentMap, from: number): number =>
  firstWhere(map.length, (n) => map[n]!.at + map[n]!.length > from);

/** A token with its offsets: those of an inline token are in its block's content, those of a table row in the parsed text. */
export type Positioned = Token & { at?: number; end?: number };

type Recorder = StateInline & { stepAt: number; pendingAt: number; settled: number };

/**
 * Makes the parser record the offsets of inline tokens and table rows, since they are known only during parsing. A token's text
 * may differ from the source at its offset, so callers must compare the two.
 */
export function recordPositions(md: MarkdownIt): void {
  md.inline.State = class extends md.inline.State {
    stepAt = 0;
    pendingAt = 0;
    settled = 0;
    override pushPending(): Token {
      const token: Positioned = super.pushPending();
      token.at = this.pendingAt;
      return token;
    }
  };
  md.inline.ruler.before('text', 'positions', (state, silent) => {
    if (silent) return false;
    const recorder = state as Recorder;
    settle(recorder);
    recorder.stepAt = state.pos;
    if (state.pending === '') recorder.pendingAt = state.pos;
    return false;
  });
  md.inline.ruler2.before('balance_pairs', 'positions', (state) => settle(state as Recorder));
  md.inline.ruler2.at('fragments_join', joinFragments);
  recordRows(md);
}

/** Gives offsets to the tokens that the last parsing rule made, one after the other from the place where that rule began. */
function settle(state: Recorder): void {
  const { tokens, stepAt, src } = state;
  let at = src[stepAt] === '<' ? stepAt + 1 : stepAt;
  for (; state.settled < tokens.length; state.settled++) {
    const token: Positioned = tokens[state.settled]!;
    if (token.at !== undefined) continue;
    token.at = token.type === 'text' ? at : stepAt;
    if (token.type === 'text') at += token.content.length;
  }
}

/**
 * Joins consecutive text tokens, in place of markdown-it's rule of this name, and keeps the offset of the first. Such
 * tokens arise from marks that turned out not to be emphasis.
 */
function joinFragments({ tokens }: StateInline): void {
  let kept = 0;
  for (const token of tokens as Positioned[]) {
    const last: Positioned | undefined = tokens[kept - 1];
    if (token.type === 'text' && token.content === '') continue;
    if (token.type === 'text' && last?.type === 'text') {
      if (last.at !== undefined && last.at + last.content.length !== token.at) delete last.at;
      last.content += token.content;
    } else tokens[kept++] = token;
  }
  tokens.length = kept;
}

/**
 * The maximum number of cells of all tables in a text. As short rows are filled up with empty cells, eight kilobytes of
 * Markdown could make half a million.
 */
const MOST_CELLS = 50_000;

/**
 * Records the offsets at which each table row begins and ends. The parser's own map gives only the line; where in the line the
 * marks of quotations and lists end is known only during parsing.
 */
function recordRows(md: MarkdownIt): void {
  md.block.State = class extends md.block.State {
    row: Positioned | null = null;
    cells = 0;
    override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
      const line = this.row?.map?.[0];
      if (this.row !== null && line !== undefined) {
        this.row.at = this.bMarks[line]! + this.tShift[line]!;
        this.row.end = this.eMarks[line]!;
        this.row = null;
      }
      if (type === 'td_open' && ++this.cells > MOST_CELLS) throw new TooMuch('Too many cells');
      const token = super.push(type, tag, nesting);
      if (type === 'tr_open') this.row = token;
      return token;
    }
  };
}
