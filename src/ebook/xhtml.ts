// The markup that src/markup writes: well-formed XML in which "<" and ">" are only those of tags, and every value is quoted.

/** A text as it is between tags, already escaped, or an element. */
export type Node = string | Element;

/** Attributes have their values as they are written, already escaped. */
export type Element = {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Node[];
};

const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-z:-]+="[^"]*")*) ?(\/?)>/g;
const ATTRIBUTE = / ([a-z:-]+)="([^"]*)"/g;
const VOID = new Set(['br', 'hr', 'img', 'wbr']);

type Open = { readonly tag: string; readonly attributes: Element['attributes']; readonly children: Node[] };

/** Reads finished markup. */
export function parseXhtml(markup: string): readonly Node[] {
  const root: Open = { tag: '', attributes: new Map(), children: [] };
  const stack: Open[] = [root];
  let at = 0;
  const textTo = (end: number): void => {
    if (end > at) stack.at(-1)!.children.push(markup.slice(at, end));
  };
  for (const { 0: whole, 1: end, 2: tag = '', 3: written = '', 4: isEmpty, index } of markup.matchAll(TAG)) {
    textTo(index);
    at = index + whole.length;
    if (end !== '') {
      if (stack.length > 1) stack.pop();
      continue;
    }
    const element: Open = { tag, attributes: attributesOf(written), children: [] };
    stack.at(-1)!.children.push(element);
    if (isEmpty === '') stack.push(element);
  }
  textTo(markup.length);
  return root.children;
}

function attributesOf(written: string): ReadonlyMap<string, string> {
  return new Map([...written.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, value]));
}

/** Writes nodes as XML. */
export function writeXhtml(nodes: readonly Node[]): string {
  const parts: string[] = [];
  const write = (node: Node): void => {
    if (typeof node === 'string') return void parts.push(node);
    const { tag, attributes, children } = node;
    parts.push(`<${tag}`);
    for (const [name, value] of attributes) parts.push(` ${name}="${value}"`);
    if (VOID.has(tag)) return void parts.push('/>');
    parts.push('>');
    children.forEach(write);
    parts.push(`</${tag}>`);
  };
  nodes.forEach(write);
  return parts.join('');
}

/** An element with some attributes. */
export function element(
  tag: string,
  attributes: Iterable<readonly [string, string]>,
  children: readonly Node[] = [],
): Element {
  return { tag, attributes: new Map(attributes), children };
}

/** Whether a node is white space. */
export const isBlank = (node: Node): boolean => typeof node === 'string' && !/[^ \t\r\n]/.test(node);
