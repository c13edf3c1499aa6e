import type { ItemFile, Manifest } from '../item/item.ts';
import { type Chapter, readingOrder, titleOfChapter } from '../item/chapters.ts';
import { shownImageType } from '../item/path.ts';
import { readText } from './scan.ts';

const SUMMARIES = ['SUMMARY.md', 'src/SUMMARY.md'];

/** The chapters of a book's folder, each with a title; none of a skill. */
export function orderChapters(
  folder: string,
  manifest: Manifest,
  files: readonly Pick<ItemFile, 'path' | 'text'>[],
): readonly Chapter[] {
  if (manifest.kind !== 'book') return [];
  const textPaths = files.filter((file) => file.text).map((file) => file.path);
  const summaryPath = SUMMARIES.find((path) => textPaths.includes(path)) ?? '';
  const chapters = readingOrder({
    manifest,
    textPaths,
    summary: summaryPath === '' ? null : readText(folder, summaryPath),
    summaryPath,
  });
  return chapters.map((chapter) => ({
    ...chapter,
    title: chapter.title ?? titleOfChapter(chapter.path, readText(folder, chapter.path) ?? ''),
  }));
}

/** The text files of a book that are neither chapters nor images, and so answer no questions. */
export function listOtherTexts(
  folder: string,
  manifest: Manifest,
  files: readonly Pick<ItemFile, 'path' | 'text'>[],
): readonly string[] {
  if (manifest.kind !== 'book') return [];
  const chapters = new Set(orderChapters(folder, manifest, files).map(({ path }) => path));
  return files
    .filter(({ path, text }) => text && !chapters.has(path) && shownImageType(path) === null)
    .map(({ path }) => path);
}
