// Makes markup conform to the content models of HTML in EPUB Content Documents 3.2
// (https://www.w3.org/TR/epub-32/#sec-xhtml-content-docs).
import { type Element, element, isBlank, type Node, parseXhtml, writeXhtml } from './xhtml.ts';

type Place = {
  readonly isLine: boolean;
  readonly isLink: boolean;
  readonly isCell: boolean;
  /** The tags of the enclosing elements that must not contain one of their own kind, each after a space. */
  readonly within: string;
  readonly ids: ElementIds;
};

const PHRASES = new Set(
  'span em strong i b del s ins u code kbd samp var sub sup mark small abbr cite q bdi'.split(' '),
);
const MATHML = 'http://www.w3.org/1998/Math/MathML';
const LINES = new Set('p h1 h2 h3 h4 h5 h6 pre'.split(' '));

/** Makes the site's markup valid in an e-book. An element that is not allowed is replaced by its content. */
export function conformText(markup: string) {
  const nodes = parseXhtml(markup);
  const ids = createElementIds([...markup.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
  const place: Place = { isLine: false, isLink: false, isCell: false, within: '', ids };
  const blocks = nodes.map((node) => ({ node, made: conform([node], place) }));
  const xhtml = writeXhtml(blocks.flatMap(({ made }) => made));
  return { xhtml, ids: Object.fromEntries(ids.names), blocks };
}

function conform(nodes: readonly Node[], place: Place): Node[] {
  const conformed: Node[] = [];
  for (const node of nodes)
    if (typeof node === 'string') conformed.push(node);
    else conformed.push(...conformElement(node, place));
  return conformed;
}

function conformElement(node: Element, place: Place): readonly Node[] {
  const { tag } = node;
  // Elements inside lines are handled first, since they are the most common.
  if (PHRASES.has(tag)) return [keep(node, tag, inLine(place))];
  if (tag === 'br' || tag === 'wbr') return [element(tag, [])];
  if (tag === 'img') return [element('img', conformAttributes(node, 'img', place.ids))];
  if (tag === 'a') return conformLink(node, place);
  if (tag === 'ruby') return conformRuby(node, place);
  // A formula is already valid: the renderer wrote all of it.
  if (tag === 'math') return [{ ...node, attributes: new Map([['xmlns', MATHML], ...node.attributes]) }];
  if (tag === 'time' || tag === 'dfn') return conformOnce(node, place);
  if (place.isLine) return unwrap(node, place);
  if (tag === 'hr') return [element('hr', [])];
  if (LINES.has(tag)) return [keep(node, lineTag(tag, place), inLine(place))];
  if (tag === 'ul' || tag === 'ol') return conformList(node, place);
  if (tag === 'dl') return conformDefinitions(node, place);
  if (tag === 'table') return conformTable(node, place);
  return [conformBox(node, place)];
}

const keep = (node: Element, tag: string, inside: Place): Element =>
  element(tag, conformAttributes(node, tag, inside.ids), conform(node.children, inside));

const inLine = (place: Place): Place => (place.isLine ? place : { ...place, isLine: true });

const lineTag = (tag: string, { isCell }: Place): string => (isCell && tag.startsWith('h') ? 'p' : tag);

/** Replaces an element by its children, with a line break after them if it was a block. */
function unwrap({ tag, children }: Element, place: Place): Node[] {
  if (tag === 'hr') return [element('br', [])];
  const inside = conform(children, place);
  if (inside.every(isBlank)) return inside;
  return tag === 'td' || tag === 'th' ? [...inside, ' '] : [...inside, element('br', [])];
}

function conformLink(node: Element, place: Place): readonly Node[] {
  const { attributes } = node;
  const kind = attributes.get('class');
  // The link of a heading to itself is only useful on a web page.
  if (kind === 'anchor') return [];
  if (place.isLink) return conform(node.children, place);
  const kept = keep(node, 'a', { ...place, isLine: true, isLink: true });
  // Nobody can follow a link without words, and a screen reader would spell its address.
  if (attributes.has('href') && kept.children.every(isBlank)) return [];
  return [kind === 'note' ? { ...kept, attributes: withType(kept.attributes, 'noteref') } : kept];
}

const withType = (attributes: ReadonlyMap<string, string>, type: string): ReadonlyMap<string, string> =>
  new Map([...attributes, ['epub:type', type], ['role', `doc-${type}`]]);

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/;

/**
 * Makes a `time` or `dfn` valid. One inside another of its kind is replaced by its content. A `time` becomes a `span` unless it
 * is a plain day up to the 28th, which every month has.
 */
function conformOnce(node: Element, place: Place): readonly Node[] {
  const { tag, attributes, children } = node;
  if (place.within.includes(tag)) return conform(children, place);
  const isKept = tag !== 'time' || DAY.test(attributes.get('datetime') ?? '');
  const inside = { ...place, isLine: true, within: `${place.within} ${tag}` };
  return [keep(node, isKept ? tag : 'span', inside)];
}

function conformBox(node: Element, place: Place): Element {
  const { tag, attributes } = node;
  if (tag === 'section' && attributes.get('class') === 'notes') return conformNotes(node, place);
  const isAlert = tag === 'aside' && attributes.get('class')?.startsWith('alert ') === true;
  if (tag === 'blockquote' || isAlert) return keep(node, tag, place);
  if (tag === 'figure') return conformFigure(node, place);
  if (tag === 'summary' || tag === 'caption' || tag === 'figcaption')
    return keep(node, 'p', { ...place, isLine: true });
  // Other boxes become a `div`: a `section` would need a heading, and some reading programs cannot open a `details`.
  return keep(node, 'div', place);
}

function conformNotes(node: Element, place: Place): Element {
  const kept = keep(node, 'section', place);
  const typed = kept.children.map((child) =>
    typeof child === 'string' || child.tag !== 'ol'
      ? child
      : { ...child, children: child.children.map(asNote) },
  );
  return { ...kept, attributes: withType(kept.attributes, 'endnotes'), children: typed };
}

function asNote(node: Node): Node {
  if (typeof node === 'string' || node.tag !== 'li') return node;
  // DPUB-ARIA 1.1 withdrew the role of a single note.
  return { ...node, attributes: new Map([...node.attributes, ['epub:type', 'endnote']]) };
}

/** Makes a figure valid. It may have one caption, as its first or last element; otherwise its captions become paragraphs. */
function conformFigure(node: Element, place: Place): Element {
  const filled = node.children.filter((child) => !isBlank(child));
  const captions = filled.filter((child) => typeof child !== 'string' && child.tag === 'figcaption');
  const [caption] = captions;
  const isPlaced =
    captions.length === 1 && caption !== undefined && (filled[0] === caption || filled.at(-1) === caption);
  const children = node.children.flatMap((child) =>
    isPlaced && child === caption ? [keep(child as Element, 'figcaption', place)] : conform([child], place),
  );
  return element('figure', conformAttributes(node, 'figure', place.ids), children);
}

function conformList(node: Element, place: Place): readonly Node[] {
  const items: Element[] = [];
  let loose: Node[] = [];
  const endLoose = (): void => {
    if (!loose.every(isBlank)) items.push(element('li', [], conform(loose, place)));
    loose = [];
  };
  for (const child of node.children)
    if (typeof child !== 'string' && child.tag === 'li') {
      endLoose();
      items.push(withoutValue(keep(child, 'li', place), node.tag));
    } else loose.push(child);
  endLoose();
  if (items.length === 0) return [];
  return [element(node.tag, conformAttributes(node, node.tag, place.ids), items)];
}

function withoutValue(item: Element, list: string): Element {
  if (list === 'ol') return item;
  return { ...item, attributes: new Map([...item.attributes].filter(([name]) => name !== 'value')) };
}

/**
 * Makes a list of terms and definitions valid. Unless it is groups of terms that each end with definitions, it becomes boxes.
 */
function conformDefinitions(node: Element, place: Place): readonly Node[] {
  const filled = node.children.filter((child) => !isBlank(child));
  if (filled.length === 0) return [];
  const order = filled.map((child) => (typeof child === 'string' ? 'x' : (ORDER[child.tag] ?? 'x'))).join('');
  const isList = /^(?:t+d+)+$/.test(order);
  const children = filled.flatMap((child) =>
    typeof child !== 'string' && (child.tag === 'dt' || child.tag === 'dd')
      ? [keep(child, isList ? child.tag : 'div', child.tag === 'dt' ? { ...place, isLine: true } : place)]
      : conform([child], place),
  );
  const tag = isList ? 'dl' : 'div';
  return [element(tag, conformAttributes(node, tag, place.ids), children)];
}

const ORDER: Readonly<Record<string, string>> = { dt: 't', dd: 'd' };

/**
 * Makes a `ruby` element, characters with their readings, valid. It becomes a `span` inside another `ruby`, and unless each
 * reading follows its characters.
 */
function conformRuby(node: Element, place: Place): readonly Node[] {
  const inside = { ...place, isLine: true };
  const parts = node.children.filter((child) => typeof child === 'string' || child.tag !== 'rp');
  const order = parts.map((child) => (isReading(child) ? 't' : isBlank(child) ? '' : 'b')).join('');
  const isRuby = /^(?:b+t)+$/.test(order) && !place.within.includes('ruby');
  const children = parts.flatMap((child) =>
    typeof child !== 'string' && isReading(child)
      ? [keep(child, isRuby ? 'rt' : 'span', { ...inside, within: `${place.within} ruby` })]
      : conform([child], { ...inside, within: `${place.within} ruby` }),
  );
  const tag = isRuby ? 'ruby' : 'span';
  return [element(tag, conformAttributes(node, tag, place.ids), children)];
}

const isReading = (node: Node): boolean => typeof node !== 'string' && node.tag === 'rt';

const GROUPS = new Set(['thead', 'tbody', 'tfoot']);

type Parts = {
  readonly groups: { readonly tag: string; readonly rows: Element[] }[];
  readonly captions: Element[];
  readonly others: Node[];
};

function conformTable(node: Element, place: Place): readonly Node[] {
  const parts: Parts = { groups: [], captions: [], others: [] };
  for (const child of node.children) sortPart(child, parts);
  const { captions, others, groups } = parts;
  const before = [...others, ...captions.slice(1)].filter((other) => !isBlank(other));
  const inside = groups.map(({ tag, rows }) => ({
    tag,
    rows: rows.flatMap((row) => conformRow(row, place)),
  }));
  const filled = inside.filter(({ rows }) => rows.length > 0);
  const head = filled.find(({ tag }) => tag === 'thead');
  const foot = filled.findLast(({ tag }) => tag === 'tfoot');
  const bodies = filled.filter((group) => group !== head && group !== foot);
  const made = [
    ...(head === undefined ? [] : [element('thead', [], head.rows)]),
    ...bodies.map(({ rows }) => element('tbody', [], rows)),
    ...(foot === undefined ? [] : [element('tfoot', [], foot.rows)]),
  ];
  const [caption] = captions;
  const titled = caption === undefined ? [] : [keep(caption, 'caption', { ...place, isLine: true })];
  const table = element('table', conformAttributes(node, 'table', place.ids), [...titled, ...made]);
  return [...conform(before, place), ...(made.length === 0 ? titled.flatMap(textOf) : [table])];
}

const textOf = ({ children }: Element): readonly Node[] => [element('p', [], children)];

function sortPart(child: Node, parts: Parts): void {
  if (typeof child === 'string') parts.others.push(child);
  else if (GROUPS.has(child.tag)) {
    const group = { tag: child.tag, rows: [] };
    parts.groups.push(group);
    for (const inner of child.children) sortRow(inner, group.rows, parts);
  } else if (child.tag === 'caption') parts.captions.push(child);
  else sortRow(child, looseRows(parts), parts);
}

/**
 * Returns the array for rows outside of head, body and foot: that of the last group if it holds such rows, else of a new group.
 */
function looseRows({ groups }: Parts): Element[] {
  const last = groups.at(-1);
  if (last?.tag === '') return last.rows;
  const group = { tag: '', rows: [] };
  groups.push(group);
  return group.rows;
}

function sortRow(child: Node, rows: Element[], { others }: Parts): void {
  if (typeof child === 'string') others.push(child);
  else if (child.tag === 'tr') rows.push(child);
  else if (child.tag === 'td' || child.tag === 'th') rows.push(element('tr', [], [child]));
  else others.push(child);
}

function conformRow(row: Element, place: Place): Element[] {
  const cells = row.children
    .filter((child) => !isBlank(child))
    .map((child) =>
      typeof child !== 'string' && (child.tag === 'td' || child.tag === 'th')
        ? keep(child, child.tag, { ...place, isCell: child.tag === 'th' })
        : element('td', [], conform([child], place)),
    );
  return cells.length === 0 ? [] : [element('tr', conformAttributes(row, 'tr', place.ids), cells)];
}

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
  th: { colspan: /^[1-9]\d{0,2}$/, rowspan: /^[1-9]\d{0,2}$/, scope: /^(?:row|col|rowgroup|colgroup)$/ },
};
const OWN_ENTRIES = new Map(Object.entries(OWN).map(([tag, names]) => [tag, Object.entries(names)]));
const NONE: readonly [string, string][] = [];

/** Returns the attributes that an element may keep if its tag becomes `tag`, in a fixed order. */
function conformAttributes({ attributes }: Element, tag: string, ids: ElementIds) {
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

const SIMPLE = /^[A-Za-z][A-Za-z0-9_.-]{0,99}$/;

type ElementIds = {
  /** Maps each id in the text, escaped for XML, to its id in the e-book. */
  readonly names: Map<string, string>;
  readonly nameOf: (id: string) => string;
};

/**
 * Makes the ids for the e-book: simple ones are kept, and others get a new one. `taken` are all ids of the text, so that
 * a new one never equals an old one.
 */
function createElementIds(taken: Iterable<string>): ElementIds {
  const used = new Set(taken);
  const names = new Map<string, string>();
  let count = 0;
  const next = (): string => {
    for (;;) {
      const name = `i${++count}`;
      if (!used.has(name)) return name;
    }
  };
  return {
    names,
    nameOf(id: string): string {
      const name = names.get(id) ?? (SIMPLE.test(id) ? id : next());
      names.set(id, name);
      return name;
    },
  };
}
