import {
  type Chapter,
  isAbout,
  summaryChapters,
  titleOfChapter,
  titlesOfChapter,
} from '../../catalog/chapters.rule.ts';
import { resolveLink } from '../../platform/base/markdown-link.ts';
import { splitSkill } from '../../catalog/front-matter.rule.ts';
import { shownPicture } from '../../catalog/picture.rule.ts';
import { openingParagraph } from './draft.ts';
import {
  cannotImport,
  type ImportLimits,
  isSecret,
  naturalOrder,
  refuseManyChapters,
  type SourceFolder,
} from './source-folder.ts';
import { bareManuscript, type Manuscript } from './manuscript.ts';
import { makeBookFiles, mapTargets, type Notes, type TextChapter } from './book-text.ts';

const MANY = 3;
const PROSE = /\.(?:md|markdown|txt|adoc|rst)$/i;
const COVER = /^(?:cover|title_page)\.\w+$/i;
/**
 * Matches notes of a day, a week or a month, by the file names that note programs use. Blog posts, such as
 * `2026-11-23-title.md`, do not match.
 */
const DATED =
  /^(?:(?:19|20)\d\d(?:-W?\d\d|([-_.]?)\d\d\1\d\d(?: .*)?)|\d\d?\.\d\d?\.(?:19|20)\d\d|\p{L}+ \d\d?(?:st|nd|rd|th)?, (?:19|20)\d\d)\./iu;
/** Matches files in folders of private notes and templates, which are not meant for readers. */
const PRIVATE =
  /(?:^|\/)[^a-z/]*(?:(?:daily|weekly|monthly)[ _-]notes?|templates?|private?|journals?|inbox|diary|tagebuch)\/.*$/i;
