import { existsSync } from 'node:fs';
import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { createBoundedFolder } from '../bounded-folder.ts';
import { decodePage, type PageFile } from './page-file.ts';

/** The most that pages take on disk and in memory, in bytes. */
export type PageSizes = { readonly disk: number; readonly memory: number };

const SIZES: PageSizes = { disk: 256 * 1024 * 1024, memory: 32 * 1024 * 1024 };

/** Keeps rendered pages: all on disk, the last read in memory. Of each those go that were not read for longest. */
export function createPageShelf(dataDirectory: string, sizes: PageSizes = SIZES) {
  const { fileOf, added } = createBoundedFolder(join(dataDirectory, 'pages'), '.page', sizes.disk);
  const inMemory = new Map<string, PageFile>();
  let held = 0;

  const remember = (name: string, page: PageFile): void => {
    inMemory.set(name, page);
    held += page.size;
    for (const [oldest, { size }] of inMemory) {
      if (held <= sizes.memory) break;
      inMemory.delete(oldest);
      held -= size;
    }
  };

  return {
    fileOf,
    /** A page that is in memory and on disk, without a wait. */
    peek(name: string): PageFile | null {
      const page = inMemory.get(name);
      if (page === undefined || !existsSync(fileOf(name))) return null;
      inMemory.delete(name);
      inMemory.set(name, page);
      return page;
    },
    /** Has the next read look at the file again. */
    forget(name: string): void {
      held -= inMemory.get(name)?.size ?? 0;
      inMemory.delete(name);
    },
    /** Reads a page from its file; null if it is missing or damaged. */
    async read(name: string): Promise<PageFile | null> {
      const file = fileOf(name);
      if (!existsSync(file)) return null;
      const page = decodePage(new Uint8Array(await readFile(file).catch(() => new Uint8Array())));
      if (page === null) return null;
      await utimes(file, new Date(), new Date()).catch(() => {});
      if (!inMemory.has(name)) remember(name, page);
      return page;
    },
    /** Call it after each new page; removes old ones to make room on disk. */
    added,
  };
}
