import type { Manifest } from './item.rule.ts';
import { comparePaths, pathOfFormat } from './path.rule.ts';
import { error, type Problem, quote, warning } from '../platform/base/problem.ts';
import {
  type Field,
  line,
  oneOf,
  optional,
  parseYaml,
  readKeys,
  refuseUnknown,
  type ReportProblem,
  required,
  withDefault,
  type YamlMap,
} from '../platform/base/field.ts';
import { fileLinks, picturesIn, resolveLink } from '../platform/base/markdown-link.ts';

type Book = {
  readonly manifest: Manifest;
  readonly textPaths: readonly string[];
  readonly summary: string | null;
  readonly summaryPath: string;
};

/**
 * Returns a book's reading order: the pages in `chapters` of item.yaml; else those that SUMMARY.md links to (its text is
 * `summary`, its path `summaryPath`); else all prose and source code, sorted by path. Each path occurs once, and only if it is
 * in `textPaths`.
 */
export function readingOrder({ manifest, textPaths, summary, summaryPath }: Book): readonly Chapter[] {
  const texts = new Set(textPaths);
  const named = manifest.chapters === null ? [] : withParts(manifest.chapters);
  const linked = named.length > 0 || summary === null ? [] : summaryChapters(summary, summaryPath);
  for (const chapters of [named, linked]) {
    const found = new Map<string, Chapter>();
    for (const chapter of chapters)
      if (texts.has(chapter.path) && !found.has(chapter.path)) found.set(chapter.path, chapter);
    if (found.size > 0) return [...found.values()];
  }
  return filesInOrder(textPaths.filter((path) => summary === null || path !== summaryPath));
}

/**
 * Lists the chapters of a book without a list of chapters: prose and source code, except generated files and files about the
 * repository, such as LICENSE. If nothing is left, the README becomes the only chapter.
 */
function filesInOrder(textPaths: readonly string[]): readonly Chapter[] {
  const chapters = textPaths.filter(
    (path) => (PROSE.test(path) || PROGRAM.test(path)) && !isAbout(path) && !MADE.test(path),
  );
  const paths =
    chapters.length > 0 ? chapters : textPaths.filter((path) => isAbout(path) && /^readme/i.test(path));
  return paths.toSorted(comparePaths).map((path) => ({ path, title: null, level: 1, part: null }));
}

function withParts(entries: readonly ChapterEntry[]): readonly Chapter[] {
  const chapters: Chapter[] = [];
  let part: string | null = null;
  for (const entry of entries)
    if ('part' in entry) part = entry.part;
    else chapters.push({ ...entry, part });
  return chapters;
}

export const picturesOf = ({ kind, description, authors }: Manifest): readonly string[] =>
  picturesIn([...(kind === 'book' ? [description] : []), ...authors.map(({ about }) => about)].join('\n\n'));

/**
 * Returns an error for each path in item.yaml that is no distributed file (for `include`, also no folder), and a warning for
 * each missing picture in its texts.
 */
export function referenceProblems(manifest: Manifest, paths: readonly string[]): Problem[] {
  const files = new Set(paths);
  const isComing = manifest.status === 'announced';
  const lost = (key: string, named: readonly string[]): Problem[] =>
    named.filter((path) => !files.has(path)).map((path) => missing(key, path, isComing));
  return [
    ...lost(
      'chapters',
      (manifest.chapters ?? []).flatMap((entry) => ('part' in entry ? [] : [entry.path])),
    ),
    ...lost('cover', manifest.cover === null ? [] : [manifest.cover]),
    ...lost('sample', manifest.sample),
    ...lost('formats', manifest.formats.map(pathOfFormat)),
    ...lost(
      'include',
      manifest.include.filter((entry) => !paths.some((path) => path.startsWith(`${entry}/`))),
    ),
    ...picturesOf(manifest)
      .filter((path) => !files.has(path))
      .map((path) =>
        warning(
          'missing-picture',
          'item.yaml',
          `The picture ${quote(path)}, which "description" or "about" shows, is no distributed file`,
          'Correct the path, or copy the picture into the item',
        ),
      ),
  ];
}

/** A warning only, if the item is announced: its files may not be written yet. */
const missing = (key: string, path: string, isComing: boolean): Problem =>
  (isComing ? warning : error)(
    `missing-${key}`,
    'item.yaml',
    `Cannot find ${quote(path)}, which "${key}" names, among the distributed files`,
    'Correct the path: it is relative to the item folder, with "/" and in the same case',
  );

/**
 * A chapter of a book. `title` is null until the chapter's text was read, `level` is 1 to 3, and `part` is the title of its
 * part (a heading without a page); null for a chapter outside of parts.
 */
export type Chapter = {
  readonly path: string;
  readonly title: string | null;
  readonly level: number;
  readonly part: string | null;
  /** The number that the book's own contents give the chapter, such as "3.1". */
  readonly number?: string;
};

/**
 * An entry of `chapters` in item.yaml: a page, or the title of a part to which the pages after it belong. A null `part` ends
 * the part before it.
 */
