import { calledIds, isNote } from './write-html.ts';
import { elementsOf, type XmlElement, type XmlNode, xmlText } from './xml.ts';

/** A part of a document's body; `id` is the place it begins at, '' for the document's beginning. */
type DocumentPart = { readonly id: string; readonly body: XmlElement };

/**
 * The parts of a document that begin at these ids, in the document's order, each within the elements around it. A note
 * goes to the parts that call it; a part of which only headings are left stays empty.
 */
export function splitDocument(body: XmlElement, ids: ReadonlySet<string>): readonly DocumentPart[] {
  if (ids.size === 0) return [{ id: '', body }];
  const starts = startsOf(body, ids);
  const called = new Set(calledIds(body));
  const notes = new Map<string, XmlElement>();
  const opened = [''];

  const visit = (element: XmlElement): Copies => {
    const start = starts.get(element);
    if (start !== undefined) opened.push(start);
    const first = opened.length - 1;
    const children: XmlNode[][] = [];
    let isThinned = false;
    for (const child of element.children) {
      if (typeof child !== 'string' && isNote(child, called)) {
        notes.set(child.attributes.get('id') ?? '', child);
        isThinned = true;
      } else if (typeof child === 'string') (children[opened.length - 1 - first] ??= []).push(child);
      else {
        const inner = visit(child);
        isThinned ||= inner.isThinned;
        inner.copies.forEach((copy, n) => (children[inner.first - first + n] ??= []).push(copy));
      }
    }
    children[0] ??= [];
    const copies: XmlElement[] = [];
    children.forEach((nodes, n) => {
      const attributes = n === 0 ? element.attributes : new Map<string, string>();
      if (!isThinned || nodes.some(saysMore)) copies[n] = { ...element, attributes, children: nodes };
    });
    return { first, copies, isThinned };
  };

  const { copies } = visit(body);
  return opened.map((id, part) => {
    const own = copies[part] ?? { ...body, children: [] };
    const called = new Set(calledIds(own));
    const added = [...called].flatMap((note) => notes.get(note) ?? []);
    return { id, body: { ...own, children: [...own.children, ...added] } };
  });
}

/** An element's copies, one for each part from the `first` on that it is in, and whether a note was taken out of it. */
type Copies = {
  readonly first: number;
  readonly copies: readonly XmlElement[];
  readonly isThinned: boolean;
};

const saysMore = (node: XmlNode): boolean =>
  typeof node === 'string'
    ? node.trim() !== ''
    : !/^h[1-6]$/.test(node.name) && (xmlText(node).trim() !== '' || node.name === 'img');

/** The elements at which parts begin: those with the ids, and around each all that begin with it. */
function startsOf(body: XmlElement, ids: ReadonlySet<string>): ReadonlyMap<XmlElement, string> {
  const starts = new Map<XmlElement, string>();
  const visit = (element: XmlElement): void => {
    elementsOf(element).forEach(visit);
    const id = element.attributes.get('id') ?? '';
    const first = element.children.find((child) => typeof child !== 'string' || child.trim() !== '');
    const inner = typeof first === 'object' ? starts.get(first) : undefined;
    if (ids.has(id)) starts.set(element, id);
    else if (inner !== undefined && element !== body && typeof first === 'object') {
      starts.delete(first);
      starts.set(element, inner);
    }
  };
  visit(body);
  return starts;
}
