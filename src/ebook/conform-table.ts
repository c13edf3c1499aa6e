import { conform, keep, type Place } from './conform.ts';
import { conformAttributes } from './conform-attributes.ts';
import { type Element, element, isBlank, type Node } from './xhtml.ts';

const GROUPS = new Set(['thead', 'tbody', 'tfoot']);

/** The parts of a table: rows in groups, a caption, and what may not be in a table. */
type Parts = {
  readonly groups: { readonly tag: string; readonly rows: Element[] }[];
  readonly captions: Element[];
  readonly others: Node[];
};

/** A table as a caption, a head, bodies and a foot, each with rows of cells; what else is in it comes before it. */
export function conformTable(node: Element, place: Place): readonly Node[] {
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

/** The rows that are in no group. */
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

/** A row holds cells alone: anything else becomes one. */
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
