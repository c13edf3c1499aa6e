import type { ItemFile } from '../item/item.ts';
import type { FileChanges } from './edition.ts';

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
