import { escapeXml } from '../../platform/base/text.ts';
import { languageFor, type Words, wordsIn } from '../../words/words.ts';
import type { EbookChapter, EbookMetadata, EbookPicture } from './package-document.ts';

// EPUB Content Documents 3.2, https://www.w3.org/TR/epub-32/#sec-xhtml-content-docs

type Language = Pick<EbookMetadata, 'language' | 'direction'>;

export function xhtmlDocument(
  { language, direction }: Language,
  { title, body, type }: { readonly title: string; readonly body: string; readonly type?: string },
): string {
  const lang = escapeXml(language);
  const { untitled } = wordsOf({ language });
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${lang}" xml:lang="${lang}" dir="${direction}">
<head>
<title>${escapeXml(oneLine(title, untitled))}</title>
<link rel="stylesheet" type="text/css" href="style.css"/>
</head>
<body${type === undefined ? '' : ` epub:type="${type}"`}>
${body}
</body>
</html>
`;
}

export function coverDocument(book: EbookMetadata, { file }: EbookPicture): string {
  const alt = escapeXml(oneLine(book.title, wordsOf(book).cover));
  const body = `<div class="cover"><img src="${file}" alt="${alt}"/></div>`;
  return xhtmlDocument(book, { title: book.title, body, type: 'cover' });
}

export function titleDocument(book: EbookMetadata): string {
  const { title, authors, publisher, license } = book;
  const lines = [authors.join(' · '), publisher, license ?? ''].map((line) => oneLine(line, ''));
  const body = `<section epub:type="titlepage" class="titlepage">
<h1>${escapeXml(oneLine(title, wordsOf(book).untitled))}</h1>
${lines.flatMap((line) => (line === '' ? [] : [`<p>${escapeXml(line)}</p>`])).join('\n')}
</section>`;
  return xhtmlDocument(book, { title, body, type: 'frontmatter' });
}

// EPUB Navigation Documents, https://www.w3.org/TR/epub-32/#sec-package-nav

type Entry = { readonly label: string; readonly file: string | null; readonly children: Entry[] };

export function navDocument(book: EbookMetadata, chapters: readonly EbookChapter[]): string {
  const title = oneLine(book.title, wordsOf(book).contents);
  const body = `<nav epub:type="toc" role="doc-toc" id="toc">
<h1>${escapeXml(title)}</h1>
${listOf(entriesOf(chapters), wordsOf(book).untitled)}
</nav>
<nav epub:type="landmarks" id="landmarks" hidden="hidden">
<ol><li><a epub:type="cover" href="cover.xhtml">${escapeXml(wordsOf(book).cover)}</a></li><li><a epub:type="titlepage" href="title.xhtml">${escapeXml(title)}</a></li><li><a epub:type="bodymatter" href="${chapterFile(0)}">${escapeXml(oneLine(chapters[0]?.title ?? '', title))}</a></li></ol>
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

function listOf(entries: readonly Entry[], untitled: string): string {
  const items = entries.map(({ label, file, children }) => {
    const text = escapeXml(oneLine(label, untitled));
    const own = file === null ? `<span>${text}</span>` : `<a href="${file}">${text}</a>`;
    return `<li>${own}${children.length === 0 ? '' : `\n${listOf(children, untitled)}`}</li>\n`;
  });
  return `<ol>\n${items.join('')}</ol>`;
}

export const chapterFile = (n: number): string => `chapter-${String(n + 1).padStart(4, '0')}.xhtml`;

/** The style sheet of e-books. It is short, as a reading program's own settings should prevail. */
export const STYLE = `body { margin: 0 5%; line-height: 1.45; overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { line-height: 1.2; page-break-after: avoid; break-after: avoid; }
img { max-width: 100%; height: auto; }
figure { margin: 1em 0; }
figcaption, caption { font-size: 0.9em; }
blockquote { margin: 1em 1.5em; }
.alert { margin: 1em 0; padding: 0 0.8em; border: 1px solid; }
.alert-title { font-weight: bold; }
.formula { margin: 1em 0; text-align: center; }
pre { white-space: pre-wrap; font-size: 0.85em; line-height: 1.35; }
p.lines { white-space: pre-wrap; }
code, kbd, samp { font-family: monospace; }
table { border-collapse: collapse; }
td, th { border: 1px solid; padding: 0.2em 0.5em; vertical-align: top; }
.left { text-align: left; }
.center { text-align: center; }
.right { text-align: right; }
sup { line-height: 1; }
.notes { margin-top: 2em; border-top: 1px solid; font-size: 0.9em; }
.cover, .titlepage { text-align: center; }
.cover img { max-height: 100%; }
nav ol { list-style: none; }
.hljs-comment, .hljs-quote { font-style: italic; color: #5c5c5c; }
.hljs-keyword, .hljs-selector-tag, .hljs-section, .hljs-title, .hljs-name { font-weight: bold; }
.hljs-string, .hljs-attr, .hljs-regexp { color: #1c5a2e; }
.hljs-number, .hljs-literal, .hljs-built_in, .hljs-type { color: #7a2a1c; }
.hljs-addition { color: #1c5a2e; }
.hljs-deletion { color: #8a1c1c; }
`;

export const wordsOf = ({ language }: Pick<EbookMetadata, 'language'>): Words['bookText'] =>
  wordsIn(languageFor(language)).bookText;

/** Makes a text a single line, for elements that must not be empty: returns `otherwise` if nothing is left. */
export const oneLine = (text: string, otherwise: string): string =>
  text.replace(/\s+/g, ' ').trim() || otherwise;
