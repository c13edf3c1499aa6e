// SUMMARY.md as mdBook reads it, https://rust-lang.github.io/mdBook/format/summary.html
import type { Chapter } from './chapter.ts';
import type { Manifest } from './item.ts';
import { fileLinks, resolveLink } from './link.ts';
import { comparePaths } from './path.ts';
import { error, quote, type Problem } from './problem.ts';

type Book = {
  readonly manifest: Manifest;
  readonly textPaths: readonly string[];
  readonly summary: string | null;
  readonly summaryPath: string;
};

/**
 * The reading order: item.yaml's chapters, else the links of SUMMARY.md (`summary` is its text, `summaryPath` its
 * place), then every other text file in path order. Each path once, and only those in `textPaths`.
 */
export function readingOrder({ manifest, textPaths, summary, summaryPath }: Book): Chapter[] {
  const named = manifest.chapters ?? (summary === null ? [] : summaryLinks(summary, summaryPath));
  const rest = textPaths.filter((path) => summary === null || path !== summaryPath).sort(comparePaths);
  const order = new Map<string, Chapter>();
  for (const chapter of [...named, ...rest.map((path) => ({ path, title: null }))])
    if (!order.has(chapter.path)) order.set(chapter.path, chapter);
  const texts = new Set(textPaths);
  return [...order.values()].filter((chapter) => texts.has(chapter.path));
}

function summaryLinks(summary: string, summaryPath: string): Chapter[] {
  return fileLinks(summary)
    .filter(({ isImage }) => !isImage)
    .map(({ target, text }) => ({ path: resolveLink(target, summaryPath), title: text.trim() || null }))
    .filter(({ path }) => path !== summaryPath);
}

/** Errors for paths in item.yaml that no distributed file has; an `include` entry may be a folder. */
export function referenceProblems(manifest: Manifest, paths: readonly string[]): Problem[] {
  const files = new Set(paths);
  const lost = (key: string, named: readonly string[]): Problem[] =>
    named.filter((path) => !files.has(path)).map((path) => missing(key, path));
  return [
    ...lost(
      'chapters',
      (manifest.chapters ?? []).map((chapter) => chapter.path),
    ),
    ...lost('cover', manifest.cover === null ? [] : [manifest.cover]),
    ...lost('sample', manifest.sample),
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
