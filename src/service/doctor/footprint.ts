import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The stall's own files in its data directory, with copies of its database. */
const OWN = /\.db|^(artefacts|editions|kept|backups|(publication|backup)\.json|serve\.(lock|pid|json))$/;

/** One file or folder of the stall's own; `path` is below the data directory. */
export type OwnFile = {
  readonly path: string;
  readonly mode: number;
  readonly owner: number;
  readonly bytes: number;
};

/** All of the stall's own files in a data directory, without those that disappear during the walk. */
export function listOwnFiles(dataDirectory: string): readonly OwnFile[] {
  const names = namesIn(dataDirectory).filter((name) => OWN.test(name));
  return names.flatMap((name) => listBelow(dataDirectory, name));
}

function listBelow(root: string, path: string): readonly OwnFile[] {
  const stat = lstatSync(join(root, path), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  const own = { path, mode: stat.mode & 0o777, owner: stat.uid, bytes: stat.isFile() ? stat.size : 0 };
  return stat.isDirectory()
    ? [own, ...namesIn(join(root, path)).flatMap((name) => listBelow(root, join(path, name)))]
    : [own];
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
