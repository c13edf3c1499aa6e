import type { Links } from '../../../markup/links.ts';

/** A Markdown text as HTML below the headings of a page: its first heading has `level`. Shown as it was written if it must be. */
export async function renderText(
  text: string,
  { level, links }: { readonly level: 2 | 3; readonly links: Links },
): Promise<string> {
  const { renderMarkdown } = await import('../../../markup/markdown.ts');
  const rendered = renderMarkdown(text, { links, shift: level - 1, anchors: false });
  return rendered?.html ?? `<pre tabindex="0">${Bun.escapeHTML(text)}</pre>`;
}
