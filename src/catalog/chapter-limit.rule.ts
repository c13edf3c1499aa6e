import type { Chapter } from './chapters.rule.ts';
import type { ItemFile } from './item.rule.ts';
import { error, quote, warning, type Problem } from '../platform/base/problem.ts';
import { counted } from '../platform/base/text.ts';

/** The maximum size of a text, in bytes. A larger one is handled like a file without text, such as a picture. */
export const LONGEST_TEXT = 4 * 1024 ** 2;

export const MOST_CHAPTERS = 32 * 1024 ** 2;

type Sized = Pick<ItemFile, 'path' | 'text' | 'size'>;

export const isReadable = ({ text, size }: Pick<ItemFile, 'text' | 'size'>): boolean =>
  text && size <= LONGEST_TEXT;

/** Returns the texts of a reading order that become chapters: those of at most 4 MiB, up to 32 MiB in all. */
export function boundChapters(order: readonly Chapter[], files: readonly Sized[]): readonly Chapter[] {
  const sizes = new Map(files.map(({ path, size }) => [path, size]));
  const sizeOf = ({ path }: Chapter): number => sizes.get(path) ?? 0;
  const read = order.filter((chapter) => sizeOf(chapter) <= LONGEST_TEXT);
  let bytes = 0;
  const beyond = read.findIndex((chapter) => (bytes += sizeOf(chapter)) > MOST_CHAPTERS);
  return beyond === -1 ? read : read.slice(0, beyond);
}

export const LEFT_OUT: ReadonlySet<string> = new Set(['large-chapter', 'large-book']);

/**
 * Warns of texts in the reading order that do not become chapters. With `isCheck`, those after the first 32 MiB are an
 * error.
 */
export function chapterProblems(
  order: readonly Chapter[],
  files: readonly Sized[],
  isCheck: boolean,
): Problem[] {
  const ordered = new Set(order.map(({ path }) => path));
  const large = files.filter((file) => ordered.has(file.path) && !isReadable(file));
  const inside = new Set([...boundChapters(order, files), ...large].map(({ path }) => path));
  const [first, ...others] = order.filter(({ path }) => !inside.has(path));
  const problems = large.map(({ path, size }) =>
    warning(
      'large-chapter',
      path,
      `${quote(path)} has ${size} bytes and is no chapter: at most ${LONGEST_TEXT} are read`,
      'Split it into several texts; readers have it as a file until then',
    ),
  );
  if (first === undefined) return problems;
  const more = others.length === 0 ? '' : ` and ${counted(others.length, 'text')} after it`;
  const beyond = (isCheck ? error : warning)(
    'large-book',
    first.path,
    `The chapters end before ${quote(first.path)}${more}: they hold ${MOST_CHAPTERS} bytes together at most`,
    'Divide the book, or name fewer texts in "chapters"',
  );
  return [...problems, beyond];
}
