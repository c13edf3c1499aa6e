import { type XmlElement, type XmlNode, xmlText } from './xml.ts';

type HeadingIds = { readonly title: string; readonly ids: readonly string[] };

/** The headings of a document in order, each with the ids that mean it: its own, those inside of it and right before it. */
export function headingIds(body: XmlElement): readonly HeadingIds[] {
  const found: HeadingIds[] = [];
  let waiting: string[] = [];
  const visit = (node: XmlNode): void => {
    if (typeof node === 'string') {
      if (node.trim() !== '') waiting = [];
      return;
    }
    const id = node.attributes.get('id');
    if (id !== undefined) waiting.push(id);
    if (/^h[1-6]$/.test(node.name)) {
      found.push({ title: lineOf(node), ids: [...waiting, ...idsBelow(node)] });
      waiting = [];
    } else for (const child of node.children) visit(child);
  };
  visit(body);
  return found;
}

const lineOf = (element: XmlElement): string => xmlText(element).replace(/\s+/g, ' ').trim();

/** The ids of all elements below one, in order. */
export const idsBelow = ({ children }: XmlElement): readonly string[] =>
  children.flatMap((child) => {
    if (typeof child === 'string') return [];
    const id = child.attributes.get('id');
    return [...(id === undefined ? [] : [id]), ...idsBelow(child)];
  });
