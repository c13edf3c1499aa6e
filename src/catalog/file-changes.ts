import type { ItemFile } from './item.rule.ts';
import type { ChangedFiles, FileChanges } from './catalog.ts';

export type ComparedFile = Pick<ItemFile, 'path' | 'sha256' | 'executable'>;

export type Changes = FileChanges & { readonly files?: ChangedFiles };

/**
 * The maximum number of paths of changed files that an edition records, and of dropped files that the answer to a push names.
 */
export const MOST_PATHS = 100;

export function compareFiles(
  before: readonly ComparedFile[],
  after: readonly ComparedFile[],
): FileChanges & { readonly files: ChangedFiles } {
  const [old, now] = [before, after].map((files) => new Map(files.map((file) => [file.path, file])));
  const added = after.filter(({ path }) => !old?.has(path));
  const removed = before.filter(({ path }) => !now?.has(path));
  const changed = after.filter(({ path, sha256, executable }) => {
    const file = old?.get(path);
    return file !== undefined && (file.sha256 !== sha256 || file.executable !== executable);
  });
  return {
    added: added.length,
    changed: changed.length,
    removed: removed.length,
    files: cutPaths({ added, changed, removed }),
  };
}

/**
 * Cuts the lists of changed files to `MOST_PATHS` paths in all. Each list may have a third, and more if the others are shorter.
 */
function cutPaths(lists: Readonly<Record<keyof ChangedFiles, readonly ComparedFile[]>>): ChangedFiles {
  const names = (Object.keys(lists) as (keyof ChangedFiles)[]).sort(
    (a, b) => lists[a].length - lists[b].length,
  );
  const paths: Record<keyof ChangedFiles, string[]> = { added: [], changed: [], removed: [] };
  let room = MOST_PATHS;
  for (const [n, name] of names.entries()) {
    paths[name] = lists[name].slice(0, Math.floor(room / (names.length - n))).map(({ path }) => path);
    room -= paths[name].length;
  }
  return paths;
}
