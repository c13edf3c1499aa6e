// SUMMARY.md as mdBook reads it, https://rust-lang.github.io/mdBook/format/summary.html
import type { Chapter } from './chapter.ts';
import { fileLinks, resolveLink } from './link.ts';

const PART = /^ {0,3}#{1,2}[ \t]+(?=\S)(.+?)(?<![ \t])[ \t]*(?<!#)#*$/;
const ITEM = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]/;
const DEEPEST = 3;
const TAB = '    ';

type Place = Pick<Chapter, 'level' | 'part'>;

/** The chapters that a SUMMARY.md links to, in order, with the parts above them and the depth of their list. */
export function summaryChapters(summary: string, summaryPath: string): readonly Chapter[] {
  const places = placesOf(summary);
  return fileLinks(summary)
    .filter(({ isImage }) => !isImage)
    .map(({ target, text }) => ({
      path: resolveLink(target, summaryPath),
      title: text.trim() || null,
      ...(places.get(target) ?? { level: 1, part: null }),
    }))
    .filter(({ path }) => path !== summaryPath);
}

/** The level and part of each link's first place; the headings after the first list or link are parts. */
function placesOf(summary: string): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  let part: string | null = null;
  let headings = 0;
  let indents: number[] = [];
  for (const line of summary.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const heading = PART.exec(line)?.[1];
    if (heading !== undefined) {
      // The first heading is the title of the summary, unless links came before it.
      part = headings++ === 0 && places.size === 0 ? null : heading.replace(/[*_`]/g, '');
      indents = [];
    }
    const item = ITEM.exec(line)?.[1]?.replaceAll('\t', TAB).length;
    if (item !== undefined) indents = [...indents.filter((indent) => indent < item), item];
    const level = item === undefined ? 1 : Math.min(DEEPEST, indents.length);
    for (const { target, isImage } of line.includes('](') ? fileLinks(line.trimStart()) : [])
      // Chapters before and after the lists belong to no part.
      if (!isImage && !places.has(target))
        places.set(target, { level, part: item === undefined ? null : part });
  }
  return places;
}
