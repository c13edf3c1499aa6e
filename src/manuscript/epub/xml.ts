// XML 1.0 by saxes, which never fetches an external entity and knows no entities of a document's own.
import { type SaxesAttributePlain, SaxesParser } from 'saxes';
import { cannotImport } from '../cannot-import.ts';
import { decodeText } from '../source-text.ts';
import { ENTITIES } from './entities.ts';

/** An element; names are without their prefix and in lower case, as `dc:title` is `title`. */
export type XmlElement = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlNode[];
};
export type XmlNode = XmlElement | string;

type OpenElement = XmlElement & { readonly children: XmlNode[] };

/** Deeper documents are not written by people, and cost the converter its stack. */
const DEEPEST = 200;

/** The root element of a document. Refuses text that is not well formed, and entities of its own. */
export function parseXml(name: string, bytes: Uint8Array): XmlElement {
  const parser = new SaxesParser({ fileName: name });
  Object.assign(parser.ENTITIES, ENTITIES);
  const root: OpenElement = { name: '', attributes: new Map(), children: [] };
  const open: OpenElement[] = [root];
  const refuse = (reason: string): Error => cannotImport(name, `it is broken XML (${reason})`, 'mend it');
  parser.on('error', (error) => {
    throw refuse(error.message.replace(/^.*?:(\d+):(\d+): /, 'line $1: '));
  });
  parser.on('doctype', (doctype) => {
    if (/<!ENTITY/.test(doctype))
      throw cannotImport(name, 'it declares entities of its own', 'write out what they stand for');
  });
  parser.on('opentag', (tag) => {
    if (open.length > DEEPEST) throw refuse(`elements nest deeper than ${DEEPEST}`);
    const element: OpenElement = {
      name: localName(tag.name),
      attributes: readAttributes(tag.attributes),
      children: [],
    };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  const addText = (text: string): void => void open.at(-1)!.children.push(text);
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(textOf(name, bytes)).close();
  return elementsOf(root)[0] ?? root;
}

/** EPUB allows UTF-8 and UTF-16; older books have Latin 1 too, and say so. */
function textOf(name: string, bytes: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /^(?:<\?xml[^>]*encoding\s*=\s*["'])(iso-8859-1|windows-1252)["']/i.exec(head);
  return declared === null ? decodeText(name, bytes) : new TextDecoder('windows-1252').decode(bytes);
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

/** `epub:type` and `xlink:href` are kept as such and without their prefix, unless there is one without. */
function readAttributes(written: Readonly<Record<string, SaxesAttributePlain | string>>) {
  const attributes = new Map<string, string>();
  for (const [name, value] of Object.entries(written))
    if (name.includes(':')) attributes.set(name.toLowerCase(), String(value));
  for (const [name, value] of Object.entries(written))
    if (!name.includes(':')) attributes.set(name.toLowerCase(), String(value));
    else if (!Object.hasOwn(written, localName(name)) && !name.startsWith('xmlns'))
      attributes.set(localName(name), String(value));
  return attributes;
}

/** The elements directly inside of one. */
export function elementsOf({ children }: XmlElement): readonly XmlElement[] {
  return children.filter((child) => typeof child !== 'string');
}

/** Every element of a name below one, in order. */
export function findAll(element: XmlElement, name: string): readonly XmlElement[] {
  return elementsOf(element).flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...findAll(child, name),
  ]);
}

/** The text of an element and all below it. */
export function xmlText(node: XmlNode): string {
  return typeof node === 'string' ? node : node.children.map(xmlText).join('');
}
