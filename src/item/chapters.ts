// SUMMARY.md as mdBook reads it, https://rust-lang.github.io/mdBook/format/summary.html
import type { Chapter, Manifest } from './item.ts';
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
  const chapters: Chapter[] = [];
  Bun.markdown.render(summary.replace(/^\uFEFF/, ''), {
    image: () => '',
    link: (title, { href }) => {
      const path = linkedPath(href, summaryPath);
      if (path !== null && path !== summaryPath) chapters.push({ path, title: title.trim() || null });
      return title;
    },
  });
  return chapters;
}

/** The path inside the item a link leads to; null for drafts, other sites and what leaves the item. */
function linkedPath(href: string, from: string): string | null {
  const target = href.replace(/[#?].*$/s, '');
  if (target === '' || target.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(target)) return null;
  const names = from.split('/').slice(0, -1);
  for (const name of decoded(target).split('/')) {
    if (name === '..' && names.pop() === undefined) return null;
    if (name !== '..' && name !== '.' && name !== '') names.push(name);
  }
  return names.join('/') || null;
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** Errors for the paths item.yaml names that no distributed file has; an `include` entry may be a folder. */
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
