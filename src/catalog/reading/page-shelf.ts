import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { decodePage, type PageFile } from './page-file.ts';

/** The most that pages take on disk and in memory, in bytes. */
export type PageSizes = { readonly disk: number; readonly memory: number };

const SIZES: PageSizes = { disk: 256 * 1024 * 1024, memory: 32 * 1024 * 1024 };

/** How much of what it may have a shelf gives back when it is full. */
const GIVEN_BACK = 0.1;

/** Keeps rendered pages: all on disk, the last read in memory. Of each those go that were not read for longest. */
export function createPageShelf(dataDirectory: string, sizes: PageSizes = SIZES) {
  const root = join(dataDirectory, 'pages');
  const inMemory = new Map<string, PageFile>();
  let held = 0;
  let onDisk: Promise<number> | null = null;

  const fileOf = (name: string): string => join(root, name.slice(0, 2), `${name}.page`);

  const remember = (name: string, page: PageFile): void => {
    inMemory.set(name, page);
    held += page.html.length;
    for (const [oldest, { html }] of inMemory) {
      if (held <= sizes.memory) break;
      inMemory.delete(oldest);
      held -= html.length;
    }
  };

  /** Removes what was not read for longest until there is room again; gives the size of the rest. */
  const tidy = async (): Promise<number> => {
    const files = (await listPages(root)).toSorted((a, b) => b.readAt - a.readAt);
    let size = 0;
    const most = sizes.disk * (1 - GIVEN_BACK);
    for (const file of files) {
      if (size + file.size <= most) size += file.size;
      else await rm(file.path, { force: true });
    }
    return size;
  };

  return {
    fileOf,
    /** A page that is in memory, without a wait. */
    peek(name: string): PageFile | null {
      const page = inMemory.get(name);
      if (page === undefined) return null;
      inMemory.delete(name);
      inMemory.set(name, page);
      return page;
    },
    /** Has the next read look at the file again. */
    forget(name: string): void {
      held -= inMemory.get(name)?.html.length ?? 0;
      inMemory.delete(name);
    },
    /** A page from its file; null if there is none, or not as it was written. */
    async read(name: string): Promise<PageFile | null> {
      const file = fileOf(name);
      if (!existsSync(file)) return null;
      const page = decodePage(new Uint8Array(await readFile(file).catch(() => new Uint8Array())));
      if (page === null) return null;
      await utimes(file, new Date(), new Date()).catch(() => {});
      if (!inMemory.has(name)) remember(name, page);
      return page;
    },
    /** To be told of each new page: makes room for it on disk. */
    async added(name: string): Promise<void> {
      const size = (await stat(fileOf(name))).size;
      onDisk = (onDisk ?? tidy().then((all) => all - size)).then(async (all) =>
        all + size > sizes.disk ? tidy() : all + size,
      );
      await onDisk;
    },
  };
}

export type PageShelf = ReturnType<typeof createPageShelf>;

type StoredPage = { readonly path: string; readonly size: number; readonly readAt: number };

async function listPages(root: string): Promise<readonly StoredPage[]> {
  const names = (await readdir(root, { recursive: true }).catch(() => [])).filter((name) =>
    name.endsWith('.page'),
  );
  return Promise.all(
    names.map(async (name) => {
      const path = join(root, name);
      const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
      return { path, size, readAt: mtimeMs };
    }),
  );
}
