import { type Chapter, summaryChapters } from '../../catalog/chapters.rule.ts';
import { resolveLink } from '../../platform/base/markdown-link.ts';
import { isMarkdown } from '../../catalog/path.rule.ts';
import {
  cannotImport,
  createIncludeLimit,
  type ImportLimits,
  refuseManyChapters,
  refuseOutside,
  type SourceFolder,
} from './source-folder.ts';
import { makeBookFiles, type Notes, splitFences, type TextChapter } from './book-text.ts';
import { bareManuscript, type Manuscript } from './manuscript.ts';

export function readMdBook(
  folder: SourceFolder,
  name: string,
  limits: ImportLimits,
  notes: Notes,
): Manuscript {
  const toml = parseBookToml(folder.text('book.toml') ?? '');
  const src = plainPath(toml.src);
  const inSrc = (path: string): string => (src === '' ? path : `${src}/${path}`);
  const summary = folder.text(inSrc('SUMMARY.md'));
  if (summary === null)
    throw cannotImport(inSrc('SUMMARY.md'), 'there is no such file; write it, or correct "src" in book.toml');
  const listed = chaptersOf(summary, inSrc('SUMMARY.md'), notes);
  refuseManyChapters(listed.length, limits);
  const hasMath = toml.hasMath || toml.preprocessors.some((name) => MATH.test(name));
  const resolve = createDirectives({ text: folder.text, notes });
  const chapters = listed.flatMap((chapter): readonly TextChapter[] => {
    refuseOutside(resolveLink(inSrc(chapter.path), ''), chapter.path, inSrc('SUMMARY.md'));
    const text = chapter.path.startsWith('../') ? null : folder.text(inSrc(chapter.path));
    if (text === null) notes.leftOut('Chapters of SUMMARY.md without a file', chapter.path);
    if (text === null) return [];
    const resolved = resolve(inSrc(chapter.path), text);
    const shown = showListings(showCode(resolved, toml.hiddenLines, notes), notes);
    return [{ ...chapter, text: toml.hasMathJax && !hasMath ? plainFormulas(shown, notes) : shown }];
  });
  if (chapters.length === 0)
    throw cannotImport(inSrc('SUMMARY.md'), 'it names no chapter that has a file; write its chapters');
  noteLeftOut(folder.list(src), { src, chapters, toml }, notes);
  const find = (path: string) => {
    const file = folder.find(inSrc(path));
    return file === null ? null : { ...file, path };
  };
  return {
    ...bareManuscript,
    kind: 'book',
    format: 'mdBook',
    folder: name,
    title: toml.title,
    description: toml.description,
    authors: toml.authors,
    language: toml.language,
    math: hasMath || toml.hasMathJax,
    chapters: chapters.map(({ text: _, ...chapter }) => chapter),
    files: makeBookFiles({ chapters, find, notes }),
  };
}

/** Writes a folder's path plainly, as in `src` for "./src/". Refuses one that leads outside. */
function plainPath(src: string): string {
  const path = src.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
  if (path.includes('..') || /^(?:\/|[a-z]:)/i.test(src))
    throw cannotImport(
      'book.toml',
      `its "src", ${JSON.stringify(src)}, is outside of its folder; move it inside`,
    );
  return path.join('/');
}

const DRAFT = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([^\]\n]*)\]\(\s*\)/gm;

/** Matches links to absolute paths and URLs: these cannot be chapters of an item. */
const ELSEWHERE = /\]\(<?((?:\/|(?:file|https?):)[^)>\s]*)/gi;

function chaptersOf(summary: string, path: string, notes: Notes): readonly Chapter[] {
  for (const [, title = ''] of summary.matchAll(DRAFT)) notes.leftOut('Chapters without a file', title);
  for (const [, named = ''] of summary.matchAll(ELSEWHERE))
    if (/^https?:/i.test(named)) notes.leftOut('Links of SUMMARY.md to other sites', named);
    else refuseOutside(named, named, path);
  const found = new Map<string, Chapter>();
  for (const chapter of summaryChapters(summary, 'SUMMARY.md'))
    if (found.has(chapter.path)) notes.leftOut('Second places of a chapter in SUMMARY.md', chapter.path);
    else found.set(chapter.path, chapter);
  return [...found.values()];
}

