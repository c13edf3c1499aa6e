import { join } from 'node:path';
import type { ItemFile, Manifest } from '../item/item.ts';
import type { Limits } from '../item/limit.ts';
import { error, quote, type Problem } from '../item/problem.ts';
import type { Edition, Stamp } from './edition.ts';
import { hashFile } from './hash.ts';
import { isError, scanItem, type ItemFolder } from './scan.ts';
import { type TreeFile, unreadable } from './tree.ts';

/** A distributed file in its present state in the content directory. */
export type InspectedFile = ItemFile & { readonly stamp: Stamp };

/** An item's folder with all its files read. `manifest` is null if a problem is an error. */
export type InspectedItem = {
  readonly manifest: Manifest | null;
  readonly files: readonly InspectedFile[];
  readonly problems: readonly Problem[];
};

/** Names every problem of an item, secrets included. Does not read files again whose stamp in `previous` is unchanged. */
export function inspectItem(
  folder: ItemFolder,
  limits: Limits,
  previous: Edition | null,
  now: () => number = Date.now,
): InspectedItem {
  const scan = scanItem(folder, limits);
  const known = new Map(previous?.files.map((file) => [file.path, file]));
  const files: InspectedFile[] = [];
  const problems = [...scan.problems];
  for (const file of scan.files) {
    const inspected = inspectFile(folder.folder, file, known.get(file.path), now());
    if ('severity' in inspected) problems.push(inspected);
    else files.push(inspected);
  }
  return { manifest: problems.some(isError) ? null : scan.manifest, files, problems };
}

function inspectFile(
  folder: string,
  file: TreeFile,
  known: InspectedFile | undefined,
  // The time before reading: a change while the file is read must show.
  hashedAt: number,
): InspectedFile | Problem {
  if (known !== undefined && isUnchanged(file, known, hashedAt))
    return { ...known, executable: file.executable };
  try {
    const { secret, ...hashed } = hashFile(join(folder, file.path));
    if (secret !== null) return secretProblem(file.path, secret);
    return { path: file.path, executable: file.executable, ...hashed, stamp: stampOf(file, hashedAt) };
  } catch (cause) {
    return unreadable(file.path, cause);
  }
}

function stampOf({ stat }: TreeFile, hashedAt: number): Stamp {
  return { inode: String(stat.ino), mtime: String(stat.mtimeNs), ctime: String(stat.ctimeNs), hashedAt };
}

/**
 * Whether a file is unchanged since it was hashed, by its stamp. A file changed within two seconds before its last hash
 * may have changed again within one tick of the file system's clock, so it does not count as unchanged. Neither does one
 * hashed later than `now`: the clock was set back since and may give the same times twice.
 */
export function isUnchanged(file: TreeFile, known: InspectedFile, now: number): boolean {
  const { inode, mtime, ctime, hashedAt } = known.stamp;
  const { stat } = file;
  const settled = Math.max(Number(stat.mtimeMs), Number(stat.ctimeMs)) < hashedAt - 2000;
  return (
    settled &&
    hashedAt <= now &&
    file.size === known.size &&
    String(stat.ino) === inode &&
    String(stat.mtimeNs) === mtime &&
    String(stat.ctimeNs) === ctime
  );
}

function secretProblem(path: string, secret: 'private-key' | 'api-key'): Problem {
  const what = secret === 'private-key' ? "a private key's header" : 'a valid API key of a stall';
  return error(
    `secret-${secret}`,
    path,
    `Cannot distribute ${quote(path)}: it holds ${what}`,
    secret === 'private-key'
      ? 'Remove the key, and replace it wherever it is used'
      : 'Remove the key, and revoke it',
  );
}
