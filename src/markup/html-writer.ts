import { type ContentMap, trace } from './content-map.ts';
import { TooMuch } from './rendered.ts';

/** Elements that a writer's HTML may use, and the attributes of each besides `id`, `lang` and `dir`. */
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

/** Elements that are removed together with their text. */
const SILENT = new Set(
  (
    'script style svg math template noscript iframe object embed applet frameset noframes noembed xmp plaintext ' +
    'textarea title head select option canvas audio video map'
  ).split(' '),
);

const VOID_ELEMENTS = new Set(['br', 'hr', 'img', 'wbr']);

/** Elements that HTML allows in a paragraph. */
const PHRASING = new Set(
  'br span em strong i b del s ins u code kbd samp var sub sup mark small abbr cite q dfn bdi ruby rt rp wbr a img time'.split(
    ' ',
  ),
);

/** Elements whose end tag may be left out, and what begins after their end. */
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

/** Whether the element `open` ends where `next` begins. */
const endsBefore = (open: string, next: string): boolean =>
  open === 'p' ? !PHRASING.has(next) : (ENDED_BY[open]?.test(next) ?? false);

/** The attributes that an element may keep; addresses and ids are checked later. */
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

/** Deeper markup is no writing, and costs a browser its depth squared. */
const DEEPEST = 100;

/** Longer HTML comes of no text that is read, in UTF-16 units: a note that is named often has as many links back. */
const LONGEST = 16 * 1024 * 1024;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that XML forbids are removed too: e-books are made of the same text. */
const UNSAFE = /[&<>"\ufffe\uffff]|(?![\t\n\r])\p{Cc}|\p{Cs}/gu;

const escaped = (character: string): string => ESCAPES[character] ?? '\ufffd';

/** A text escaped for a place between tags or in an attribute's quotation marks. */
export const escapeHtml = (text: string): string => text.replace(UNSAFE, escaped);

/**
 * Writes HTML that is well-formed XML too. Its own elements come from the renderer; those of the text's author are let in
 * one by one, end with the element around them, and never end one of the renderer's. Alongside it notes which text comes
 * from which offsets of the source.
 */
export class HtmlWriter {
  private readonly parts: string[] = [];
  private readonly stack: Open[] = [];
  private readonly runs: number[] = [];
  private readonly blocks: number[] = [];
  private readonly unplaced: number[] = [];
  private length = 0;
  /** The author's element that waits for the first source that can be played. */
  awaited: 'audio' | 'video' | null = null;
  /** Characters of code that were highlighted so far. */
  highlighted = 0;
  private readonly most: number;
  /** The author's element whose text is being removed. */
  private silent = '';

  /** `most` is how long the HTML may become, in UTF-16 units. */
  constructor(most = LONGEST) {
    this.most = most;
  }

  /** Opens an element of the renderer's. */
  open(tag: string, attributes: Attributes = {}): void {
    this.push(tag, attributes, true);
  }

  /** Closes the renderer's last element, and first the author's elements that are still open in it. */
  close(): void {
    while (this.stack.at(-1)?.isOwn === false) this.pop();
    this.pop();
  }

  /** An element without content. */
  put(tag: string, attributes: Attributes = {}): void {
    if (this.silent === '') this.append(`<${tag}${attributesOf(attributes)} />`);
  }

  /** An element of the renderer's without content, which has an end tag all the same. */
  whole(tag: string, attributes: Attributes): void {
    if (this.silent === '') this.append(`<${tag}${attributesOf(attributes)}></${tag}>`);
  }

  /** Admits an element of the author. If HTML does not allow it there, only its text stays. */
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

  /** Ends an author's element that hides its content: it hides nothing beyond its own HTML. */
  endSilence(): void {
    this.silent = '';
  }

  /** Text that is in no place of the source. */
  text(text: string): void {
    if (this.silent === '') this.append(escapeHtml(text));
  }

  /** Text that stands for `length` characters of the source: an entity, an escape. */
  textFor(text: string, source: number, length: number): void {
    this.markupFor(escapeHtml(text), source, length);
  }

  /** Whole elements of the renderer's that stand for `length` characters of the source: a formula. */
  markupFor(html: string, source: number, length: number): void {
    if (this.silent !== '') return;
    this.runs.push(this.length, html.length, source, length);
    this.append(html);
  }

  /** Text that is in the source, character for character, from `source` on. */
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
   * A stretch of a block's content; `shown` is the same with some characters written as others, one for one. Whether all
   * of it but white space has a place in the source.
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
      from,
      to,
      (start, end, source) => this.textFrom(shown.slice(start - from, end - from), source),
      (start, end) => {
        const text = shown.slice(start - from, end - from);
        if (/\S/.test(text)) isPlaced = false;
        this.text(text);
      },
    );
    return isPlaced;
  }

  /** Notes the beginning of a block with the source `start` to `end`; called at the block's end. */
  beginBlock(start: number, end: number): () => void {
    const [from, around, depth] = [this.length, this.stack.at(-1), this.stack.length];
    return () => {
      // One in which the author left an element open, or ended one around it, has no whole HTML.
      if (this.stack.length === depth && this.stack.at(-1) === around)
        this.blocks.push(from, this.length, start, end);
    };
  }

  /** Notes that some text of those offsets is shown, and not known where. */
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