const MATH = /^(?:use_?)?(?:math|mathjax|katex|html-math-method):[ \t]*(?!["']?(?:false|no|plain)\b)\S/im;
const UNPUBLISHED =
  /^(?:publish(?:ed)?:[ \t]*["']?(?:false|no)|(?:draft|private):[ \t]*["']?(?:true|yes))\b/im;
/** Matches licences. They are no chapters, but remain files of the item. */
const LICENCE = /(?:^|\/)(?:licen[cs]e|copying)(?:[-_.][^/]*)?$/i;
const CONTENTS = /(?:^|\/)(?:SUMMARY|TOC|toc|contents|table[-_ ]of[-_ ]contents)\.[^/]*$/;

type Source = { readonly name: string; readonly limits: ImportLimits; readonly notes: Notes };

export function hasProse(folder: SourceFolder): boolean {
  return folder.list('').some((path) => PROSE.test(path));
}

/**
 * Reads a folder of texts. Its chapters are those of SUMMARY.md, else of a list in README.md, else all texts by name. Other
 * files are copied, except private notes and texts that the list lacks. A README that is no chapter describes the book.
 */
export function readMarkdownFolder(folder: SourceFolder, { name, limits, notes }: Source): Manuscript {
  const paths = folder.list('').filter((path) => isDistributed(path, notes));
  if (paths.length > limits.files)
    throw cannotImport(
      name,
      `it has ${paths.length} files, more than ${limits.files}; split it, or allow more with --max-files`,
    );
  const { chapters: ordered, isListed } = orderOf(folder, paths);
  refuseManyChapters(ordered.length, limits);
  const unpublished = new Set<string>();
  let math = MATH.test(['_config.yml', 'metadata.yaml'].map((path) => folder.text(path) ?? '').join('\n'));
  const isPrivate = (path: string): boolean => isNote(path) || unpublished.has(path);
  const texts = ordered.flatMap((chapter): readonly TextChapter[] => {
    const text = folder.text(chapter.path);
    if (text === null) notes.leftOut('Chapters without a file', chapter.path);
    const about = splitSkill(text ?? '').frontMatter ?? '';
    if (UNPUBLISHED.test(about)) unpublished.add(chapter.path);
    math ||= MATH.test(about);
    return (text ?? '').trim() === '' || unpublished.has(chapter.path) ? [] : [{ ...chapter, text: text! }];
  });
  const { chapters, title } = titled(texts, notes);
  if (chapters.length === 0)
    throw cannotImport(
      name,
      'it holds no text that is meant for readers; name a folder with Markdown files, or list its chapters in a SUMMARY.md',
    );
  const find = (path: string) => (isText(path) && isPrivate(path) ? null : folder.find(path));
  const made = makeBookFiles({ chapters, find, notes });
  const named = new Set(made.map(({ path }) => path));
  const isLeftOut = (path: string): boolean =>
    !named.has(path) && (isPrivate(path) || (isListed && isText(path) && !isAbout(path)));
  for (const path of paths.filter(isLeftOut))
    notes.leftOut(
      isPrivate(path)
        ? 'Private notes, notes of a day and templates'
        : 'Texts that the list of chapters does not name',
      path,
    );
  const others = paths
    .filter((path) => !named.has(path) && path !== 'SUMMARY.md' && !isLeftOut(path))
    .flatMap((path) => folder.find(path) ?? []);
  const about = named.has('README.md') ? '' : (folder.text('README.md') ?? '');
  return {
    ...bareManuscript,
    kind: 'book',
    format: 'Markdown',
    folder: name,
    title: about.trim() === '' ? title : titleOfChapter('README.md', about, title),
    description: openingParagraph(about),
    math,
    cover: paths.find((path) => COVER.test(path) && shownPicture(path) !== null) ?? pictureIn(about, folder),
    chapters: chapters.map(({ text: _, ...chapter }) => chapter),
    files: [...made, ...others],
  };
}

function pictureIn(readme: string, folder: SourceFolder): string | null {
  const pictures: string[] = [];
  mapTargets(readme, ({ path, isImage }) => {
    if (isImage && shownPicture(path) !== null) pictures.push(resolveLink(path, 'README.md'));
    return null;
  });
  return pictures.find((path) => folder.find(path) !== null) ?? null;
}

const isNote = (path: string): boolean =>
  DATED.test(path.slice(path.lastIndexOf('/') + 1)) || PRIVATE.test(path);

const isText = (path: string): boolean => PROSE.test(path) && path !== 'SUMMARY.md' && !LICENCE.test(path);

/**
 * Gives titles to the book and to chapters without one. A heading with which several chapters begin is the book's title if
 * another follows right below it. If not, but a quarter of the chapters, at least `MANY`, share it, it comes from a
 * template and is ignored.
 */
function titled(chapters: readonly TextChapter[], notes: Notes) {
  let book: string | null = null;
  const titles = chapters.map(({ path, title, text }) =>
    title === null ? titlesOfChapter(path, text) : [title],
  );
  const alike = Map.groupBy(titles, ([first]) => first);
  const named = chapters.map((chapter, n): TextChapter => {
    const [first = '', ...others] = titles[n] ?? [];
    const count = alike.get(first)?.length ?? 0;
    const isBook = others.length > 1 && count > 1;
    const isForm = others.length > 0 && count >= MANY && 4 * count >= chapters.length;
    if (isBook) book ??= first;
    if (isBook) notes.did('chapters named by the heading below the title of the book');
    else if (isForm) notes.did('chapters named by their files, since many begin with the same heading');
    return { ...chapter, title: (isBook || isForm ? others[0] : first) ?? first };
  });
  return { chapters: named, title: book as string | null };
}

function orderOf(folder: SourceFolder, paths: readonly string[]) {
  const summary = folder.text('SUMMARY.md');
  const linked = summary === null ? [] : summaryChapters(summary, 'SUMMARY.md');
  if (linked.length > 0) return { chapters: onceEach(linked), isListed: true };
  const texts = paths.filter((path) => isText(path) && !isNote(path));
  const chapters = texts.filter((path) => {
    const isContents = path.endsWith('/README.md') && listedInReadme(folder, new Set(texts), path).length > 1;
    return !isAbout(path) && !isContents && !CONTENTS.test(path);
  });
  const listed = listedInReadme(folder, new Set(chapters));
  // The list is used only if it names at least half of the texts: a README may also mention just a few of them.
  if (listed.length > 1 && 2 * listed.length >= chapters.length) return { chapters: listed, isListed: true };
  return {
    chapters: (chapters.length > 0 ? chapters : texts.filter((path) => /^readme\./i.test(path)))
      .toSorted(naturalOrder)
      .map((path): Chapter => ({ path, title: null, level: 1, part: null })),
    isListed: false,
  };
}

const onceEach = (chapters: readonly Chapter[]): readonly Chapter[] =>
  [...new Map(chapters.toReversed().map((one) => [one.path, one])).values()].toReversed();

/**
 * Lists the texts to which lists in a README link. No numbers and parts are taken from there, since only a table of
 * contents has those.
 */
function listedInReadme(
  folder: SourceFolder,
  texts: ReadonlySet<string>,
  path = 'README.md',
): readonly Chapter[] {
  const readme = summaryChapters(folder.text(path) ?? '', path);
  return onceEach(readme)
    .filter(({ path, number }) => number !== undefined && texts.has(path))
    .map(({ path, title, level }) => ({ path, title, level, part: null }));
}

/**
 * Whether a file becomes part of the item. A file that looks like a secret is left out with a note; item.yaml and
 * .bookstallignore without one.
 */
function isDistributed(path: string, notes: Notes): boolean {
  const isOwn = path === 'item.yaml' || path === '.bookstallignore';
  if (isSecret(path)) notes.leftOut('Files that look like secrets', path);
  return !isOwn && !isSecret(path);
}

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
    math: MATH.test(splitSkill(text).frontMatter ?? ''),
    chapters: [chapter],
    files: makeBookFiles({ chapters: [{ ...chapter, text }], find: folder.find, notes }),
  };
}
