import { conform, keep, type Place } from './conform.ts';
import { conformAttributes } from './conform-attributes.ts';
import { type Element, element, isBlank, type Node } from './xhtml.ts';

/** A list holds items alone: anything else becomes one. */
export function conformList(node: Element, place: Place): readonly Node[] {
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

/** Only the items of a numbered list have a number. */
function withoutValue(item: Element, list: string): Element {
  if (list === 'ol') return item;
  return { ...item, attributes: new Map([...item.attributes].filter(([name]) => name !== 'value')) };
}

/** A list of terms and their definitions, each with at least one of the other; any other becomes boxes. */
export function conformDefinitions(node: Element, place: Place): readonly Node[] {
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
