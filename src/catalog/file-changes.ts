import type { ItemFile } from '../item/item.ts';
import { quote, warning, type Problem } from '../item/problem.ts';
import type { Edition, FileChanges } from './edition.ts';

type File = Pick<ItemFile, 'path' | 'sha256' | 'executable'>;

/** Counts the differences between the files of two editions; a renamed file counts as one removed and one added. */
export function countChanges(before: readonly File[], after: readonly File[]): FileChanges {
  const known = new Map(before.map((file) => [file.path, file]));
  const common = after.filter(({ path }) => known.has(path));
  const changed = common.filter(({ path, sha256, executable }) => {
    const old = known.get(path);
    return old?.sha256 !== sha256 || old.executable !== executable;
  });
  return {
    added: after.length - common.length,
    changed: changed.length,
    removed: before.length - common.length,
  };
}

/** Counts the changes since the edition before; an item that has none, and one that is still the same, count all as added. */
export function changesSince(previous: Edition | null, digest: string, files: readonly File[]): FileChanges {
  if (previous?.digest !== digest) return countChanges(previous?.files ?? [], files);
  return previous.changes ?? countChanges([], files);
}

const SAME_VERSION = 'same-version';

/** Warns if files changed under the same version, for as long as this edition is served. */
export function versionProblems(
  previous: Edition | null,
  { manifest: { version }, digest }: Pick<Edition, 'manifest' | 'digest'>,
): readonly Problem[] {
  if (previous === null || version === null || previous.manifest.version !== version) return [];
  if (previous.digest === digest) return previous.warnings.filter(({ code }) => code === SAME_VERSION);
  const sentence = `Files changed, but the version is still ${quote(version)}`;
  return [
    warning(SAME_VERSION, 'item.yaml', sentence, 'Raise "version", so that readers can tell the two apart'),
  ];
}
