import { Tokenizer } from 'htmlparser2';
import { type ContentMap, placeOf } from './content-map.ts';
import { allowedAttributes, type Attributes, type HtmlWriter } from './html-writer.ts';
import type { Links } from '../item-links.ts';
import { linkAttributes, type Page } from './rendered.ts';

/** The parts of a page with which an author's HTML is checked, besides the list of allowed elements. */
type Judge = Pick<Page, 'writer' | 'links' | 'ids' | 'shift'>;

/**
 * Writes an author's HTML into the page: allowed elements and attributes, and all text outside of elements that are
 * removed whole. `html` may be a fragment, such as a start tag whose end comes later. Returns whether the source offsets
 * of all its text are known.
 */
export function writeForeignHtml(html: string, map: ContentMap, judge: Judge): boolean {
  const { writer, shift } = judge;
  let isPlaced = true;
  let tag = '';
  let name = '';
  let attributes: Record<string, string> = {};
  const open = (): void => openForeign(tag, attributes, judge);
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname(start, end) {
        tag = html.slice(start, end).toLowerCase();
        attributes = {};
      },
      onattribname(start, end) {
        name = html.slice(start, end).toLowerCase();
        attributes[name] = '';
      },
      onattribdata: (start, end) => void (attributes[name] += html.slice(start, end)),
      onattribentity: (codePoint) => void (attributes[name] += String.fromCodePoint(codePoint)),
      onattribend() {},
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag: (start, end) => writer.closeForeign(shifted(html.slice(start, end).toLowerCase(), shift)),
      ontext(start, end) {
        isPlaced = writer.content(html, map, start, end) && isPlaced;
      },
      ontextentity(codePoint, end) {
        const at = html.lastIndexOf('&', end - 1);
        const text = String.fromCodePoint(codePoint);
        isPlaced = writeEscape({ text, at, length: end - at }, map, writer) && isPlaced;
      },
      oncomment() {},
      oncdata() {},
      ondeclaration() {},
      onprocessinginstruction() {},
      onend() {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  writer.endSilence();
  return isPlaced;
}

/**
 * Writes `text` for an escape or entity of `length` characters at `at` in the content. Returns whether its offset in the source
 * is known.
 */
export function writeEscape(
  { text, at, length }: { readonly text: string; readonly at: number; readonly length: number },
  map: ContentMap,
  writer: HtmlWriter,
): boolean {
  const source = placeOf(map, at, length);
  if (source === null) writer.text(text);
  else writer.textFor(text, source, length);
  return source !== null;
}

function openForeign(name: string, written: Attributes, { writer, links, ids, shift }: Judge): void {
  const tag = shifted(name, shift);
  const { id: wanted, href, src, ...attributes } = allowedAttributes(tag, written);
  const id = ids.claim(wanted ?? (tag === 'a' ? written['name'] : undefined));
  const named = id === null ? attributes : { id, ...attributes };
  if (tag === 'img') return writeImage(src ?? '', named, writer, links);
  if (tag === 'audio' || tag === 'video') {
    const { src: own, title = '' } = written;
    if (own === undefined) writer.awaited = tag;
    if (own === undefined) return;
    writeMedia(own, title, writer, links);
  }
  if (tag === 'source' && writer.awaited !== null && writeMedia(written['src'] ?? '', '', writer, links)) {
    writer.openForeign(writer.awaited, {});
    writer.awaited = null;
  }
  const address = href === undefined ? null : links.href(href);
  writer.openForeign(tag, address === null ? named : { ...named, ...linkAttributes(address) });
}

/** Writes a player for a recording or film of the item. Returns false, and writes nothing, if `src` is neither. */
function writeMedia(src: string, label: string, writer: HtmlWriter, links: Links): boolean {
  const media = links.media?.(src) ?? null;
  if (media === null) return false;
  const named: Attributes = label === '' ? {} : { 'aria-label': label };
  writer.whole(media.tag, { src: media.address, controls: '', preload: 'metadata', ...named });
  return true;
}

/**
 * Writes an image of the item, or a player if it is a recording. An image that cannot be shown, such as one of another site,
 * becomes a link to its address; without an address, or inside a link, its alternative text.
 */
export function writeImage(src: string, attributes: Attributes, writer: HtmlWriter, links: Links): void {
  const { alt = '' } = attributes;
  if (writeMedia(src, alt, writer, links)) return;
  const image = links.image(src);
  const { width, height } = links.sizeOf?.(src) ?? {};
  const sized: Attributes = width === undefined ? {} : { width: String(width), height: String(height) };
  if (image !== null) return writer.put('img', { ...sized, ...attributes, src: image, alt, loading: 'lazy' });
  const address = links.href(src);
  if (address === null || writer.isWithin('a')) return writer.text(alt);
  writer.openForeign('a', linkAttributes(address));
  writer.text(alt === '' ? src : alt);
  writer.closeForeign('a');
}

export function shifted(tag: string, shift: number): string {
  const level = /^h([1-6])$/.exec(tag)?.[1];
  return level === undefined ? tag : `h${Math.min(6, Number(level) + shift)}`;
}
