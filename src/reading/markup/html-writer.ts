import { type ContentMap, trace } from './content-map.ts';
import { TooMuch } from './rendered.ts';
import type { Player } from '../../catalog/path.rule.ts';

/** Elements that an author's HTML may use, and the attributes of each besides `id`, `lang` and `dir`. */
const ELEMENTS: Readonly<Record<string, readonly string[]>> = Object.fromEntries([
  ...(
    'h1 h2 h3 h4 h5 h6 p br hr blockquote pre ul div section article aside header footer figure figcaption span em ' +
    'strong i b del s ins u code kbd samp var sub sup mark small abbr cite q dfn bdi ruby rt rp wbr ' +
    'table caption thead tbody tfoot tr summary dl dt dd a img details ol li td th time'
  )
    .split(' ')
    .map((tag) => [tag, []] as const),
  ['a', ['href', 'title']],
  ['img', ['src', 'alt', 'title', 'width', 'height']],
  ['details', ['open']],
  ['abbr', ['title']],
  ['dfn', ['title']],
  ['time', ['datetime']],
  ['ol', ['start', 'reversed']],
  ['li', ['value']],
  ['td', ['colspan', 'rowspan']],
  ['th', ['colspan', 'rowspan', 'scope']],
]);

const SILENT = new Set(
  (
    'script style svg math template noscript iframe object embed applet frameset noframes noembed xmp plaintext ' +
    'textarea title head select option canvas audio video map'
  ).split(' '),
);

export const VOID_ELEMENTS = new Set(['br', 'hr', 'img', 'wbr']);

const PHRASING = new Set(
  'br span em strong i b del s ins u code kbd samp var sub sup mark small abbr cite q dfn bdi ruby rt rp wbr a img time'.split(
    ' ',
  ),
);

/** Elements whose end tag is optional, with the elements that end them when they begin. */
const ENDED_BY: Readonly<Record<string, RegExp>> = {
  li: /^li$/,
  dt: /^d[td]$/,
  dd: /^d[td]$/,
  rt: /^r[tp]$/,
  rp: /^r[tp]$/,
  td: /^(?:t[dhr]|tbody|tfoot)$/,
  th: /^(?:t[dhr]|tbody|tfoot)$/,
  tr: /^(?:tr|tbody|tfoot)$/,
  thead: /^(?:tbody|tfoot)$/,
  tbody: /^(?:tbody|tfoot)$/,
};

const VALUES: Readonly<Record<string, RegExp>> = {
  width: /^\d{1,4}$/,
  height: /^\d{1,4}$/,
  start: /^-?\d{1,9}$/,
  value: /^-?\d{1,9}$/,
  colspan: /^\d{1,3}$/,
  rowspan: /^\d{1,3}$/,
  scope: /^(?:row|col|rowgroup|colgroup)$/,
  dir: /^(?:ltr|rtl|auto)$/,
  lang: /^[a-zA-Z]{1,8}(?:-[a-zA-Z\d]{1,8}){0,6}$/,
  datetime: /^[\d:.TZ+-]{1,40}$/,
};

const endsBefore = (open: string, next: string): boolean =>
  open === 'p' ? !PHRASING.has(next) : (ENDED_BY[open]?.test(next) ?? false);

export function allowedAttributes(tag: string, attributes: Attributes): Attributes {
  const names = [...(ELEMENTS[tag] ?? []), 'id', 'lang', 'dir'];
  const kept = names.flatMap((name) => {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (value === undefined) return [];
    if (name === 'open' || name === 'reversed') return [[name, '']] as const;
    return (VALUES[name] ?? /^/).test(value) ? ([[name, value]] as const) : [];
  });
  return Object.fromEntries(kept);
}

export type Attributes = Readonly<Record<string, string>>;

type Open = { readonly tag: string; readonly isOwn: boolean };

/** The maximum nesting that is written. No text needs more, and the time of browsers grows with the square of the depth. */
const DEEPEST = 100;

/**
 * The maximum length of the HTML, in UTF-16 units. Only a malicious text exceeds it, such as one that refers to a note
 * thousands of times and gets a link back for each.
 */
const LONGEST_HTML = 16 * 1024 * 1024;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/**
 * Matches characters that must be escaped, and characters that XML forbids. The latter are replaced by U+FFFD, since e-books
 * are made from the same HTML.
 */
