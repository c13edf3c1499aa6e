import markdownIt from 'markdown-it';
import type { Delimiter, MarkdownIt, StateInline, Token } from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { useAutolinks } from './autolinks.ts';
import { type Positioned, recordPositions } from './positions.ts';

/** Beyond this the parser drops text without a word; the writer refuses far less. */
const DEEPEST = 400;

/** The tokens of a text in CommonMark and GFM with footnotes; they know where they begin. Throws TooMuch. */
export function parseMarkdown(text: string): Token[] {
  return parser.parse(text, {});
}

const parser = createParser();

function createParser(): MarkdownIt {
  const md = markdownIt({ html: true, linkify: true, maxNesting: DEEPEST });
  md.use(footnotes);
  // GFM has no notes inside a line, and the writer joins text itself.
  md.inline.ruler.disable('footnote_inline');
  md.core.ruler.disable(['replacements', 'smartquotes', 'text_join']);
  // The allow-list judges every address, and an address is shown as it was written.
  md.validateLink = () => true;
  md.normalizeLinkText = (url) => url;
  recordPositions(md);
  useStrikethrough(md);
  useTasks(md);
  useAutolinks(md);
  return md;
}

// GFM 0.29 §6.5: one or two tildes on either side, as many as on the other; markdown-it knows two alone.

const TILDE = 0x7e;
/** Delimiters of different markers never pair: one tilde is another marker than two. */
const MARKERS: Readonly<Record<number, number>> = { 1: TILDE, 2: TILDE << 8 };

/** Replaces markdown-it's strikethrough by GFM's. */
function useStrikethrough(md: MarkdownIt): void {
  md.inline.ruler.at('strikethrough', readTildes);
  md.inline.ruler2.at('strikethrough', (state) => {
    strike(state, state.delimiters);
    for (const meta of state.tokens_meta) if (meta?.delimiters !== undefined) strike(state, meta.delimiters);
  });
}

function readTildes(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== TILDE) return false;
  const { length, can_open: open, can_close: close } = state.scanDelims(state.pos, true);
  const token = state.push('text', '', 0);
  token.content = '~'.repeat(length);
  const marker = MARKERS[length];
  if (marker !== undefined)
    state.delimiters.push({ marker, length: 0, token: state.tokens.length - 1, end: -1, open, close });
  state.pos += length;
  return true;
}

function strike({ tokens }: StateInline, delimiters: readonly Delimiter[]): void {
  for (const { marker, token, end } of delimiters) {
    const closer = delimiters[end];
    if (!Object.values(MARKERS).includes(marker) || closer === undefined) continue;
    Object.assign(tokens[token]!, { type: 's_open', tag: 'del', nesting: 1, content: '' });
    Object.assign(tokens[closer.token]!, { type: 's_close', tag: 'del', nesting: -1, content: '' });
  }
}

// GFM 0.29 §5.3, task list items.

const TASK = /^\[([ xX])\](?=[ \t\n])/;

/** Has a list item that begins with `[ ]` or `[x]` begin with a `task` token, whose `info` says that it is done. */
function useTasks(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'tasks', ({ tokens, Token }) => {
    tokens.forEach(({ children, content }, n) => {
      const isItem = tokens[n - 2]?.type === 'list_item_open' && tokens[n - 1]?.type === 'paragraph_open';
      const text: Positioned | undefined = children?.[0];
      const box = TASK.exec(content);
      if (!isItem || box === null || text?.type !== 'text' || !text.content.startsWith(box[0])) return;
      text.content = text.content.slice(box[0].length);
      if (text.at !== undefined) text.at += box[0].length;
      const task = new Token('task', '', 0);
      task.info = box[1] === ' ' ? '' : 'done';
      children!.unshift(task);
    });
  });
}
