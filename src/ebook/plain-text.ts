import { escapeXml } from '../xml.ts';

const PROSE = /\.(?:txt|text|adoc|asciidoc|rst)$/i;

/** A text that is not Markdown: prose in paragraphs with its own line breaks, anything else as it is. */
export function plainXhtml(original: string, path: string): string {
  const text = original.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  if (!PROSE.test(path)) return `<pre>${escapeXml(text)}</pre>`;
  return text
    .split(/\n(?:[ \t]*\n)+/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p class="lines">${escapeXml(paragraph.replace(/^\n+|(?<!\s)\s+$/g, ''))}</p>\n`)
    .join('');
}
