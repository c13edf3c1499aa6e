import { type Chapter, isAbout, summaryChapters, titleOfChapter, titlesOfChapter } from '../item/chapters.ts';
import {
  cannotImport,
  type ImportLimits,
  isSecret,
  naturalOrder,
  refuseManyChapters,
  type SourceFolder,
} from './source-folder.ts';
import { bareManuscript, type Manuscript } from './manuscript.ts';
import { makeBookFiles, type Notes, type TextChapter } from './book-text.ts';

/** So many chapters of one title are no chance. */
const MANY = 3;
const PROSE = /\.(?:md|markdown|txt|adoc|rst)$/i;
const COVER = /^(?:cover|title_page)\.(?:png|jpe?g|webp|gif|avif|svg)$/i;

type Source = { readonly name: string; readonly limits: ImportLimits; readonly notes: Notes };

/** Whether a folder holds text at any depth. */
export function hasProse(folder: SourceFolder): boolean {
  return folder.list('').some((path) => PROSE.test(path));
}

/** Reads a folder of texts: chapters in the order of a SUMMARY.md, else of their names, and all other files as they are. */
export function readMarkdownFolder(folder: SourceFolder, { name, limits, notes }: Source): Manuscript {
  const paths = folder.list('').filter((path) => isDistributed(path, notes));
  if (paths.length > limits.files)
    throw cannotImport(
      name,
      `it has ${paths.length} files, more than ${limits.files}; split it, or allow more with --max-files`,
    );
  const ordered = orderOf(folder, paths);
  refuseManyChapters(ordered.length, limits);
  const texts = ordered.flatMap((chapter): readonly TextChapter[] => {
    const text = folder.text(chapter.path);
    if (text === null) notes.leftOut('Chapters without a file', chapter.path);
    return text === null || text.trim() === '' ? [] : [{ ...chapter, text }];
  });
  const chapters = titled(texts, notes);
  if (chapters.length === 0) throw cannotImport(name, 'it holds no text; name a folder with Markdown files');
  const made = makeBookFiles({ chapters, find: folder.find, notes });
  const named = new Set(made.map(({ path }) => path));
  const others = paths
    .filter((path) => !named.has(path) && path !== 'SUMMARY.md')
    .flatMap((path) => folder.find(path) ?? []);
  return {
    ...bareManuscript,
    kind: 'book',
    format: 'Markdown',
    folder: name,
    cover: paths.find((path) => COVER.test(path)) ?? null,
    chapters: chapters.map(({ text: _, ...chapter }) => chapter),
    files: [...made, ...others],
  };
}

/** Titles of chapters that have none. What many of them begin with is the title of the book, or the heading of a form. */
function titled(chapters: readonly TextChapter[], notes: Notes): readonly TextChapter[] {
  const titles = chapters.map(({ path, title, text }) =>
    title === null ? titlesOfChapter(path, text) : [title],
  );
  const alike = Map.groupBy(titles, ([first]) => first);
  return chapters.map((chapter, n) => {
    const [first = '', ...others] = titles[n] ?? [];
    const count = alike.get(first)?.length ?? 0;
    const isBook = others.length > 1 && count > 1;
    const isForm = others.length > 0 && count >= MANY && 4 * count >= chapters.length;
    if (isBook) notes.did('chapters named by the heading below the title of the book');
    else if (isForm) notes.did('chapters named by their files, since many begin with the same heading');
    return { ...chapter, title: (isBook || isForm ? others[0] : first) ?? first };
  });
}

function orderOf(folder: SourceFolder, paths: readonly string[]): readonly Chapter[] {
  const summary = folder.text('SUMMARY.md');
  const linked = summary === null ? [] : summaryChapters(summary, 'SUMMARY.md');
  if (linked.length > 0)
    return [...new Map(linked.toReversed().map((one) => [one.path, one])).values()].toReversed();
  const prose = paths.filter((path) => PROSE.test(path) && path !== 'SUMMARY.md');
  const chapters = prose.filter((path) => !isAbout(path));
  return (chapters.length > 0 ? chapters : prose)
    .toSorted(naturalOrder)
    .map((path) => ({ path, title: null, level: 1, part: null }));
}

/** Files that look like secrets, and those of the stall itself, are left out. */
function isDistributed(path: string, notes: Notes): boolean {
  const isOwn = path === 'item.yaml' || path === '.bookstallignore';
  if (isSecret(path)) notes.leftOut('Files that look like secrets', path);
  return !isOwn && !isSecret(path);
}

/** One text as a book of one chapter. */
export function readOneText(folder: SourceFolder, file: string, { limits, notes }: Source): Manuscript {
  const text = folder.text(file) ?? '';
  if (text.trim() === '') throw cannotImport(file, 'it holds no text; name a file with text in it');
  const title = titleOfChapter(file, text);
  const chapter = { path: file, title, level: 1, part: null };
  refuseManyChapters(1, limits);
  return {
    ...bareManuscript,
    kind: 'book',
    format: 'Markdown',
    folder: file.replace(/\.[^.]*$/, ''),
    title,
    chapters: [chapter],
    files: makeBookFiles({ chapters: [{ ...chapter, text }], find: folder.find, notes }),
  };
}
