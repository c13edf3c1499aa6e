import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How much of what it may hold a folder gives back when it is full. */
const GIVEN_BACK = 0.1;

/**
 * A folder of files that can be made again, of `most` bytes together. Their names are hashes; beyond the
 * limit the files that were not read for longest go, by their times.
 */
export function createBoundedFolder(root: string, ending: string, most: number) {
  let onDisk: Promise<number> | null = null;

  const fileOf = (name: string): string => join(root, name.slice(0, 2), `${name}${ending}`);

  /**
   * Removes the files that were not read for longest until there is room again; gives the size of the rest.
   */
  const tidy = async (): Promise<number> => {
    const files = (await listFiles(root, ending)).toSorted((a, b) => b.readAt - a.readAt);
    let size = 0;
    for (const file of files) {
      if (size + file.size <= most * (1 - GIVEN_BACK)) size += file.size;
      else await rm(file.path, { force: true });
    }
    return size;
  };

  return {
    fileOf,
    /** Call it after each new file; removes old ones to make room. */
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