type ChapterEntry = Omit<Chapter, 'part'> | { readonly part: string | null };

const PAGE_KEYS = {
  path: required(line(4096)),
  title: optional(line(200)),
  level: withDefault(oneOf(['1', '2', '3']), '1'),
  number: optional(line(20)),
};

/**
 * Reads an entry of `chapters`: a path, a mapping of `path`, `title`, `level` and `number`, or a mapping of `part` alone.
 * `{end: part}` ends the part before it.
 */
export const chapter: Field<ChapterEntry> = (value, key, report) => {
  if (!(value instanceof Map)) {
    const path = line(4096)(value, key, report);
    return path === null ? null : { path, title: null, level: 1 };
  }
  if (value.has('end')) return readEnd(value, key, report);
  return value.has('part') ? readPart(value, key, report) : readPage(value, key, report);
};

/**
 * Returns the name by which repeated entries are found, so that no page is listed twice; null for the end of a part, which may
 * be repeated.
 */
export function nameOfEntry(entry: ChapterEntry): string | null {
  if (!('part' in entry)) return entry.path;
  return entry.part === null ? null : `part: ${entry.part}`;
}

function readEnd(entries: YamlMap, key: string, report: ReportProblem): ChapterEntry | null {
  refuseUnknown(entries, ['end'], report, {
    key,
    remedyOf: () => 'The end of a part has the key "end" alone',
  });
  return oneOf(['part'])(entries.get('end') ?? '', `${key}.end`, report) === null ? null : { part: null };
}

function readPart(entries: YamlMap, key: string, report: ReportProblem): ChapterEntry | null {
  refuseUnknown(entries, ['part'], report, { key, remedyOf: () => 'A part has the key "part" alone' });
  const part = line(200)(entries.get('part') ?? '', `${key}.part`, report);
  return part === null ? null : { part };
}

function readPage(entries: YamlMap, key: string, report: ReportProblem): ChapterEntry | null {
  const said = 'A chapter has the keys "path", "title", "level" and "number"';
  refuseUnknown(entries, Object.keys(PAGE_KEYS), report, { key, remedyOf: () => said });
  const { path, title, level, number } = readKeys(PAGE_KEYS, entries, report, `${key}.`);
  if (path === null) return null;
  return { path, title, level: Number(level), ...(number === null ? {} : { number }) };
}

const NUMBERED = /^(?:\p{L}+\s+)?(?:\d|[IVXLC]+(?=[.:–—]|$))|^第/u;

export const isNumbered = (title: string): boolean => NUMBERED.test(title);

/**
 * Returns the number to show before a chapter's title: the one in the book's contents, or null if there is none or the
 * title already begins with one.
 */
export const numberBefore = (title: string, number?: string): string | null =>
  number === undefined || isNumbered(title) ? null : number;

const PROSE = /\.(?:md|markdown|txt|adoc|rst)$/i;
const PROGRAM =
  /\.(?:bash|c|cc|clj|cpp|cs|cxx|dart|erl|ex|exs|f90|fs|go|h|hpp|hs|java|jl|js|jsx|kt|lisp|lua|m|mjs|ml|nim|php|pl|pm|ps1|py|r|rb|rs|scala|sh|sol|sql|swift|ts|tsx|vue|zig)$/i;
const ABOUT = /^(?:readme|changelog|changes|licen[cs]e|copying)(?:[-_.][^/]*)?$/i;
/** Matches files for contributors by the names that GitHub gives a meaning. */
const COMMUNITY =
  /^(?:CONTRIBUTING|contributing|CODE[-_]OF[-_]CONDUCT|code[-_]of[-_]conduct|AUTHORS|CONTRIBUTORS|FUNDING|GOVERNANCE|MAINTAINERS|SECURITY|SUPPORT|(?:PULL_REQUEST|ISSUE)_TEMPLATE)(?:\.[^/]*)?$/;
const MADE =
  /[-.]min\.|\.(?:bundle|generated|gen|pb|g)\.[^./]+$|(?:^|\/)(?:node_modules|vendor|dist|target|__pycache__)\//i;

/**
 * Whether a path in the item's root is about the book or its repository: README, CHANGELOG, LICENSE, CONTRIBUTING and the
 * like.
 */
export const isAbout = (path: string): boolean => ABOUT.test(path) || COMMUNITY.test(path);

const FRONT_MATTER = /^---[ \t]*\r?\n(?=[A-Za-z_][\w-]*:)[\s\S]*?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;
const ATX = /^ {0,3}#{1,6}[ \t]+(?=\S)(.*?)(?:[ \t]#+)?(?<![ \t])[ \t]*$/;
const ADOC = /^=[ \t]+(?=\S)(.*)$/;
const UNDERLINE = /^ {0,3}(?:=+|-{3,})[ \t]*$/;
const LONGEST_TITLE = 200;
/** Front matter with more characters than this is not searched for a title. */
const LONGEST_FRONT = 16_384;
const NEAR = 10;

/**
 * Returns a title for a chapter without one: from the front matter, else its first heading, else `lone` (the title of a
 * book that has no other chapter), else the file name in words.
 */
