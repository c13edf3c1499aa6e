import { statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IndexKind } from '../catalog/artefact.ts';
import type { Catalog, Edition } from '../catalog/catalog.ts';
import { type Found, type Index, openIndex } from '../search/query.ts';
import { artefactOf, type Artefacts } from './skill-archives.ts';

/** Indexes kept open; each takes a file descriptor and a page cache. */
const MOST = 64;

type OpenIndex = Index & { readonly inode: bigint };

/** Searches books by their verified indexes and keeps the recently used ones open. Refuses tarball-failed. */
export function createBookIndexes(artefacts: Artefacts) {
  const open = new Map<string, OpenIndex>();
  let latest: Promise<void> = Promise.resolve();

  /** Gives each search a turn of the event loop: a crowd that has waited for one verification would hold up all others. */
  const takeTurn = (): Promise<void> => (latest = latest.then(() => nextTurn()));

  const drop = (name: string): void => {
    open.get(name)?.close();
    open.delete(name);
  };

  /** An index that was compiled again is a new file under the same name; the open one is the broken one. */
  const find = async (edition: Edition, kind: IndexKind): Promise<Index> => {
    const { name } = artefactOf(edition, kind);
    const { file } = await artefacts.open(edition, kind);
    const inode = statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? 0n;
    const known = open.get(name);
    if (known !== undefined && known.inode !== inode) drop(name);
    const index = open.get(name) ?? { ...openIndex(file), inode };
    // Moves it to the end of the map: the first entries are closed first.
    open.delete(name);
    open.set(name, index);
    for (const [oldest] of open) {
      if (open.size <= MOST) break;
      drop(oldest);
    }
    return index;
  };

  return {
    /** The best passages of a book, or of its samples, for a question. A damaged index is verified, compiled again and searched once more. */
    async search(
      edition: Edition,
      question: string,
      limit: number,
      kind: IndexKind = 'index',
    ): Promise<Found> {
      try {
        await artefacts.open(edition, kind);
        await takeTurn();
        return (await find(edition, kind)).search(question, limit);
      } catch (error) {
        if (!isDamage(error)) throw error;
      }
      drop(artefactOf(edition, kind).name);
      artefacts.invalidate(edition, kind);
      return (await find(edition, kind)).search(question, limit);
    },
    /** Closes the indexes that no edition of a new catalog names. */
    retain({ editions }: Catalog): void {
      const named = new Set(
        editions.flatMap(({ artefacts: { index, sample } }) => [index?.name, sample?.name]),
      );
      // Later: a search that has just opened its index must not find it closed.
      setImmediate(() => {
        for (const name of [...open.keys()]) if (!named.has(name)) drop(name);
      });
    },
    close(): void {
      for (const name of [...open.keys()]) drop(name);
    },
  };
}

export type BookIndexes = ReturnType<typeof createBookIndexes>;

function isDamage(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^SQLITE_(CORRUPT|NOTADB|IOERR|ERROR|CANTOPEN)/.test(String(error.code))
  );
}
