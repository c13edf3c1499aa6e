import type { MarkdownIt, StateInline, Token } from 'markdown-it';
import { TooMuch } from './too-much.ts';

/** A token that knows where it begins: an inline one in its block's content, a table's row in the parsed text. */
export type Positioned = Token & { at?: number; end?: number };

type Recorder = StateInline & { stepAt: number; pendingAt: number; settled: number };

/**
 * Has the parser note where its inline tokens and table rows begin: it knows while it reads, and forgets. What a rule
 * writes down otherwise than it stands in the source gets a place that does not hold it; who uses it compares.
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

/** Places the tokens of the step just made: one after the other from where it began. */
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

/** markdown-it's own rule of that name, which keeps the place of the first fragment: emphasis that was none is text again. */
function joinFragments({ tokens }: StateInline): void {
  let level = 0;
  let last: Positioned | null = null;
  let kept = 0;
  for (const token of tokens as Positioned[]) {
    if (token.nesting < 0) level--;
    token.level = level;
    if (token.nesting > 0) level++;
    const isText = token.type === 'text';
    if (isText && token.content === '') continue;
    if (isText && last !== null) append(last, token);
    else {
      tokens[kept++] = token;
      last = isText ? token : null;
    }
  }
  tokens.length = kept;
}

function append(text: Positioned, next: Positioned): void {
  if (text.at !== undefined && text.at + text.content.length !== next.at) delete text.at;
  text.content += next.content;
}

/** Cells of all tables together: eight kilobytes can be half a million, since short rows are filled up. */
const MOST_CELLS = 50_000;

/** A row's map is its line, and of that line only the block's state knows where the marks of quotes and lists end. */
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
