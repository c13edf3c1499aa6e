import type { Chapter } from '../../item/chapter.ts';
import { isMarkdown } from '../../item/markdown-path.ts';
import { resolveLink } from '../../item/link.ts';
import { type ManuscriptFile, textFile } from '../manuscript.ts';
import type { Notes } from '../notes.ts';
import { mapTargets, type Target } from './targets.ts';
import { mapOutsideCode, TAG } from './outside-code.ts';

/** A chapter with its whole text; `path` is its place in the item. */
export type TextChapter = Chapter & { readonly text: string };

type Source = {
  readonly chapters: readonly TextChapter[];
  /** A file of the source by the path that it will have in the item. */
  readonly find: (path: string) => ManuscriptFile | null;
  readonly notes: Notes;
};

/**
 * The files of a book in Markdown: its chapters, with links that lead to chapters, and every file that they show or link
 * to. Notes what they name and the source does not have.
 */
export function makeBookFiles({ chapters, find, notes }: Source): readonly ManuscriptFile[] {
  const paths = new Set(chapters.map(({ path }) => path));
  const assets = new Map<string, ManuscriptFile>();
  const texts = chapters.map(({ path, text }) => {
    noteUnknownTags(text, path, notes);
    const linked = mapTargets(text, (target) => {
      const wanted = resolveLink(target.path, path);
      const chapter = chapterOf(wanted, paths);
      if (chapter !== null) return chapter === wanted ? null : notedLink(notes, path, chapter);
      const file = wanted.startsWith('../') ? null : find(wanted);
      if (file !== null && !isMarkdown(wanted)) assets.set(wanted, file);
      else noteLost(target, { path, wanted, isThere: file !== null }, notes);
      return null;
    });
    return textFile(path, linked);
  });
  notes.did('images and other files that chapters name', assets.size);
  return [...texts, ...assets.values()];
}

/** The chapter that an address means: itself, the Markdown behind a page, or the first of a folder. */
function chapterOf(wanted: string, chapters: ReadonlySet<string>): string | null {
  const page = wanted.replace(/\.html?$/i, '');
  const folder = page === 'index' ? '' : page.replace(/\/(?:index)?$/, '');
  const candidates = [
    wanted,
    ...(page === wanted ? [] : [`${page}.md`, `${page}.markdown`]),
    ...['index.md', 'README.md'].map((name) => (folder === '' ? name : `${folder}/${name}`)),
  ];
  return candidates.find((path) => chapters.has(path)) ?? null;
}

function notedLink(notes: Notes, from: string, chapter: string): string {
  notes.did('links to pages made links to chapters');
  return relativePath(from, chapter);
}

/** The address of a path in the item, seen from another. */
export function relativePath(from: string, to: string): string {
  const [here, there] = [from.split('/').slice(0, -1), to.split('/')];
  let same = 0;
  while (same < here.length && same < there.length - 1 && here[same] === there[same]) same++;
  return [...here.slice(same).map(() => '..'), ...there.slice(same)].join('/');
}

type Lost = { readonly path: string; readonly wanted: string; readonly isThere: boolean };

function noteLost(target: Target, { path, wanted, isThere }: Lost, notes: Notes): void {
  const place = `${target.path} (in ${path})`;
  if (isThere) notes.lookAt('Links to texts that are no chapters and were left out', place);
  else if (wanted.startsWith('../')) notes.lookAt('Names of files outside of the book', place);
  else if (target.isImage) notes.lookAt('Missing images', place);
  else notes.lookAt('Links that lead nowhere', place);
}

/** Elements of HTML and SVG that may be in a Markdown text; whether a page shows them is the renderer's decision. */
const KNOWN = new Set(
  (
    'a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption center cite code col ' +
    'colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form h1 h2 ' +
    'h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark math menu meta ' +
    'meter nav noscript object ol optgroup option output p param picture pre progress q rp rt ruby s samp script search ' +
    'section select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot ' +
    'th thead time title tr track tt u ul var video wbr circle path rect line g polygon polyline text ellipse defs use'
  ).split(' '),
);
const NAME = /^<\/?([a-zA-Z][\w-]*)/;

/** Notes tags that no HTML has, such as those of another program's extension. */
function noteUnknownTags(text: string, path: string, notes: Notes): void {
  mapOutsideCode(text, (prose) => {
    for (const [whole] of prose.matchAll(TAG)) {
      const tag = NAME.exec(whole)?.[1] ?? '';
      if (!KNOWN.has(tag.toLowerCase()) && !whole.startsWith('</'))
        notes.lookAt('Tags that no page shows', `<${tag}> (in ${path})`);
    }
    return prose;
  });
}
