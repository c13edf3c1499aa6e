import { renderMarkdown } from './markdown.ts';
import type { Links } from '../item-links.ts';

/**
 * A part of a text from one heading to the next, in UTF-16 offsets; it may have no text of its own. `anchor` is the
 * heading's id on a page with the whole text, null before the first heading.
 */
export type TextSection = {
  readonly anchor: string | null;
  readonly title: string;
  readonly level: number;
  readonly start: number;
  readonly end: number;
  readonly hasText: boolean;
};

const NO_LINKS: Links = { href: () => null, image: () => null };
const HEADING = /^<h[1-6] id="([^"]*)"/;
const READABLE = /[\p{L}\p{N}]/u;

export function sectionsOf(markdown: string): readonly TextSection[] | null {
  const rendered = renderMarkdown(markdown, { links: NO_LINKS });
  if (rendered === null) return null;
  const { html, blocks, headings } = rendered;
  const known = new Map(headings.map((heading) => [heading.id, heading]));
  const starts: Omit<TextSection, 'end' | 'hasText'>[] = [{ anchor: null, title: '', level: 1, start: 0 }];
  for (let n = 0; n < blocks.length; n += 4) {
    const id = HEADING.exec(html.slice(blocks[n], blocks[n]! + 500))?.[1];
    const heading = known.get(id ?? '');
    if (heading !== undefined)
      starts.push({ anchor: heading.id, title: heading.title, level: heading.level, start: blocks[n + 2]! });
  }
  starts.sort((a, b) => a.start - b.start);
  return starts.map((one, n) => {
    const end = starts[n + 1]?.start ?? markdown.length;
    return { ...one, end, hasText: READABLE.test(textOf(markdown.slice(one.start, end), one.anchor)) };
  });
}

/**
 * Returns a section's text without its heading. For the part before the first heading, where `anchor` is null, it leaves
 * out the front matter.
 */
const textOf = (section: string, anchor: string | null): string =>
  anchor === null
    ? section.replace(/^\ufeff?---\n[^]*?\n---(?:\n|$)/, '')
    : section.replace(/^.*(?:\n|$)/, '');
