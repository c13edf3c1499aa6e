import type { Chapter, ChapterEntry } from './chapter.ts';
import { isAbout, isChapterFile } from './chapter-file.ts';
import type { Manifest } from './item.ts';
import { comparePaths } from './path.ts';
import { error, quote, type Problem } from './problem.ts';
import { summaryChapters } from './summary.ts';

type Book = {
  readonly manifest: Manifest;
  readonly textPaths: readonly string[];
  readonly summary: string | null;
  readonly summaryPath: string;
};

/**
 * The reading order: the pages that item.yaml's chapters name, else those that SUMMARY.md links to (`summary` is its text,
 * `summaryPath` its place), else all prose and source code in path order. Each path once, and only those in
 * `textPaths`.
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

/** The chapters of a book that names none; the README of a book without other prose is the book. */
function filesInOrder(textPaths: readonly string[]): readonly Chapter[] {
  const chapters = textPaths.filter(isChapterFile);
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

/** Errors for paths in item.yaml that no distributed file has; an `include` entry may be a folder. */
export function referenceProblems(manifest: Manifest, paths: readonly string[]): Problem[] {
  const files = new Set(paths);
  const lost = (key: string, named: readonly string[]): Problem[] =>
    named.filter((path) => !files.has(path)).map((path) => missing(key, path));
  return [
    ...lost(
      'chapters',
      (manifest.chapters ?? []).flatMap((entry) => ('part' in entry ? [] : [entry.path])),
    ),
    ...lost('cover', manifest.cover === null ? [] : [manifest.cover]),
    ...lost('sample', manifest.sample),
    ...lost('formats', manifest.formats),
    ...lost(
      'include',
      manifest.include.filter((entry) => !paths.some((path) => path.startsWith(`${entry}/`))),
    ),
  ];
}

const missing = (key: string, path: string): Problem =>
  error(
    `missing-${key}`,
    'item.yaml',
    `Cannot find ${quote(path)}, which "${key}" names, among the distributed files`,
    'Correct the path: it is relative to the item folder, with "/" and in the same case',
  );
