// GFM 0.29 §6.9, autolinks without angle brackets: http(s), www. and e-mail addresses.
import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it';
import type { Positioned } from './positions.ts';

const SCHEME = /(?:^|[^a-zA-Z\d])(https?)$/i;
// A full stop of Chinese or Japanese ends an address: no space does there.
const ADDRESS = /[^\s<。，、；：！？（）「」『』【】《》]*/y;
const DOMAIN = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+/u;
const FOUND_LATER =
  /(?<![^\s*_~(])www\.[^\s<。，、；：！？（）「」『』【】《》]+|(?<![\w.+-])[\w.+-]{1,64}@[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63}){1,10}(?<![_-])(?![_-])/gi;

/** Adds GFM's autolinks: those with a scheme while text is read, since they may hold marks of emphasis, the others after it. */
export function useAutolinks(md: MarkdownIt): void {
  md.inline.ruler.at('linkify', readAddress);
  md.core.ruler.at('linkify', linkText);
}

function readAddress(state: StateInline, silent: boolean): boolean {
  if (state.linkLevel > 0 || !state.src.startsWith('://', state.pos)) return false;
  const scheme = SCHEME.exec(state.src.slice(Math.max(0, state.pos - 6), state.pos))?.[1];
  if (scheme === undefined || !state.pending.endsWith(scheme)) return false;
  ADDRESS.lastIndex = state.pos + 3;
  const rest = trimAddress(ADDRESS.exec(state.src.slice(0, state.posMax))?.[0] ?? '');
  if (!isDomain(rest)) return false;
  if (!silent) {
    state.pending = state.pending.slice(0, -scheme.length);
    const url = `${scheme}://${rest}`;
    const open = state.push('link_open', 'a', 1);
    open.attrs = [['href', state.md.normalizeLink(url)]];
    const text: Positioned = state.push('text', '', 0);
    text.content = url;
    text.at = state.pos - scheme.length;
    state.push('link_close', 'a', -1);
  }
  state.pos += 3 + rest.length;
  return true;
}

/** "No underscores may be present in the last two segments of the domain." */
function isDomain(address: string): boolean {
  const segments = DOMAIN.exec(address)?.[0].split('.') ?? [];
  return segments.length > 1 && !segments.slice(-2).some((segment) => segment.includes('_'));
}

/** Without the punctuation of the sentence around it. */
function trimAddress(address: string): string {
  for (let rest = address; ;) {
    const ending = /(?:[?!.,:*_~'"]|&[a-z\d]+;)$/i.exec(rest)?.[0] ?? (isUnopened(rest) ? ')' : '');
    if (ending === '') return rest;
    rest = rest.slice(0, -ending.length);
  }
}

function isUnopened(address: string): boolean {
  return address.endsWith(')') && address.split(')').length > address.split('(').length;
}

function linkText({ tokens, md, Token }: StateCore): void {
  for (const { children } of tokens) {
    if (children === null || !children.some(({ content }) => /www\.|@/i.test(content))) continue;
    let links = 0;
    const linked = children.flatMap((token) => {
      links += linkNesting(token);
      return token.type === 'text' && links === 0 ? linkAddresses(token, md, Token) : [token];
    });
    children.splice(0, children.length, ...linked);
  }
}

function linkNesting({ type, content }: Token): number {
  if (type === 'html_inline') return /^<a[\s>]/i.test(content) ? 1 : /^<\/a\s*>/i.test(content) ? -1 : 0;
  return type === 'link_open' ? 1 : type === 'link_close' ? -1 : 0;
}

function linkAddresses(text: Positioned, md: MarkdownIt, Make: typeof Token): Token[] {
  const { content, at } = text;
  const tokens: Token[] = [];
  let from = 0;
  const add = (to: number): void => {
    if (to === from) return;
    const part: Positioned = new Make('text', '', 0);
    part.content = content.slice(from, to);
    if (at !== undefined) part.at = at + from;
    tokens.push(part);
    from = to;
  };
  for (const { 0: found, index } of content.matchAll(FOUND_LATER)) {
    const isWeb = /^www\./i.test(found);
    const address = isWeb ? trimAddress(found) : found;
    if (isWeb && !isDomain(address)) continue;
    add(index);
    const open = new Make('link_open', 'a', 1);
    open.attrs = [['href', md.normalizeLink((isWeb ? 'http://' : 'mailto:') + address)]];
    tokens.push(open);
    add(index + address.length);
    tokens.push(new Make('link_close', 'a', -1));
  }
  add(content.length);
  return tokens;
}
