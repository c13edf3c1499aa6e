// Cleans drawings: what remains is SVG 1.1 without scripts, without content from elsewhere, and without data of drawing
// programs.
import { escapeXml } from '../../platform/base/text.ts';

const SHAPES = 'path rect circle ellipse line polyline polygon use text';
const CONTAINERS = 'svg g defs symbol pattern mask marker';
const ANYTHING = `${CONTAINERS} ${SHAPES} clipPath linearGradient radialGradient`.split(' ');

/** The elements of a drawing, and the elements allowed in each. Those in `TEXTS` may hold text. */
const CHILDREN: ReadonlyMap<string, readonly string[]> = new Map([
  ...CONTAINERS.split(' ').map((tag) => [tag, ANYTHING] as const),
  ['clipPath', SHAPES.split(' ')],
  ['linearGradient', ['stop']],
  ['radialGradient', ['stop']],
  ['text', ['tspan', 'textPath']],
  ['tspan', ['tspan']],
  ['textPath', ['tspan']],
]);
const TEXTS = new Set(['text', 'tspan', 'textPath']);

const LARGEST_SVG = 2 * 1024 * 1024;
const DEEPEST = 100;
const NAMESPACES = ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!DOCTYPE[^[>]*>|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/gy;
const ATTRIBUTE = /(?<![\w.:-])([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const NAME = /^[A-Za-z_][\w.-]*$/;

/** The state while a drawing is read: the parts to keep, the open elements, and the tag of each element that has an id. */
type Drawing = {
  readonly parts: (string | SvgReference)[];
  readonly open: { readonly tag: string; readonly isKept: boolean }[];
  readonly ids: Map<string, string>;
  isDone: boolean;
};

/** Cleans a drawing for an e-book; null if it is not well-formed SVG with one root. */
export function cleanSvg(source: string): string | null {
  const text = source.replace(/^\ufeff/, '');
  if (text.length > LARGEST_SVG) return null;
  const drawing: Drawing = { parts: [], open: [], ids: new Map(), isDone: false };
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index !== at || !readToken(match, drawing)) return null;
    at += match[0].length;
  }
  if (!drawing.isDone || at !== text.length) return null;
  // A reference is dropped if it leads to no element, or to one of a wrong kind.
  const isKept = ({ id, targets }: SvgReference): boolean => targets.includes(drawing.ids.get(id) ?? '');
  return drawing.parts
    .map((part) => (typeof part === 'string' ? part : isKept(part) ? part.written : ''))
    .join('');
}

function readToken(match: RegExpMatchArray, drawing: Drawing): boolean {
  const [, data, end, tag, written = '', isEmpty, text] = match;
  if (data !== undefined || text !== undefined) return readText(data ?? decode(text ?? ''), drawing);
  if (tag === undefined) return true;
  return end === '/' ? readEnd(tag, drawing) : readStart(tag, written, isEmpty === '/', drawing);
}

function readText(text: string | null, { open, parts }: Drawing): boolean {
  if (text === null || (open.length === 0 && text.trim() !== '')) return false;
  const last = open.at(-1);
  if (last?.isKept === true && (TEXTS.has(last.tag) || text.trim() === '')) parts.push(escapeXml(text));
  return true;
}

function readEnd(tag: string, drawing: Drawing): boolean {
  const last = drawing.open.pop();
  if (last?.tag !== tag) return false;
  if (last.isKept) drawing.parts.push(`</${tag}>`);
  drawing.isDone = drawing.open.length === 0;
  return true;
}

function readStart(tag: string, written: string, isEmpty: boolean, drawing: Drawing): boolean {
  const { open, parts } = drawing;
  const isRoot = open.length === 0;
  if (drawing.isDone || open.length >= DEEPEST || (isRoot && tag !== 'svg')) return false;
  const parent = open.at(-1);
  const isLet = isRoot || (parent?.isKept === true && (CHILDREN.get(parent.tag)?.includes(tag) ?? false));
  const attributes = attributesOf(tag, written, isLet ? drawing.ids : new Map());
  if (attributes === null) return false;
  const isKept = isLet && attributes.isWhole;
  if (isKept) parts.push(`<${tag}${isRoot ? NAMESPACES : ''}`, ...attributes.kept, isEmpty ? '/>' : '>');
  if (!isEmpty) open.push({ tag, isKept });
  else drawing.isDone = isRoot;
  return true;
}

/** Returns the attributes that an element keeps, and whether it has all required ones; null if they are not well-formed. */
function attributesOf(tag: string, written: string, ids: Drawing['ids']) {
  const seen = new Set<string>();
  const kept: Drawing['parts'] = [];
  let id = '';
  for (const [, name = '', double, single] of written.matchAll(ATTRIBUTE)) {
    const value = decode(double ?? single ?? '');
    if (value === null || seen.has(name)) return null;
    seen.add(name);
    if (name === 'id') id = value;
    const attribute = svgAttribute(tag, name, value);
    if (attribute !== null) kept.push(attribute);
  }
  if (seen.has('href')) seen.add('xlink:href');
  const isWhole = (REQUIRED.get(tag) ?? []).every((name) => seen.has(name));
  if (isWhole && isNew(id, ids)) {
    ids.set(id, tag);
    kept.unshift(` id="${id}"`);
  }
  return { kept, isWhole };
}

/** Whether an id is valid and not taken: only the first element with an id keeps it. */
const isNew = (id: string, ids: Drawing['ids']): boolean => NAME.test(id) && !ids.has(id);

function decode(text: string): string | null {
  let isKnown = true;
  const decoded = text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w*));?/g,
    (whole, decimal?: string, hex?: string, name = '') => {
      const point =
        decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : -1;
      if (whole.endsWith(';') && point >= 0 && point <= 0x10ffff) return String.fromCodePoint(point);
      if (whole.endsWith(';') && Object.hasOwn(NAMED, name)) return NAMED[name]!;
      isKnown = false;
      return '';
    },
  );
  return isKnown ? decoded : null;
}

