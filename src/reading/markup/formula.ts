import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';
import type { Positioned } from './content-map.ts';

// Reads formulas in Markdown as pandoc and GitHub do: $…$, $$…$$, \(…\), \[…\], and code blocks named "math".

/** The maximum length of a formula, in characters; a longer one is shown as it is written. */
export const LONGEST_FORMULA = 5000;

export const CLOSING: Readonly<Record<string, string>> = { $: '$', $$: '$$', '\\(': '\\)', '\\[': '\\]' };
const OPENING = /\$\$?|\\[([]/y;
/** Matches a dollar amount that is followed by words up to another amount, as in "$5 and 6$". */
const MONEY = /^\d[\d.,]*\s+(?:\p{L}\s+)?\p{L}{2}/u;

export function useFormulas(md: MarkdownIt): MarkdownIt {
  md.inline.ruler.before('escape', 'formula', readInline);
  const alt = ['paragraph', 'reference', 'blockquote', 'list'];
  md.block.ruler.before('fence', 'formula', readBlock, { alt });
  md.core.ruler.after('block', 'formula', ({ tokens }) => {
    for (const token of tokens)
      if (token.type === 'fence' && /^math\s*$/.test(token.info)) token.type = 'formula_block';
  });
  return md;
}

function readInline(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  OPENING.lastIndex = pos;
  const open = OPENING.exec(src)?.[0];
  if (open === undefined || (open.startsWith('$') && src[pos - 1] === '$')) return false;
  const from = pos + open.length;
  const end = from + closingAt(src.slice(from, Math.min(posMax, from + LONGEST_FORMULA)), CLOSING[open]!);
  const tex = src.slice(from, end);
  if (tex.trim() === '' || (open === '$' && !isFormula(tex, src[pos - 1], src[end + 1]))) return false;
  state.pos = end + open.length;
  if (!silent) Object.assign(state.push('formula', 'math', 0), { content: tex, markup: open });
  return true;
}

const isFormula = (tex: string, before = '', after = ''): boolean =>
  !/^\s|\s$|`/.test(tex) && !/[\w$]/.test(before) && !/\d/.test(after) && !MONEY.test(tex);

/** Returns the offset of the first closing mark that no backslash escapes; 0 if there is none, or if it stands first. */
function closingAt(text: string, close: string): number {
  for (let at = text.indexOf(close); at !== -1; at = text.indexOf(close, at + 1)) {
    let first = at;
    while (text[first - 1] === '\\') first--;
    if ((at - first) % 2 === 0) return at;
  }
  return 0;
}

function readBlock(state: StateBlock, first: number, end: number, silent: boolean): boolean {
  const { src, bMarks, tShift, eMarks, sCount, blkIndent } = state;
  const start = bMarks[first]! + tShift[first]!;
  const open = src.slice(start, start + 2);
  const close = CLOSING[open];
  if (close?.length !== 2 || sCount[first]! - blkIndent > 3) return false;
  // The line up to which each closing mark was already searched without success. Another search there would cost time:
  // every line may begin with an opening mark.
  const searched = ((state.env as { searched?: Record<string, number> }).searched ??= {});
  if (first < (searched[close] ?? 0)) return false;
  for (let line = first; line < end; line++) {
    if (line > first && (state.isEmpty(line) || sCount[line]! < Math.min(blkIndent, sCount[first]!))) break;
    searched[close] = line + 1;
    const from = line === first ? start + 2 : bMarks[line]! + tShift[line]!;
    const text = src.slice(from, eMarks[line]);
    const at = text.startsWith(close) ? 0 : closingAt(text, close) || -1;
    if (at === -1) continue;
    searched[close] = 0;
    const tex = state
      .getLines(first, line + 1, blkIndent, false)
      .trim()
      .slice(2, -2);
    if (tex.trim() === '' || text.slice(at + 2).trim() !== '') return false;
    if (silent) return true;
    state.line = line + 1;
    const token: Positioned = state.push('formula_block', 'math', 0);
    Object.assign(token, { content: tex, markup: open, map: [first, line + 1] });
    return true;
  }
  return false;
}
