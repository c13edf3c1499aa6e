import type { ItemFile } from '../item/item.ts';
import { quote, warning, type Problem } from '../item/problem.ts';
import type { ChangedFiles, Edition, FileChanges } from './catalog.ts';

type File = Pick<ItemFile, 'path' | 'sha256' | 'executable'>;

type Changes = FileChanges & { readonly files?: ChangedFiles };

/** How many paths of changed files are kept. */
const MOST_PATHS = 100;

/** Compares the files of two editions; a renamed file counts as one removed and one added. */
function compareFiles(
  before: readonly File[],
  after: readonly File[],
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

/** Each list has a third of the room, and more if the others leave it. */
function cutPaths(lists: Readonly<Record<keyof ChangedFiles, readonly File[]>>): ChangedFiles {
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

/** The changes since the edition before; an item that has none, and one that is still the same, has all its files added. */
export function changesSince(previous: Edition | null, digest: string, files: readonly File[]): Changes {
  if (previous === null) return { added: files.length, changed: 0, removed: 0 };
  if (previous.digest !== digest) return compareFiles(previous.files, files);
  return previous.changes ?? { added: files.length, changed: 0, removed: 0 };
}

const SAME_VERSION = 'same-version';
const OTHER_VERSION = 'other-version';

/** Warns if files changed under the same version, or the version without them, for as long as this edition is served. */
export function versionProblems(
  previous: Edition | null,
  { manifest: { version }, digest }: Pick<Edition, 'manifest' | 'digest'>,
): readonly Problem[] {
  const before = previous?.manifest.version ?? null;
  if (previous === null || version === null || before === null) return [];
  const isSame = previous.digest === digest;
  if (isSame && before === version)
    return previous.warnings.filter(({ code }) => code === SAME_VERSION || code === OTHER_VERSION);
  // Who is warned of one version for two editions raises it: the other edition keeps it.
  if (isSame && previous.warnings.some(({ code }) => code === SAME_VERSION)) return [];
  if (isSame) return [renamedEdition(before, version)];
  if (before !== version) return [];
  const sentence = `Files changed, but the version is still ${quote(version)}`;
  return [
    warning(SAME_VERSION, 'item.yaml', sentence, 'Raise "version", so that readers can tell the two apart'),
  ];
}

function renamedEdition(before: string, version: string): Problem {
  return warning(
    OTHER_VERSION,
    'item.yaml',
    `No file changed: the edition ${quote(before)} is now called ${quote(version)}, and ${quote(before)} cannot be installed`,
    `Write "version: ${before}" again if readers pin it, and raise the version with the next change of a file`,
  );
}
