import { boundChapters, isReadable } from './chapter-limit.rule.ts';
import { type Chapter, readingOrder, titleOfChapter } from './chapters.rule.ts';
import { readText } from './file-scan.ts';
import type { ItemFile, Manifest } from './item.rule.ts';
import { formatType } from './path.rule.ts';
import { shownPicture } from './picture.rule.ts';

const SUMMARIES = ['SUMMARY.md', 'src/SUMMARY.md'];

type Sized = Pick<ItemFile, 'path' | 'text' | 'size'>;

export function orderTexts(folder: string, manifest: Manifest, files: readonly Sized[]): readonly Chapter[] {
  if (manifest.kind !== 'book') return [];
  const textPaths = files.filter((file) => file.text).map((file) => file.path);
  const summaryPath = SUMMARIES.find((path) => textPaths.includes(path)) ?? '';
  return readingOrder({
    manifest,
    textPaths,
    summary: summaryPath === '' ? null : readText(folder, summaryPath),
    summaryPath,
  });
}

export function orderChapters(
  folder: string,
  manifest: Manifest,
  files: readonly Sized[],
  order = orderTexts(folder, manifest, files),
): readonly Chapter[] {
  const chapters = boundChapters(order, files);
  const lone = chapters.length === 1 ? manifest.title : null;
  return chapters.map((chapter) => ({
    ...chapter,
    title: chapter.title ?? titleOfChapter(chapter.path, readText(folder, chapter.path) ?? '', lone),
  }));
}

/**
 * Lists a book's texts outside of its reading order, except images and formats such as PDF. No question is answered from them.
 */
export function listOtherTexts({ kind }: Manifest, files: readonly Sized[], order: readonly Chapter[]) {
  if (kind !== 'book') return [];
  const ordered = new Set(order.map(({ path }) => path));
  return files
    .filter((file) => isReadable(file) && !ordered.has(file.path))
    .map(({ path }) => path)
    .filter((path) => (shownPicture(path) ?? formatType(path)) === null);
}
