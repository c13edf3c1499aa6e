import { closesFence, opensFence } from '../reading/block.rule.ts';
import { shownText } from '../reading/shown-text.rule.ts';

/** Stands for the news in a mail's text, until their HTML is put in its place: a Unicode noncharacter. */
export const NEWS_PLACE = '\ufdd0';

const LINK = /\[([^[\]\n]{1,300})\]\((https?:\/\/[^()\s]{1,2000})\)/g;

/** Writes Markdown as the text of a mail: without marks, with the address of a link behind its words. */
export function mailTextOf(markdown: string): string {
  const linked = markdown.replaceAll(LINK, (_, words: string, address: string) => `${words} (${address})`);
  return (
    blocksOf(linked)
      // `shownText` drops a list mark that begins a text, so a line is put before the block, and removed again.
      .map((block) => shownText(`·\n\n${block}`).split('\n').slice(1).join('\n'))
      .filter((block) => block !== '')
      .join('\n\n')
  );
}

/** Splits Markdown at its empty lines, but not at those in code. */
function blocksOf(markdown: string): readonly string[] {
  const blocks: string[] = [''];
  let fence = '';
  for (const line of markdown.split('\n')) {
    if (fence === '') fence = opensFence(line);
    else if (closesFence(line, fence)) fence = '';
    if (fence === '' && line.trim() === '') blocks.push('');
    else blocks.push(`${blocks.pop()}${line}\n`);
  }
  return blocks;
}

const ADDRESS = /https?:\/\/[^\s<>"]{1,2000}/g;

export function writeMailHtml(text: string, news: string, language: string | null): string {
  const paragraphs = text.trim().split(/\n{2,}/);
  const body = paragraphs.map((paragraph) =>
    paragraph.includes(NEWS_PLACE) ? news : `<p>${paragraph.split('\n').map(linked).join('<br>\n')}</p>`,
  );
  const tag = language === null ? '' : ` lang="${Bun.escapeHTML(language)}"`;
  return `<!doctype html>
<html${tag}><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>
<body style="max-width: 36em; margin: 0 auto; padding: 16px; font: 16px/1.5 Georgia, serif">
${body.join('\n')}
</body></html>
`;
}

function linked(line: string): string {
  let [html, at] = ['', 0];
  for (const { index, 0: address } of line.matchAll(ADDRESS)) {
    const shown = Bun.escapeHTML(address);
    html += `${Bun.escapeHTML(line.slice(at, index))}<a href="${shown}">${shown}</a>`;
    at = index + address.length;
  }
  return html + Bun.escapeHTML(line.slice(at));
}
