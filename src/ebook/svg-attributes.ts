import { escapeXml } from '../xml.ts';

/** The attributes of style that every element but a gradient may have. */
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

/** The attributes of each element's own; those with "!" it must have. */
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

/** Whether an element has all that it must have. */
export function hasRequired(tag: string, names: ReadonlySet<string>): boolean {
  return (REQUIRED.get(tag) ?? []).every((name) => names.has(name));
}

const SHAPES = 'svg g symbol use path rect circle ellipse line polyline polygon text'.split(' ');
const PAINTS = ['linearGradient', 'radialGradient', 'pattern'];

/** The elements that a reference may be to: by the attribute, and of `xlink:href` by the element that has it. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  fill: PAINTS,
  stroke: PAINTS,
  'clip-path': ['clipPath'],
  mask: ['mask'],
  'marker-start': ['marker'],
  'marker-mid': ['marker'],
  'marker-end': ['marker'],
  use: SHAPES,
  textPath: ['path'],
  linearGradient: PAINTS,
  radialGradient: PAINTS,
  pattern: ['pattern'],
};

/** An attribute that refers to another element of the drawing, and the elements that may be. */
export type SvgReference = {
  readonly written: string;
  readonly id: string;
  readonly targets: readonly string[];
};

const ADDRESS = /^#([A-Za-z_][\w.-]*)$/;
const URL = /^url\(\s*(['"]?)#([A-Za-z_][\w.-]*)\1\s*\)$/;

/** An attribute of an element as an e-book may have it; null if it may not. */
export function svgAttribute(tag: string, name: string, value: string): string | SvgReference | null {
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
