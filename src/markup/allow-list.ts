import type { Attributes } from './html-writer.ts';

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

const VOID = new Set(['br', 'hr', 'img', 'wbr']);

/** Elements that HTML lets stand in a paragraph. */
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

export const isAllowed = (tag: string): boolean => Object.hasOwn(ELEMENTS, tag);
export const isSilent = (tag: string): boolean => SILENT.has(tag);
export const isVoid = (tag: string): boolean => VOID.has(tag);
export const isPhrasing = (tag: string): boolean => PHRASING.has(tag);

/** Whether the element `open` ends where `next` begins. */
export function endsBefore(open: string, next: string): boolean {
  return open === 'p' ? !PHRASING.has(next) : (ENDED_BY[open]?.test(next) ?? false);
}

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
