import { blocksOf } from '../text/block.ts';
import type { FoundPassage } from '../text/passage.ts';

/** A part of the book in a model's prompt: `text` is exactly `start..end` (UTF-16 offsets) of the file at `path`. */
export type Source = Omit<FoundPassage, 'score'>;

/** A text file of a book; `title` is used if the text has no heading. */
export type ChapterText = { readonly path: string; readonly title: string | null; readonly content: string };

/** Every paragraph of a book, in reading order. The same files give the same list. */
export function bookSources(chapters: readonly ChapterText[]): readonly Source[] {
  return chapters.flatMap(({ path, title, content }) =>
    Array.from(blocksOf(content), ({ heading, start, end }) => ({
      path,
      heading: heading || (title ?? ''),
      start,
      end,
      text: content.slice(start, end),
    })),
  );
}

/**
 * The best of `passages` (best first) that fit `budget` together, in the reading order of `paths`. At least one, whatever
 * it costs.
 */
export function chooseSources(
  passages: readonly FoundPassage[],
  paths: readonly string[],
  budget: number,
  costOf: (passage: Source) => number,
): readonly Source[] {
  let left = budget;
  const chosen = passages.filter((passage, i) => {
    const cost = costOf(passage);
    if (i > 0 && cost > left) return false;
    left -= cost;
    return true;
  });
  const indexes = new Map(paths.map((path, i) => [path, i]));
  const order = ({ path }: Source): number => indexes.get(path) ?? paths.length;
  return chosen.sort((a, b) => order(a) - order(b) || a.start - b.start).map(({ score: _, ...one }) => one);
}
