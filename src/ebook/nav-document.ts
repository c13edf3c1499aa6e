// EPUB Navigation Documents, https://www.w3.org/TR/epub-32/#sec-package-nav
import { escapeXml } from '../xml.ts';
import { chapterFile, type EbookChapter, type EbookMetadata, oneLine } from './book.ts';
import { xhtmlDocument } from './document.ts';

type Entry = { readonly label: string; readonly file: string | null; readonly children: Entry[] };

/** The contents of the e-book: chapters by their levels, below the headings of their parts. */
export function navDocument(book: EbookMetadata, chapters: readonly EbookChapter[]): string {
  const title = oneLine(book.title, 'Contents');
  const body = `<nav epub:type="toc" id="toc">
<h1>${escapeXml(title)}</h1>
${listOf(entriesOf(chapters))}
</nav>
<nav epub:type="landmarks" id="landmarks" hidden="hidden">
<ol><li><a epub:type="cover" href="cover.xhtml">${escapeXml(title)}</a></li><li><a epub:type="bodymatter" href="${chapterFile(0)}">${escapeXml(oneLine(chapters[0]?.title ?? '', title))}</a></li></ol>
</nav>`;
  return xhtmlDocument(book, { title, body });
}

function entriesOf(chapters: readonly EbookChapter[]): readonly Entry[] {
  const root: Entry = { label: '', file: null, children: [] };
  let [top, part]: [Entry, string | null] = [root, null];
  let stack: { readonly entry: Entry; readonly level: number }[] = [];
  chapters.forEach((chapter, n) => {
    if (chapter.part !== part) {
      part = chapter.part;
      stack = [];
      top = part === null ? root : { label: part, file: null, children: [] };
      if (top !== root) root.children.push(top);
    }
    while ((stack.at(-1)?.level ?? 0) >= chapter.level) stack.pop();
    const entry: Entry = { label: chapter.title, file: chapterFile(n), children: [] };
    (stack.at(-1)?.entry ?? top).children.push(entry);
    stack.push({ entry, level: chapter.level });
  });
  return root.children;
}

function listOf(entries: readonly Entry[]): string {
  const items = entries.map(({ label, file, children }) => {
    const text = escapeXml(oneLine(label, 'Untitled'));
    const own = file === null ? `<span>${text}</span>` : `<a href="${file}">${text}</a>`;
    return `<li>${own}${children.length === 0 ? '' : `\n${listOf(children)}`}</li>\n`;
  });
  return `<ol>\n${items.join('')}</ol>`;
}
