import type { ElementIds } from './element-ids.ts';
import type { Element } from './xhtml.ts';

/** The attributes that EPUB 3.2 allows on an element besides `id`, `lang`, `dir` and `class`, and their values. */
const OWN: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  a: { href: /./, title: /^/ },
  img: { src: /./, alt: /^/, title: /^/, width: /^\d{1,4}$/, height: /^\d{1,4}$/ },
  abbr: { title: /^/ },
  dfn: { title: /^/ },
  time: { datetime: /^/ },
  ol: { start: /^-?\d{1,9}$/, reversed: /^/ },
  li: { value: /^-?\d{1,9}$/ },
  td: { colspan: /^[1-9]\d{0,2}$/, rowspan: /^[1-9]\d{0,2}$/ },
  th: {
    colspan: /^[1-9]\d{0,2}$/,
    rowspan: /^[1-9]\d{0,2}$/,
    scope: /^(?:row|col|rowgroup|colgroup)$/,
  },
};
const OWN_ENTRIES = new Map(Object.entries(OWN).map(([tag, names]) => [tag, Object.entries(names)]));
const NONE: readonly [string, string][] = [];

/** The attributes that an element keeps as `tag`, in one order. */
export function conformAttributes(
  { attributes }: Element,
  tag: string,
  ids: ElementIds,
): readonly (readonly [string, string])[] {
  if (attributes.size === 0) return NONE;
  const kept: [string, string][] = [];
  for (const [name, pattern] of OWN_ENTRIES.get(tag) ?? []) {
    const value = attributes.get(name);
    if (value === undefined || !pattern.test(value)) continue;
    kept.push([name, name === 'reversed' ? 'reversed' : value]);
  }
  const id = attributes.get('id');
  if (id !== undefined) kept.push(['id', ids.nameOf(id)]);
  const language = attributes.get('lang');
  if (language !== undefined && isLanguage(language)) kept.push(['lang', language], ['xml:lang', language]);
  const direction = attributes.get('dir');
  if (direction !== undefined) kept.push(['dir', direction]);
  const className = attributes.get('class');
  if (className !== undefined) kept.push(['class', className]);
  return kept;
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
