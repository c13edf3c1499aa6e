import { writeBlocks } from './blocks.ts';
import { HtmlWriter } from './html-writer.ts';
import { createIds } from './ids.ts';
import type { Links } from './links.ts';
import { parseMarkdown } from './parser.ts';
import type { Heading, Rendered } from './rendered.ts';
import { readSource } from './source.ts';
import { TooMuch } from './too-much.ts';

/** `shift` is added to the level of each heading; only a text with the page to itself has ids (`anchors`). */
type MarkdownOptions = { readonly links: Links; readonly shift?: number; readonly anchors?: boolean };

/**
 * A Markdown text as HTML: CommonMark, GFM and footnotes, an author's HTML by allow-list, no script, style or address but
 * those `links` gives. Null where it is nested too deep or has too many cells to be shown as markup.
 */
export function renderMarkdown(
  original: string,
  { links, shift = 0, anchors = true }: MarkdownOptions,
): Rendered | null {
  const source = readSource(original);
  const headings: Heading[] = [];
  const writer = new HtmlWriter();
  try {
    writeBlocks(parseMarkdown(source.text), {
      source,
      writer,
      links,
      ids: createIds(anchors),
      shift,
      anchors,
      headings,
    });
  } catch (error) {
    if (error instanceof TooMuch) return null;
    throw error;
  }
  return { ...writer.finish(), headings };
}
