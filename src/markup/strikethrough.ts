// GFM 0.29 §6.5: one or two tildes on either side, as many as on the other; markdown-it knows two alone.
import type { MarkdownIt, Delimiter, StateInline } from 'markdown-it';

const TILDE = 0x7e;
/** Delimiters of different markers never pair: one tilde is another marker than two. */
const MARKERS: Readonly<Record<number, number>> = { 1: TILDE, 2: TILDE << 8 };

/** Replaces markdown-it's strikethrough by GFM's. */
export function useStrikethrough(md: MarkdownIt): void {
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
