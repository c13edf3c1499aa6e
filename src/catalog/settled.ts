import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { createIgnore } from '../item/ignore.ts';
import type { InspectedFile } from './inspect.ts';
import { readText } from './scan.ts';
import { type TreeFile, walkTree } from './tree.ts';

/** The path of a file that changed since its inspection, was added or removed; null if none did. */
export function findChanged(folder: string, inspected: readonly InspectedFile[]): string | null {
  const before = new Map(inspected.map((file) => [file.path, file]));
  for (const file of filesIn(folder)) {
    const known = before.get(file.path);
    if (known === undefined || !isSame(file, known)) return file.path;
    before.delete(file.path);
  }
  return [...before.keys()][0] ?? null;
}

/**
 * The path of a file whose inode changed after `time`, in milliseconds since 1970; null if there is none. A change later
 * than `now` was made by a clock that was set back since, and does not count.
 */
export function findChangedAfter(folder: string, time: number, now: number): string | null {
  const isLate = (changed: bigint): boolean => Number(changed) > time && Number(changed) <= now;
  const own = ['item.yaml', '.bookstallignore'].flatMap((path) => {
    const stat = lstatSync(join(folder, path), { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? [] : [{ path, stat }];
  });
  return [...own, ...filesIn(folder)].find(({ stat }) => isLate(stat.ctimeMs))?.path ?? null;
}

function filesIn(folder: string): readonly TreeFile[] {
  return walkTree(folder, createIgnore(readText(folder, '.bookstallignore'))).files;
}

function isSame({ size, executable, stat }: TreeFile, known: InspectedFile): boolean {
  const { inode, mtime, ctime } = known.stamp;
  return (
    size === known.size &&
    executable === known.executable &&
    String(stat.ino) === inode &&
    String(stat.mtimeNs) === mtime &&
    String(stat.ctimeNs) === ctime
  );
}