type Used = { readonly src: string; readonly chapters: readonly Chapter[]; readonly toml: BookToml };

function noteLeftOut(paths: readonly string[], { src, chapters, toml }: Used, notes: Notes): void {
  const named = new Set(chapters.map(({ path }) => (src === '' ? path : `${src}/${path}`)));
  for (const path of paths)
    if (isMarkdown(path) && !named.has(path) && !path.endsWith('SUMMARY.md'))
      notes.leftOut('Texts that SUMMARY.md does not name', path);
  if (toml.redirects > 0) notes.leftOut(`Redirects of book.toml: ${toml.redirects}`);
  for (const preprocessor of toml.preprocessors.filter((name) => !MATH.test(name)))
    notes.lookAt('Preprocessors of book.toml did not run, so that their marks are in the text', preprocessor);
}

/** Matches the names of preprocessors that render formulas between dollars, as the stall's pages do. */
const MATH = /katex|math/i;
/**
 * Matches formulas of MathJax, and code, which stays. In an mdBook their backslashes are doubled, since Markdown removes
 * one of two before MathJax reads the text.
 */
const FORMULA = /`[^`\n]*`|\\\\\((.{1,2000}?)\\\\\)|\\\\\[([^]{1,5000}?)\\\\\]|\$\$([^$]{1,5000}?)\$\$/g;

function plainFormulas(text: string, notes: Notes): string {
  const plain = (tex: string): string => tex.replace(/\\([!-/:-@[-`{-~])/g, '$1');
  const change = (all: string, inline?: string, block?: string, shown?: string): string => {
    if (all.startsWith('`')) return all;
    notes.did('formulas of MathJax');
    if (inline !== undefined) return `\\(${plain(inline)}\\)`;
    return block !== undefined ? `\\[${plain(block)}\\]` : `$$${plain(shown ?? '')}$$`;
  };
  return splitFences(text)
    .map((part) => (part.isCode ? part.text : part.text.replace(FORMULA, change)))
    .join('');
}

const OPEN = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})[ \t]*([^\n]*)/;
/** Matches the lines that rustdoc hides, which begin with `# ` or are `#` alone. `##` shows one "#", and `#[…]` is code. */
const RUST_HIDDEN = /^\s*#(?: .*)?$/;

/**
 * Rewrites code blocks as mdBook's readers see them: without hidden lines, and with only the language after the fence.
 * Other words there, such as `ignore` and `editable`, are for programs.
 */
function showCode(text: string, hiddenLines: ReadonlyMap<string, string>, notes: Notes): string {
  return splitFences(text)
    .map((part) => (part.isCode ? showBlock(part.text, hiddenLines, notes) : part.text))
    .join('');
}

function showBlock(block: string, hiddenLines: ReadonlyMap<string, string>, notes: Notes): string {
  const open = OPEN.exec(block);
  if (open === null) return block;
  const [first, before = '', fence = '', written = ''] = open;
  const words = written.split(/[\s,{}]+/).filter((word) => word !== '');
  const language = (words[0] ?? '').replace(/^[.]|^class=/, '');
  const own = words.find((word) => word.startsWith('hidelines='))?.slice('hidelines='.length);
  const prefix = own ?? hiddenLines.get(language);
  const [, ...lines] = block.split('\n');
  const shown = lines.flatMap((line) => showLine(line, { isRust: language === 'rust', prefix, before }));
  notes.did('hidden lines of code left out', lines.length - shown.length);
  const head = first.slice(0, first.length - written.length).trimEnd();
  return [head.slice(0, before.length) + fence + language, ...shown].join('\n');
}

type Block = { readonly isRust: boolean; readonly prefix: string | undefined; readonly before: string };

