import type { Chapter } from '../../catalog/chapters.rule.ts';
import { isMarkdown } from '../../catalog/path.rule.ts';
import { pictureOf } from '../../catalog/picture.rule.ts';
import { decoded, resolveLink } from '../../platform/base/markdown-link.ts';
import { type ManuscriptFile, textFile } from './manuscript.ts';

export type TextChapter = Chapter & { readonly text: string };

type Source = {
  readonly chapters: readonly TextChapter[];
  readonly find: (path: string) => ManuscriptFile | null;
  readonly notes: Notes;
};

/**
 * Makes the files of a book in Markdown: its chapters, whose links to pages become links to chapters, and every file
 * that they show or link to. Adds a note for a file that the source does not have.
 */
export function makeBookFiles({ chapters, find, notes }: Source): readonly ManuscriptFile[] {
  const paths = new Set(chapters.map(({ path }) => path));
  const assets = new Map<string, ManuscriptFile>();
  const texts = chapters.map(({ path, text }) => {
    noteUnknownTags(text, path, notes);
    const linked = mapTargets(text, (target) => {
      const wanted = resolveLink(target.path, path);
      const chapter = chapterOf(wanted, paths);
      if (chapter === wanted) return null;
      if (chapter !== null) {
        notes.did('links to pages made links to chapters');
        return relativePath(path, chapter);
      }
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

/**
 * Finds the chapter that an address means. It may be the chapter's own path, the .html page made from it, or a folder
 * with an index or README. Null if there is none.
 */
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

/**
 * The elements of HTML and SVG; any other tag in a Markdown text is reported. Whether a page shows one of them is up to
 * the renderer.
 */
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

const FENCE = /^(?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}(?=[^`]*$)|~{3,})/;

function mapOutsideCode(text: string, change: (prose: string) => string): string {
  return splitFences(text)
    .map(({ isCode, text: part }) => (isCode ? part : mapParagraphs(part, change)))
    .join('');
}

type FencedPart = { readonly isCode: boolean; readonly text: string };

export function splitFences(text: string): readonly FencedPart[] {
  const parts: FencedPart[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  const close = (isCode: boolean): void => {
    if (lines.length > 0) parts.push({ isCode, text: lines.join('') });
    lines = [];
  };
  for (const line of text.match(/[^\n]+\n?|\n/g) ?? []) {
    const mark = FENCE.exec(line.trimEnd())?.[1];
    if (fence === null && mark !== undefined) {
      close(false);
      fence = mark;
      lines.push(line);
    } else {
      lines.push(line);
      if (fence !== null && isEnd(line, fence)) {
        close(true);
        fence = null;
      }
    }
  }
  close(fence !== null);
  return parts;
}

function isEnd(line: string, fence: string): boolean {
  const mark = line.replace(/^[ \t>]+/, '').trimEnd();
  return mark.length >= fence.length && mark === fence[0]!.repeat(mark.length);
}

/** Applies `change` to each paragraph separately, since code inside a line cannot go beyond its paragraph. */
function mapParagraphs(text: string, change: (prose: string) => string): string {
  return text
    .split(/(\n[ \t]*\n)/)
    .map((part, n) => (n % 2 === 1 ? part : mapSpans(part, change)))
    .join('');
}

/** Matches an HTML tag with its attributes, https://spec.commonmark.org/0.31.2/#raw-html */
const TAG = /<\/?[a-zA-Z][\w-]*(?:\s+[\w:.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?>/g;
const RUN = /`+/g;
const RUN_OR_TAG = new RegExp(`\\\\[^]|${RUN.source}|${TAG.source}`, 'g');

/**
 * Changes a paragraph except for code inside its lines. A run of backticks begins code if a later run of the same length
 * ends it. Backticks inside an HTML tag do not count.
 */
function mapSpans(text: string, change: (prose: string) => string): string {
  if (!text.includes('`')) return change(text);
  const closing = createRunFinder(text);
  let out = '';
  let [from, at] = [0, 0];
  for (;;) {
    RUN_OR_TAG.lastIndex = at;
    const found = RUN_OR_TAG.exec(text);
    if (found === null) return out + change(text.slice(from));
    at = RUN_OR_TAG.lastIndex;
    const end = found[0].startsWith('`') ? closing(at, found[0].length) : null;
    if (end === null) continue;
    out += change(text.slice(from, found.index)) + text.slice(found.index, end);
    from = at = end;
  }
}

/**
 * Makes a function that finds the end of the next run of `length` backticks after a position. Positions must increase from
 * call to call, so that each run is walked only once.
 */
function createRunFinder(text: string): (after: number, length: number) => number | null {
  const ends = new Map<number, number[]>();
  for (const { index, 0: run } of text.matchAll(RUN)) {
    const same = ends.get(run.length);
    if (same === undefined) ends.set(run.length, [index + run.length]);
    else same.push(index + run.length);
  }
  const heads = new Map<number, number>();
  return (after, length) => {
    const same = ends.get(length) ?? [];
    let head = heads.get(length) ?? 0;
    while (head < same.length && same[head]! <= after) head++;
    heads.set(length, head);
    return same[head] ?? null;
  };
}

const INLINE = /(\]\([ \t]*)(<[^<>\n]*>|(?:[^\s()<>\\]|\\.|\((?:[^\s()<>\\]|\\.)*\))+)/g;
const DEFINITION = /^( {0,3}\[(?!\^)[^[\]\n]+\]:[ \t]*)(<[^<>\n]*>|[^\s<>]+)/gm;
const ATTRIBUTE = /(\s(?:src|href|poster)\s*=\s*)("[^"]*"|'[^']*')/gi;

type Target = { readonly path: string; readonly rest: string; readonly isImage: boolean };

/**
 * Changes the relative addresses in a Markdown text: in links, images, definitions and HTML. If `change` gives null, an
 * address stays.
 */
export function mapTargets(text: string, change: (target: Target) => string | null): string {
  const changed = (written: string, isImage: boolean): string => {
    const target = readTarget(/^<.*>$/s.test(written) ? written.slice(1, -1) : written, isImage);
    const path = target === null ? null : change(target);
    return target === null || path === null ? written : writeTarget(path) + target.rest;
  };
  return mapOutsideCode(text, (prose) =>
    prose
      .replace(
        INLINE,
        (_, before: string, target: string, at: number) => before + changed(target, isImageAt(prose, at)),
      )
      .replace(DEFINITION, (_, before: string, target: string) => before + changed(target, false))
      .replace(TAG, (tag) =>
        tag.replace(ATTRIBUTE, (_, before: string, quoted: string) => {
          const [mark, value] = [quoted[0]!, quoted.slice(1, -1)];
          return before + mark + changed(value, /^<img\b/i.test(tag)) + mark;
        }),
      ),
  );
}

function isImageAt(prose: string, end: number): boolean {
  let depth = 1;
  for (let n = end - 1; n >= 0 && n > end - 2000; n--) {
    if (prose[n - 1] === '\\') continue;
    if (prose[n] === ']') depth++;
    else if (prose[n] === '[' && --depth === 0) return prose[n - 1] === '!';
  }
  return false;
}

function readTarget(written: string, isImage: boolean): Target | null {
  const address = written.replace(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&amp;', '&');
  if (address === '' || /^(?:[#/?\\]|[a-z][a-z0-9+.-]*:)/i.test(address)) return null;
  const end = address.search(/[#?]/);
  const path = end === -1 ? address : address.slice(0, end);
  // If code stands between "!" and the address, only the file name tells that it is an image.
  const isOne = isImage || pictureOf(path) !== null;
  return { path: decoded(path), rest: address.slice(path.length), isImage: isOne };
}

export function writeTarget(path: string): string {
  return path.replace(/[\s"'()<>\\#?%&[\]*_`|]/g, (unit) =>
    /[_&]/.test(unit)
      ? unit
      : encodeURIComponent(unit).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`),
  );
}

const MOST_NAMED = 10;

export function createNotes() {
  const done = new Map<string, number>();
  const [leftOut, lookAt] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  const add =
    (notes: Map<string, Set<string>>) =>
    (sentence: string, name?: string): void => {
      const names = notes.get(sentence) ?? new Set();
      if (name !== undefined) names.add(name);
      notes.set(sentence, names);
    };
  return {
    did: (what: string, count = 1) => void (count > 0 && done.set(what, (done.get(what) ?? 0) + count)),
    leftOut: add(leftOut),
    lookAt: add(lookAt),
    report: () => ({
      done: [...done].map(([what, count]) => `${what}: ${count}`),
      leftOut: [...leftOut].map(sentenceOf),
      lookAt: [...lookAt].map(sentenceOf),
    }),
  };
}

export type Notes = ReturnType<typeof createNotes>;

function sentenceOf([sentence, names]: readonly [string, ReadonlySet<string>]): string {
  if (names.size === 0) return sentence;
  const named = [...names].slice(0, MOST_NAMED).join(', ');
  return `${sentence}: ${named}${names.size > MOST_NAMED ? `, and ${names.size - MOST_NAMED} more` : ''}`;
}
