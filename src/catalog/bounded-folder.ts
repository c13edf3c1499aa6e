import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The share of its limit that a full folder frees at once. */
const GIVEN_BACK = 0.1;

/**
 * Keeps a folder of at most `most` bytes, for files that can be made again; each is named by a hash. If the folder is full,
 * removes the files that were read least recently, by their access times.
 */
export function createBoundedFolder(root: string, ending: string, most: number) {
  let onDisk: Promise<number> | null = null;

  const fileOf = (name: string): string => join(root, name.slice(0, 2), `${name}${ending}`);

  const tidy = async (): Promise<number> => {
    const files = (await listFiles(root, ending)).toSorted((a, b) => b.readAt - a.readAt);
    let size = 0;
    for (const [n, file] of files.entries()) {
      // The file that was read last stays, even if it alone is too large: a reader is waiting for it.
      if (n === 0 || size + file.size <= most * (1 - GIVEN_BACK)) size += file.size;
      else await rm(file.path, { force: true });
    }
    return size;
  };

  return {
    fileOf,
    /** Counts a new file, and removes old ones if the folder is full. Call it after each new file. */
    async added(name: string): Promise<void> {
      const { size } = await stat(fileOf(name));
      onDisk = (onDisk ?? tidy().then((all) => all - size)).then(async (all) =>
        all + size > most ? tidy() : all + size,
      );
      await onDisk;
    },
  };
}

type StoredFile = { readonly path: string; readonly size: number; readonly readAt: number };

async function listFiles(root: string, ending: string): Promise<readonly StoredFile[]> {
  const names = await readdir(root, { recursive: true }).catch(() => []);
  return Promise.all(
    names
      .filter((name) => name.endsWith(ending))
      .map(async (name) => {
        const path = join(root, name);
        const { size, atimeMs } = await stat(path).catch(() => ({ size: 0, atimeMs: 0 }));
        return { path, size, readAt: atimeMs };
      }),
  );
}