function showLine(line: string, { isRust, prefix, before }: Block): readonly string[] {
  const quote = before.includes('>') ? (/^[ \t>]*/.exec(line)?.[0] ?? '') : '';
  const code = line.slice(quote.length);
  if (prefix !== undefined && code.trimStart().startsWith(prefix)) return [];
  if (!isRust) return [line];
  if (RUST_HIDDEN.test(code.trimEnd())) return [];
  return [quote + code.replace(/^(\s*)##/, '$1#')];
}

// book.toml, https://rust-lang.github.io/mdBook/format/configuration/index.html

type BookToml = ReturnType<typeof parseBookToml>;

const OWN = new Set(['index', 'links']);

/** Reads book.toml. Values of an unknown form count as missing. */
function parseBookToml(text: string) {
  const toml = parse(text);
  const book = tableOf(toml, 'book');
  const output = tableOf(toml, 'output');
  const html = tableOf(output, 'html');
  const code = tableOf(tableOf(html, 'code'), 'hidelines');
  return {
    title: textOf(book['title']),
    description: textOf(book['description']),
    authors: Array.isArray(book['authors']) ? book['authors'].filter((one) => typeof one === 'string') : [],
    language: textOf(book['language']),
    src: textOf(book['src']) ?? 'src',
    /** For each language, the prefix of lines to hide in code blocks. Rust's hidden lines are known without it. */
    hiddenLines: new Map(
      Object.entries(code).flatMap(([language, prefix]) =>
        typeof prefix === 'string' && prefix !== '' ? [[language, prefix] as const] : [],
      ),
    ),
    preprocessors: Object.keys(tableOf(toml, 'preprocessor')).filter((name) => !OWN.has(name)),
    redirects: Object.keys(tableOf(html, 'redirect')).length,
    hasMath: html['math'] === true,
    hasMathJax: html['mathjax-support'] === true,
  };
}

type Table = Readonly<Record<string, unknown>>;

function parse(text: string): Table {
  try {
    return Bun.TOML.parse(text) as Table;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw cannotImport('book.toml', `it is not TOML (${reason}); correct it`);
  }
}

function tableOf(table: Table, key: string): Table {
  const value = table[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

const OPEN_LISTING = /<Listing((?:\s+[\w-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))?)*)\s*\/?>/g;
const CLOSE = /<\/Listing\s*>/g;
const ATTRIBUTE = /(?<![\w-])([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/g;

/**
 * Replaces `<Listing>` elements, which some preprocessor of mdBook would render, by the file's name above the code and
 * the caption below it.
 */
function showListings(text: string, notes: Notes): string {
  const captions: string[] = [];
  const show = (prose: string): string =>
    prose.replace(ANY, (tag: string) => {
      if (tag.startsWith('</')) return `\n${captions.pop() ?? ''}\n`;
      const { name, caption } = readListing(tag);
      captions.push(caption);
      notes.did('listings made captions');
      return name;
    });
  return splitFences(text)
    .map((part) => (part.isCode ? part.text : show(part.text)))
    .join('');
}

const ANY = new RegExp(`${OPEN_LISTING.source}|${CLOSE.source}`, 'g');

function readListing(tag: string): { readonly name: string; readonly caption: string } {
  const values = new Map(
    [...tag.matchAll(ATTRIBUTE)].map(
      ([, key = '', double, single]) => [key, double ?? single ?? ''] as const,
    ),
  );
  const [number, file, caption] = ['number', 'file-name', 'caption'].map((key) => values.get(key) ?? '');
  const title = number === '' ? '' : `**Listing ${number}**`;
  return {
    name: file === '' ? '' : `Filename: **${file}**\n`,
    caption: [title, unescaped(caption ?? '')].filter((part) => part !== '').join(': '),
  };
}

const unescaped = (text: string): string =>
  text
    .replace(/\\(["'])/g, '$1')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'");

// Directives of the preprocessor `links`, https://rust-lang.github.io/mdBook/format/mdbook.html

const DIRECTIVE = /\\\{\{#[^\n{}]*\}\}|\{\{\s*#([a-zA-Z0-9_]+)(?:\s+([^\s{}][^{}]*))?\}\}/g;
const DEEPEST = 8;

type Source = { readonly text: (path: string) => string | null; readonly notes: Notes };

type Place = {
  /** `path` is the file that is read; `above` are the files that include it, from the outside in. */
  readonly path: string;
  readonly above: readonly string[];
};

/** Makes a function that resolves the directives in a chapter, whose `path` is relative to the folder of book.toml. */
function createDirectives({ text: textOf, notes }: Source) {
  const limited = createIncludeLimit();

  const include = (argument: string, place: Place): string | null => {
    const { path, range } = parseArgument(argument, place.path);
    refuseOutside(path, argument.trim(), place.path);
    const text = textOf(path);
    const taken = text === null ? null : takeLines(text, range);
    if (taken === null) {
      notes.lookAt(
        text === null ? 'Includes of files that are not there' : 'Includes of anchors that are not there',
        `${argument.trim()} (in ${place.path})`,
      );
      return null;
    }
    const above = [...place.above, place.path];
    if (above.includes(path) && taken.includes('{{')) throw loop([...above, path]);
    return limited(place.path, resolve(taken, { path, above }));
  };

  const replace = (name: string, argument: string, place: Place): string | null => {
    if (name === 'title') return '';
    if (name === 'include' || name === 'rustdoc_include') return include(argument, place);
    if (name !== 'playground' && name !== 'playpen') return null;
    const code = include(argument.trim().split(/\s+/)[0] ?? '', place);
    return code === null ? null : `\`\`\`rust\n${code}\n\`\`\``;
  };

  const resolve = (text: string, place: Place): string => {
    if (place.above.length > DEEPEST)
      throw cannotImport(
        place.above[0] ?? place.path,
        `its includes nest deeper than ${DEEPEST}; include the innermost file directly`,
      );
    return text.replace(DIRECTIVE, (written: string, name: string | undefined, argument = '') => {
      // With a backslash before it a directive is not resolved but shown.
      if (name === undefined) return written.slice(1);
      if (LINKS.has(name) && argument.trim() === '') return written;
      const replaced = replace(name, argument, place);
      if (replaced === null && !LINKS.has(name))
        notes.lookAt('Directives that mdBook itself does not know', `{{#${name}}} (in ${place.path})`);
      if (replaced !== null) notes.did(name === 'title' ? 'page titles left out' : 'includes resolved');
      return replaced ?? (LINKS.has(name) ? '' : written);
    });
  };

  return (path: string, text: string): string => resolve(text, { path, above: [] });
}

const LINKS = new Set(['include', 'rustdoc_include', 'playground', 'playpen']);

function parseArgument(argument: string, from: string): { path: string; range: LineRange } {
  const written = argument.trim();
  const colon = written.indexOf(':');
  const file = colon === -1 ? written : written.slice(0, colon);
  return {
    path: file.startsWith('/') ? file : resolveLink(file, from),
    range: parseLineRange(colon === -1 ? '' : written.slice(colon + 1)),
  };
}

function loop(paths: readonly string[]): Error {
  return cannotImport(
    paths.at(-1) ?? '',
    `its includes go round in a circle (${paths.slice(paths.indexOf(paths.at(-1) ?? '')).join(' -> ')}); remove one of them`,
  );
}

// Ranges and anchors of an include, https://rust-lang.github.io/mdBook/format/mdbook.html#including-portions-of-a-file

/**
 * The part of a file that an include asks for: everything, a range of lines (from 1, the last one included), or the text
 * of an anchor.
 */
type LineRange = { readonly anchor: string } | { readonly first: number; readonly last: number | null };

/** Parses the range behind an include's path: '' is the whole file, `2:10` are lines, and `setup` is an anchor. */
function parseLineRange(text: string): LineRange {
  const [start = '', end] = text.split(':');
  if (start !== '' && !/^\d+$/.test(start)) return { anchor: start };
  const first = Math.max(1, Number(start || '1'));
  if (end === undefined) return { first, last: start === '' ? null : first };
  return { first, last: /^\d+$/.test(end) ? Number(end) : null };
}

const ANCHOR_END = /ANCHOR_END:\s*([\w_-]+)/;
const ANCHOR = /ANCHOR:\s*([\w_-]+)/;

/**
 * Returns the requested lines of a text; null if it lacks the anchor. Lines that mark other anchors are left out of an
 * anchor's text.
 */
function takeLines(text: string, range: LineRange): string | null {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  if ('first' in range) return lines.slice(range.first - 1, range.last ?? undefined).join('\n');
  return takeAnchor(lines, range.anchor);
}

function takeAnchor(lines: readonly string[], anchor: string): string | null {
  const taken: string[] = [];
  let isInside = false;
  let isThere = false;
  for (const line of lines) {
    const end = ANCHOR_END.exec(line)?.[1];
    const start = end === undefined ? ANCHOR.exec(line)?.[1] : undefined;
    if (end === anchor) break;
    if (start === anchor) isInside = isThere = true;
    else if (isInside && end === undefined && start === undefined) taken.push(line);
  }
  return isThere ? taken.join('\n') : null;
}