const STYLE = new Set(
  (
    'class fill fill-opacity fill-rule stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit ' +
    'stroke-dasharray stroke-dashoffset stroke-opacity opacity color display visibility clip-rule stop-color ' +
    'stop-opacity font-family font-size font-style font-weight font-variant text-anchor text-decoration ' +
    'letter-spacing word-spacing direction dominant-baseline'
  ).split(' '),
);

const BOX = 'x y width height';
const VIEW = 'viewBox preserveAspectRatio';
const SET = 'x y dx dy rotate textLength lengthAdjust';
const GRADIENT = 'gradientUnits gradientTransform spreadMethod';

/** The attributes that only certain elements may have. A "!" marks one that is required. */
const OWN: Readonly<Record<string, string>> = {
  svg: `${BOX} ${VIEW}`,
  g: 'transform',
  defs: 'transform',
  symbol: VIEW,
  use: `${BOX} transform xlink:href!`,
  path: 'd! transform',
  rect: 'x y width! height! rx ry transform',
  circle: 'cx cy r! transform',
  ellipse: 'cx cy rx! ry! transform',
  line: 'x1 y1 x2 y2 transform',
  polyline: 'points! transform',
  polygon: 'points! transform',
  text: `${SET} transform`,
  tspan: SET,
  textPath: 'startOffset xlink:href!',
  linearGradient: `x1 y1 x2 y2 ${GRADIENT}`,
  radialGradient: `cx cy r fx fy ${GRADIENT}`,
  stop: 'offset!',
  pattern: `${BOX} ${VIEW} patternUnits patternContentUnits patternTransform`,
  clipPath: 'clipPathUnits transform',
  mask: `${BOX} maskUnits maskContentUnits`,
  marker: `${VIEW} refX refY markerUnits markerWidth markerHeight orient`,
};
const OWN_NAMES = new Map(
  Object.entries(OWN).map(([tag, names]) => [tag, new Set(names.replaceAll('!', '').split(' '))]),
);
const REQUIRED = new Map(Object.entries(OWN).map(([tag, names]) => [tag, names.match(/[^ ]+(?=!)/g) ?? []]));

const SHAPE_NAMES = 'svg g symbol use path rect circle ellipse line polyline polygon text'.split(' ');
const PAINTS = ['linearGradient', 'radialGradient', 'pattern'];

/**
 * The elements to which a reference may lead, by the attribute that refers to them; for `xlink:href`, by the tag that has it.
 */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  fill: PAINTS,
  stroke: PAINTS,
  'clip-path': ['clipPath'],
  mask: ['mask'],
  'marker-start': ['marker'],
  'marker-mid': ['marker'],
  'marker-end': ['marker'],
  use: SHAPE_NAMES,
  textPath: ['path'],
  linearGradient: PAINTS,
  radialGradient: PAINTS,
  pattern: ['pattern'],
};

/** An attribute that refers to another element of the drawing. `targets` are the tags that this element may have. */
type SvgReference = { readonly written: string; readonly id: string; readonly targets: readonly string[] };

const ADDRESS = /^#([A-Za-z_][\w.-]*)$/;
const URL = /^url\(\s*(['"]?)#([A-Za-z_][\w.-]*)\1\s*\)$/;

function svgAttribute(tag: string, name: string, value: string): string | SvgReference | null {
  const written = ` ${name}="${escapeXml(value)}"`;
  const isLink = name === 'xlink:href' || name === 'href';
  const id = isLink ? ADDRESS.exec(value)?.[1] : URL.exec(value)?.[2];
  if (id !== undefined) {
    const targets = TARGETS[isLink ? tag : name];
    if (targets === undefined || (!isLink && tag.endsWith('Gradient'))) return null;
    return { written: isLink ? ` xlink:href="${escapeXml(value)}"` : written, id, targets };
  }
  const isKnown = (STYLE.has(name) && !tag.endsWith('Gradient')) || OWN_NAMES.get(tag)?.has(name) === true;
  return isKnown && !/url\(/i.test(value) ? written : null;
}