const UNSAFE = /[&<>"\ufffe\uffff]|(?![\t\n\r])\p{Cc}|\p{Cs}/gu;

const escaped = (character: string): string => ESCAPES[character] ?? '\ufffd';

export const escapeHtml = (text: string): string => text.replace(UNSAFE, escaped);

/**
 * Writes HTML that is also well-formed XML, and records from which source offsets each text comes. The renderer's
 * elements are written without a check. Each element of an author's HTML is checked, and closed at the latest with the
 * element around it; its end tags never close an element of the renderer.
 */
export class HtmlWriter {
  private readonly parts: string[] = [];
  private readonly stack: Open[] = [];
  private readonly runs: number[] = [];
  private readonly blocks: number[] = [];
  private readonly unplaced: number[] = [];
  private length = 0;
  /**
   * The tag of an author's audio or video element that was read without a `src`, until a `source` that can be played is read;
   * else null.
   */
  awaited: Player | null = null;
  highlighted = 0;
  private readonly most: number;
  /** The tag of the author's element whose whole content is being removed; '' if there is none. */
  private silent = '';

  /** `most` is the maximum length of the HTML in UTF-16 units; more throws TooMuch. */
  constructor(most = LONGEST_HTML) {
    this.most = most;
  }

  open(tag: string, attributes: Attributes = {}): void {
    this.push(tag, attributes, true);
  }

  /** Closes the last open element of the renderer, and first the author's elements that are still open in it. */
  close(): void {
    while (this.stack.at(-1)?.isOwn === false) this.pop();
    this.pop();
  }

  put(tag: string, attributes: Attributes = {}): void {
    if (this.silent === '') this.append(`<${tag}${attributesOf(attributes)} />`);
  }

  whole(tag: string, attributes: Attributes): void {
    if (this.silent === '') this.append(`<${tag}${attributesOf(attributes)}></${tag}>`);
  }

  /**
   * Opens an element of the author. If it is not allowed here, only its content is written; of some elements, such as
   * `script`, not even that.
   */
  openForeign(tag: string, attributes: Attributes): void {
    if (this.silent !== '') return;
    if (SILENT.has(tag)) this.silent = tag;
    if (!Object.hasOwn(ELEMENTS, tag) || (!PHRASING.has(tag) && this.isInParagraph())) return;
    const ends = (top: Open | undefined): boolean => top?.isOwn === false && endsBefore(top.tag, tag);
    while (ends(this.stack.at(-1))) this.pop();
    if (VOID_ELEMENTS.has(tag)) this.put(tag, attributes);
    else if (tag !== 'a' || !this.isWithin('a')) this.push(tag, attributes, false);
  }

  closeForeign(tag: string): void {
    if (this.silent !== '') {
      if (this.silent === tag) this.endSilence();
      return;
    }
    const at = this.stack.findLastIndex((open) => open.isOwn || open.tag === tag);
    if (this.stack[at]?.isOwn !== false) return;
    while (this.stack.length > at) this.pop();
  }

  /**
   * Stops removing content at the end of a piece of an author's HTML: an element without an end tag must not remove what
   * follows it.
   */
  endSilence(): void {
    this.silent = '';
  }

  text(text: string): void {
    if (this.silent === '') this.append(escapeHtml(text));
  }

  /** Writes text that stands for `length` characters of the source, such as an entity or an escape. */
  textFor(text: string, source: number, length: number): void {
    this.markupFor(escapeHtml(text), source, length);
  }

  /** Writes finished elements of the renderer that stand for `length` characters of the source, such as a formula. */
  markupFor(html: string, source: number, length: number): void {
    if (this.silent !== '') return;
    this.runs.push(this.length, html.length, source, length);
    this.append(html);
  }

  /** Writes text that the source has unchanged, from the offset `source` on. */
  textFrom(text: string, source: number): void {
    if (this.silent !== '') return;
    let from = 0;
    for (const { 0: character, index } of text.matchAll(UNSAFE)) {
      this.verbatim(text.slice(from, index), source + from);
      this.textFor(character, source + index, character.length);
      from = index + character.length;
    }
    this.verbatim(text.slice(from), source + from);
  }

  /**
   * Writes the characters `from` to `to` of a block's content. In `shown`, which is written, some characters may be
   * replaced by others, one for one. Returns whether the source offsets are known for all of it except white space.
   */
  content(
    content: string,
    map: ContentMap,
    from: number,
    to: number,
    shown = content.slice(from, to),
  ): boolean {
    let isPlaced = true;
    trace(
      map,
      { from, to },
      {
        found: (start, end, source) => this.textFrom(shown.slice(start - from, end - from), source),
        missed: (start, end) => {
          const text = shown.slice(start - from, end - from);
          if (/\S/.test(text)) isPlaced = false;
          this.text(text);
        },
      },
    );
    return isPlaced;
  }

  /**
   * Begins a block that reaches from `start` to `end` in the source. Returns a function to call at its end, which records it.
   */
  beginBlock(start: number, end: number): () => void {
    const [from, around, depth] = [this.length, this.stack.at(-1), this.stack.length];
    return () => {
      // The block is not recorded if the author's HTML opened or closed an element across its borders, since no frame
      // can then enclose it.
      if (this.stack.length === depth && this.stack.at(-1) === around)
        this.blocks.push(from, this.length, start, end);
    };
  }

  /** Records that some text of this range of the source is shown, but it is unknown where in the HTML. */
  loseTrack(start: number, end: number): void {
    this.unplaced.push(start, end);
  }

  isWithin(tag: string): boolean {
    return this.stack.some((open) => open.tag === tag);
  }

  finish() {
    while (this.stack.length > 0) this.pop();
    return { html: this.parts.join(''), runs: this.runs, blocks: this.blocks, unplaced: this.unplaced };
  }

  private verbatim(text: string, source: number): void {
    if (text === '') return;
    const { runs, length } = this;
    const last = runs.length - 4;
    const continues =
      last >= 0 &&
      runs[last + 3] === 0 &&
      runs[last]! + runs[last + 1]! === length &&
      runs[last + 2]! + runs[last + 1]! === source;
    if (continues) runs[last + 1]! += text.length;
    else runs.push(length, text.length, source, 0);
    this.append(text);
  }

  private push(tag: string, attributes: Attributes, isOwn: boolean): void {
    if (this.stack.length >= DEEPEST) throw new TooMuch('Too deep');
    this.stack.push({ tag, isOwn });
    this.append(`<${tag}${attributesOf(attributes)}>`);
  }

  private pop(): void {
    const open = this.stack.pop();
    if (open !== undefined) this.append(`</${open.tag}>`);
  }

  private append(html: string): void {
    this.parts.push(html);
    this.length += html.length;
    if (this.length > this.most) throw new TooMuch('Too long');
  }

  private isInParagraph(): boolean {
    return this.stack.some(({ tag, isOwn }) => isOwn && /^(?:p|h[1-6])$/.test(tag));
  }
}

const attributesOf = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('');