export const titleOfChapter = (path: string, text: string, lone: string | null = null): string =>
  titlesOfChapter(path, text, lone)[0]!;

/**
 * Lists possible titles of a chapter, the likeliest first. A title in the front matter is the only one. Otherwise they are the
 * first heading, a second one right below it, and `lone` or else the file name in words.
 */
export function titlesOfChapter(path: string, text: string, lone: string | null = null): readonly string[] {
  if (!PROSE.test(path)) return [nameInWords(path)];
  const name = lone ?? nameInWords(path);
  const plain = text.replace(/^\uFEFF/, '');
  const front = FRONT_MATTER.exec(plain)?.[0] ?? '';
  const body = plain.slice(front.length);
  const own = frontTitle(front);
  if (own !== null) return [own];
  const first = headingOf(body);
  if (first === null) return [name];
  const below = headingOf(first.below);
  return [first.title, ...(below?.isAtOnce === true ? [below.title] : []), name];
}

function frontTitle(front: string): string | null {
  if (front.length > LONGEST_FRONT) return null;
  const yaml = front.replace(/^---.*|\n(?:---|\.\.\.)\s*$/g, '');
  const title = /^title:/m.test(yaml) ? parseYaml(yaml, '').entries?.get('title') : undefined;
  return typeof title === 'string' && title.trim() !== ''
    ? [...title.trim()].slice(0, LONGEST_TITLE).join('')
    : null;
}

function headingOf(text: string): { title: string; below: string; isAtOnce: boolean } | null {
  const lines = text.split(/\r\n|[\n\r]/);
  let isCode = false;
  for (const [i, line] of lines.entries()) {
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode || line.length > 2 * LONGEST_TITLE) continue;
    const marked = ATX.exec(line)?.[1] ?? ADOC.exec(line)?.[1];
    const found = marked ?? (isUnderlined(lines, i) ? line : null);
    const title = found === null ? '' : withoutHeadingMarks(found);
    if (title === '') continue;
    const next = i + (marked === undefined ? 2 : 1);
    const below = lines.slice(next, next + NEAR).join('\n');
    const isAtOnce = lines.slice(0, i).every((above) => above.trim() === '');
    return { title: [...title].slice(0, LONGEST_TITLE).join(''), below, isAtOnce };
  }
  return null;
}

const isUnderlined = (lines: readonly string[], i: number): boolean =>
  /[\p{L}\p{N}]/u.test(lines[i]!) && UNDERLINE.test(lines[i + 1] ?? '') && (lines[i - 1] ?? '').trim() === '';

const withoutHeadingMarks = (heading: string): string =>
  heading
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/\{#[^{}]*\}\s*$/, '')
    .replace(/<[^<>]{1,200}>/g, '')
    .replace(/[*`]|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(/^\s*title:\s+/i, '')
    .trim();

/** Returns a file name in words: "02-the_first-day.md" is "The first day". A program keeps its file name. */
function nameInWords(path: string): string {
  const name = path.split('/').at(-1)!;
  if (!PROSE.test(name)) return name;
  const words = name
    .replace(/\.[^.]*$/, '')
    .replace(/^\d+[-_. ]+(?=\S)/, '')
    .replace(/[-_]+/g, ' ')
    .trim();
  return words === '' ? name : words[0]!.toUpperCase() + words.slice(1);
}

// SUMMARY.md as mdBook reads it, https://rust-lang.github.io/mdBook/format/summary.html

const PART = /^ {0,3}#{1,2}[ \t]+(?=\S)(.+?)(?<![ \t])[ \t]*(?<!#)#*$/;
const ITEM = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]/;
const DEEPEST = 3;
const TAB = '    ';

type Place = Pick<Chapter, 'level' | 'part' | 'number'>;

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

/** Finds the level, part and number of each linked page, from the first link to it. */
function placesOf(summary: string): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  let part: string | null = null;
  let headings = 0;
  let indents: number[] = [];
  const counts: number[] = [];
  for (const line of summary.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const heading = PART.exec(line)?.[1];
    if (heading !== undefined) {
      // The first heading is the title of the summary, unless links came before it.
      part = headings++ === 0 && places.size === 0 ? null : heading.replace(/[*_`]/g, '');
      indents = [];
    }
    const item = ITEM.exec(line)?.[1]?.replaceAll('\t', TAB).length;
    if (item !== undefined) {
      indents = [...indents.filter((indent) => indent < item), item];
      // As in mdBook, drafts without a page are counted too, and a new part does not begin at 1 again.
      counts.splice(indents.length, Infinity);
      counts[indents.length - 1] = (counts[indents.length - 1] ?? 0) + 1;
    }
    const level = item === undefined ? 1 : Math.min(DEEPEST, indents.length);
    for (const { target, isImage } of line.includes('](') ? fileLinks(line.trimStart()) : [])
      // Links outside of lists are chapters before and after the numbered ones: they have no part and no number.
      if (!isImage && !places.has(target))
        places.set(target, {
          level,
          ...(item === undefined ? { part: null } : { part, number: counts.join('.') }),
        });
  }
  return places;
}
