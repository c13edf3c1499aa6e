import markdownIt from 'markdown-it';
import type { Delimiter, MarkdownIt, StateCore, StateInline, Token } from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { ALERT_KIND } from '../../words/alert.ts';
import { type Positioned, recordPositions } from './content-map.ts';
import { useFormulas } from './formula.ts';

/** The maximum nesting that the parser reads. It drops deeper text silently, but the writer refuses a text long before. */
const DEEPEST = 400;

/**
 * Parses a text as CommonMark and GFM with footnotes, alerts and, with `math`, formulas. The tokens have their offsets; see
 * `Positioned`. Throws TooMuch.
 */
export const parseMarkdown = (text: string, math = false): Token[] =>
  (math ? (mathParser ??= useFormulas(createParser())) : parser).parse(text, {});

const parser = createParser();
let mathParser: MarkdownIt | null = null;

function createParser(): MarkdownIt {
  const md = markdownIt({ html: true, linkify: true, maxNesting: DEEPEST });
  md.use(footnotes);
  // Switches off notes inside a line, which GFM does not have, and `text_join`, in place of which `joinFragments` runs.
  md.inline.ruler.disable('footnote_inline');
  md.core.ruler.disable(['replacements', 'smartquotes', 'text_join']);
  // Addresses are checked when links are written, and shown as the author wrote them.
  md.validateLink = () => true;
  md.normalizeLinkText = (url) => url;
  recordPositions(md);
  useStrikethrough(md);
  useTasks(md);
  useAlerts(md);
  // Addresses with a scheme are recognised while text is parsed, since they may contain marks of emphasis; all others
  // afterwards.
  md.inline.ruler.at('linkify', readAddress);
  md.core.ruler.at('linkify', linkText);
  return md;
}

// GFM 0.29 §6.5: one or two tildes on either side, the same number on both; markdown-it knows only two.

const TILDE = 0x7e;
/**
 * The numbers that mark a single tilde and a double one. They must differ, so that a single tilde never pairs with a
 * double one.
 */
const MARKERS: Readonly<Record<number, number>> = { 1: TILDE, 2: TILDE << 8 };

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

const TASK = /^\[([ xX])\](?=[ \t\n])/;

/**
 * Finds task list items (GFM 0.29 §5.3), and replaces their `[ ]` or `[x]` by a `task` token. Its `info` is "done" for a
 * finished task.
 */
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

// Below, GitHub's alerts are read:
// https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#alerts

const ALERT = new RegExp(`^\\[!(${ALERT_KIND})\\][ \\t]*(?:\\n|$)`, 'i');

/**
 * Turns a quotation that begins with an alert's mark, such as `[!NOTE]`, into an alert without that mark; `info` is its
 * kind.
 */
function useAlerts(md: MarkdownIt): void {
  md.core.ruler.before('inline', 'alerts', ({ tokens }) => {
    tokens.forEach((inline, n) => {
      const [open, paragraph] = [tokens[n - 2], tokens[n - 1]];
      if (inline.type !== 'inline' || open?.type !== 'blockquote_open' || inline.map === null) return;
      const [mark, kind = ''] = ALERT.exec(inline.content) ?? [];
      if (mark === undefined) return;
      Object.assign(open, { type: 'alert_open', info: kind.toLowerCase() });
      inline.content = inline.content.slice(mark.length);
      inline.map = [inline.map[0] + 1, inline.map[1]];
      paragraph!.hidden = inline.content === '';
    });
  });
}

// GFM 0.29 §6.9, autolinks without angle brackets: http(s), www. and e-mail addresses.

const SCHEME = /(?:^|[^a-zA-Z\d])(https?)$/i;
// A Chinese or Japanese full stop also ends an address, as no space follows it.
const ADDRESS = /[^\s<。，、；：！？（）「」『』【】《》]*/y;
const DOMAIN = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+/u;
const FOUND_LATER =
  /(?<![^\s*_~(])www\.[^\s<。，、；：！？（）「」『』【】《》]+|(?<![\w.+-])[\w.+-]{1,64}@[a-z\d_-]{1,63}(?:\.[a-z\d_-]{1,63}){1,10}(?<![_-])(?![_-])/gi;

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

/** Whether an address begins with a domain: "No underscores may be present in the last two segments of the domain." */
function isDomain(address: string): boolean {
  const segments = DOMAIN.exec(address)?.[0].split('.') ?? [];
  return segments.length > 1 && !segments.slice(-2).some((segment) => segment.includes('_'));
}

function trimAddress(address: string): string {
  for (let rest = address; ;) {
    const ending = /(?:[?!.,:*_~'"]|&[a-z\d]+;)$/i.exec(rest)?.[0] ?? (isUnopened(rest) ? ')' : '');
    if (ending === '') return rest;
    rest = rest.slice(0, -ending.length);
  }
}

const isUnopened = (address: string): boolean =>
  address.endsWith(')') && address.split(')').length > address.split('(').length;

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

const FRONT_MATTER = /^---[ \t]*(?:\r\n?|\n)(?=[A-Za-z_][\w-]*[ \t]*:)/;
const FRONT_MATTER_END = /(?:^|\r\n?|\n)(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$)/;

type SourceLine = { readonly start: number; readonly end: number };

/**
 * A text as the parser reads it: with LF line breaks, and without a byte order mark and front matter. `lines` are its
 * lines as offsets in `original`.
 */
export type MarkdownSource = ReturnType<typeof readSource>;

export function readSource(original: string) {
  const lines: SourceLine[] = [];
  const from = bodyStart(original);
  const ends = /\r\n?|\n/g;
  ends.lastIndex = from;
  let start = from;
  for (const { 0: end, index } of original.matchAll(ends)) {
    lines.push({ start, end: index });
    start = index + end.length;
  }
  lines.push({ start, end: original.length });
  const text = original.slice(from).replace(/\r\n?/g, '\n');
  return { original, text, lines };
}

export function bodyStart(original: string): number {
  const bom = original.startsWith('\ufeff') ? 1 : 0;
  const begin = FRONT_MATTER.exec(original.slice(bom, bom + 1000))?.[0].length;
  if (begin === undefined) return bom;
  const rest = bom + begin;
  const end = FRONT_MATTER_END.exec(original.slice(rest));
  return end === null ? bom : rest + end.index + end[0].length;
}
