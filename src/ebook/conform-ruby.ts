import { conform, keep, type Place } from './conform.ts';
import { conformAttributes } from './conform-attributes.ts';
import { type Element, element, isBlank, type Node } from './xhtml.ts';

/** Characters with their readings beside them: each reading follows a base. Without that order the readings are plain text. */
export function conformRuby(node: Element, place: Place): readonly Node[] {
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
