// The files of a Leanpub book, https://leanpub.com/help/manual
import { titleOfChapter } from '../../item/chapter-title.ts';
import { resolveLink } from '../../item/link.ts';
import { createIds } from '../../markup/ids.ts';
import { cannotImport } from '../cannot-import.ts';
import { type ImportLimits, refuseManyChapters } from '../import-limits.ts';
import { bareManuscript, type Manuscript, type ManuscriptFile } from '../manuscript.ts';
import { makeBookFiles, relativePath, type TextChapter } from '../markdown/book-text.ts';
import { mapTargets } from '../markdown/targets.ts';
import { naturalOrder } from '../natural-order.ts';
import type { Notes } from '../notes.ts';
import { refuseOutside, type SourceFolder } from '../source-folder.ts';
import { type PlainMarkua, plainMarkua } from './markua.ts';

const TEXT = /\.(?:md|markdown|markua|txt)$/i;
const LISTS = new Set(['Book.txt', 'Sample.txt', 'Subset.txt']);
const COVERS = ['title_page', 'cover'].flatMap((name) =>
  ['images', 'resources', ''].flatMap((folder) =>
    ['png', 'jpg', 'jpeg', 'webp'].map((type) => `${folder === '' ? '' : `${folder}/`}${name}.${type}`),
  ),
);

/** The folder that holds the texts of a Leanpub book; null if none does. */
export function findLeanpub(folder: SourceFolder): string | null {
  if (folder.find('Book.txt') !== null) return '';
  return folder.find('manuscript/Book.txt') !== null || folder.isFolder('manuscript') ? 'manuscript' : null;
}

type Read = { readonly path: string; readonly plain: PlainMarkua };

/** Reads a Leanpub book: the chapters of Book.txt as plain Markdown. */
export function readLeanpub(
  folder: SourceFolder,
  { base, name, limits, notes }: { base: string; name: string; limits: ImportLimits; notes: Notes },
): Manuscript {
  const at = (path: string): string => (base === '' ? path : `${base}/${path}`);
  const listed = listOf(folder.text(at('Book.txt')));
  const paths = listed ?? naturalTexts(folder, base, notes);
  refuseManyChapters(paths.length, limits);
  const find = (path: string): ManuscriptFile | null => {
    const file = ['', 'resources/', 'images/', 'resources/images/'].reduce<ManuscriptFile | null>(
      (found, under) => found ?? folder.find(at(under + path)),
      null,
    );
    return file === null ? null : { ...file, path };
  };
  const codeOf = (path: string, from: string): string | null => {
    refuseOutside(resolveLink(at(path), ''), path, from);
    return ['', 'code/', 'resources/', 'resources/code/'].reduce<string | null>(
      (found, under) => found ?? (path.includes('..') ? null : folder.text(at(under + path))),
      null,
    );
  };
  const texts = [...new Set(paths)].flatMap((path): readonly Read[] => {
    refuseOutside(resolveLink(at(path), ''), path, at('Book.txt'));
    const text = path.split('/').includes('..') ? null : folder.text(at(path));
    if (text === null) notes.leftOut('Chapters of Book.txt without a file', path);
    return text === null ? [] : [{ path, plain: plainMarkua(text, { code: codeOf, path, notes }) }];
  });
  const chapters = linkAcross(texts).map((chapter) => ({ ...chapter, text: fromManuscript(chapter, find) }));
  if (chapters.length === 0)
    throw cannotImport(at('Book.txt'), 'it names no chapter that has a file', 'write its chapters');
  const sample = new Set(listOf(folder.text(at('Sample.txt'))) ?? []);
  for (const path of sample) refuseOutside(resolveLink(at(path), ''), path, at('Sample.txt'));
  const cover = COVERS.find((path) => folder.find(at(path)) !== null) ?? null;
  return {
    ...bareManuscript,
    kind: 'book',
    format: 'Leanpub',
    folder: name,
    cover,
    chapters: chapters.map(({ text: _, ...chapter }) => chapter),
    sample: texts
      .filter(({ path, plain }) => sample.has(path) || plain.isSample)
      .map(({ path }) => asMarkdown(path))
      .filter((path) => chapters.some((chapter) => chapter.path === path)),
    files: withCover(makeBookFiles({ chapters, find, notes }), cover === null ? null : find(cover)),
  };
}

/** The chapters with links from one to an id of another; a file that is a part's heading alone is none. */
function linkAcross(texts: readonly Read[]): readonly TextChapter[] {
  const places = new Map(
    texts.flatMap(({ path, plain }) => {
      const slugs = slugsOf(plain.text);
      return [...plain.ids].map(
        ([id, heading]) => [id, { path: asMarkdown(path), slug: slugs.get(heading) }] as const,
      );
    }),
  );
  let part: string | null = null;
  return texts.flatMap(({ path: written, plain }): readonly TextChapter[] => {
    part = plain.part ?? part;
    if (plain.text.trim() === '') return [];
    const path = asMarkdown(written);
    const text = plain.text.replace(/\]\(#([\w-]+)\)/g, (link, id: string) => {
      const place = places.get(id);
      if (place === undefined) return link;
      const file = place.path === path ? '' : relativePath(path, place.path);
      return `](${file}${place.slug === undefined ? '' : `#${place.slug}`})`;
    });
    return [{ path, title: titleOfChapter(path, text), level: 1, part, text: `${text.trim()}\n` }];
  });
}

/** A text whose addresses of files, which Leanpub reads from the manuscript's folder, are seen from its own. */
function fromManuscript({ path, text }: TextChapter, find: (path: string) => ManuscriptFile | null): string {
  if (!path.includes('/')) return text;
  return mapTargets(text, (target) => {
    const isBeside = find(resolveLink(target.path, path)) !== null;
    return isBeside || find(target.path) === null ? null : relativePath(path, target.path);
  });
}

function slugsOf(text: string): ReadonlyMap<string, string> {
  const ids = createIds();
  const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => heading);
  return new Map(
    headings.map((heading) => [heading, ids.forHeading(heading.replace(/[*_`]/g, ''))] as const),
  );
}

/** The lines of Book.txt that name files. */
function listOf(text: string | null): readonly string[] | null {
  if (text === null) return null;
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[#{%]|:$/.test(line));
}

function naturalTexts(folder: SourceFolder, base: string, notes: Notes): readonly string[] {
  notes.lookAt('There is no Book.txt: the chapters are in the order of their names');
  return folder
    .list(base)
    .map((path) => path.slice(base === '' ? 0 : base.length + 1))
    .filter((path) => TEXT.test(path) && !LISTS.has(path) && !path.startsWith('resources/'))
    .toSorted(naturalOrder);
}

const asMarkdown = (path: string): string => path.replace(/\.(?:markua|txt)$/i, '.md');

const withCover = (
  files: readonly ManuscriptFile[],
  cover: ManuscriptFile | null,
): readonly ManuscriptFile[] =>
  cover === null || files.some(({ path }) => path === cover.path) ? files : [...files, cover];
