import { splitFences } from '../markdown/outside-code.ts';
import type { Notes } from '../notes.ts';

const OPEN = /<Listing((?:\s+[\w-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))?)*)\s*\/?>/g;
const CLOSE = /<\/Listing\s*>/g;
const ATTRIBUTE = /(?<![\w-])([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/g;

/** Turns `<Listing>`, which a preprocessor of its own would show, into the file's name above the code and the caption below. */
export function showListings(text: string, notes: Notes): string {
  const captions: string[] = [];
  const show = (prose: string): string =>
    prose.replace(ANY, (tag: string) => {
      if (tag.startsWith('</')) return `\n${captions.pop() ?? ''}\n`;
      const { name, caption } = readListing(tag);
      captions.push(caption);
      notes.did('listings made captions');
      return name;
    });
  return splitFences(text)
    .map((part) => (part.isCode ? part.text : show(part.text)))
    .join('');
}

const ANY = new RegExp(`${OPEN.source}|${CLOSE.source}`, 'g');

function readListing(tag: string): { readonly name: string; readonly caption: string } {
  const values = new Map(
    [...tag.matchAll(ATTRIBUTE)].map(
      ([, key = '', double, single]) => [key, double ?? single ?? ''] as const,
    ),
  );
  const [number, file, caption] = ['number', 'file-name', 'caption'].map((key) => values.get(key) ?? '');
  const title = number === '' ? '' : `**Listing ${number}**`;
  return {
    name: file === '' ? '' : `Filename: **${file}**\n`,
    caption: [title, unescaped(caption ?? '')].filter((part) => part !== '').join(': '),
  };
}

const unescaped = (text: string): string =>
  text
    .replace(/\\(["'])/g, '$1')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'");
