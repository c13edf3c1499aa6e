import type { Edition } from '../catalog/edition.ts';
import { type Index, openIndex } from '../search/query.ts';
import { type Artefacts, artefactOf } from './artefacts.ts';

/** Open indexes kept at once; each is one file descriptor and a page cache. */
const MOST = 64;

/** Opens the verified search index of a book's edition and keeps the recently used ones open. Refuses tarball-failed. */
export function createBookIndexes(artefacts: Artefacts) {
  const open = new Map<string, Index>();

  const keep = (name: string, index: Index): void => {
    open.set(name, index);
    for (const [oldest, unused] of open) {
      if (open.size <= MOST) break;
      open.delete(oldest);
      unused.close();
    }
  };

  return {
    async find(edition: Edition): Promise<Index> {
      const { name } = artefactOf(edition, 'index');
      const { file } = await artefacts.open(edition, 'index');
      const index = open.get(name) ?? openIndex(file);
      open.delete(name);
      keep(name, index);
      return index;
    },
    close(): void {
      for (const index of open.values()) index.close();
      open.clear();
    },
  };
}

export type BookIndexes = ReturnType<typeof createBookIndexes>;
