import { statSync } from 'node:fs';
import type { IndexKind } from '../catalog/artefact.ts';
import { artefactOf, type Artefacts } from '../catalog/artefacts.ts';
import type { Catalog, Edition } from '../catalog/catalog.ts';
import { createKept } from '../platform/base/cache.ts';
import { createQueue } from '../platform/base/turn.ts';
import type { BookVectors } from './book-vectors.ts';
import { type Index, openIndex } from './search/query.ts';

/**
 * The maximum number of search indexes kept open, since each takes a file descriptor and a cache, and a search of all of a
 * reader's books opens many.
 */
const MOST_OPEN = 256;

type Asked = {
  readonly question: string;
  readonly limit: number;
  readonly kind?: IndexKind;
  readonly meant?: string;
};
type Wanted = {
  readonly words: string;
  readonly limit: number;
  readonly kind: IndexKind;
  readonly byWords?: boolean;
};
type OpenIndex = Index & { readonly inode: bigint };

export function createBookIndexes(artefacts: Artefacts, vectors: Pick<BookVectors, 'near'>) {
  const open = createKept<OpenIndex>(
    MOST_OPEN,
    () => 1,
    (index) => index.close(),
  );
  // Runs one search after another: many that waited for one index to be verified would otherwise block the event loop together.
  const inTurn = createQueue();

  /**
   * Returns the open index of an edition, or opens it. A broken index that was compiled again has the same name but another
   * inode: then closes the old file and opens the new one.
   */
  const find = async (edition: Edition, kind: IndexKind): Promise<Index> => {
    const { name } = artefactOf(edition, kind);
    const { file } = await artefacts.open(edition, kind);
    const inode = statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? 0n;
    const known = open.get(name);
    return known?.inode === inode ? known : open.set(name, { ...openIndex(file), inode });
  };

  const using = async <Result>(edition: Edition, kind: IndexKind, use: (index: Index) => Result) => {
    try {
      await artefacts.open(edition, kind);
      return await inTurn('', async () => use(await find(edition, kind)));
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    open.drop(artefactOf(edition, kind).name);
    artefacts.invalidate(edition, kind);
    return use(await find(edition, kind));
  };

  return {
    /**
     * Finds the best passages for a question, in a whole book or in its samples. `meant` is the reader's own question, if
     * `question` has other words before it: only `meant` is compared by its vector. If the index is damaged, compiles it again
     * and searches once more.
     */
    async search(edition: Edition, { question, limit, kind = 'index', meant = question }: Asked) {
      const near = await vectors.near(edition, kind, meant);
      return using(edition, kind, (index) => index.search(question, limit, edition.manifest.title, near));
    },
    async find(edition: Edition, { words, limit, kind, byWords = false }: Wanted) {
      const near = byWords ? null : await vectors.near(edition, kind, words);
      return using(edition, kind, (index) => index.find(words, limit, edition.manifest.title, near));
    },
    headings: (edition: Edition) => using(edition, 'index', (index) => index.headings()),
    retain({ editions }: Catalog): void {
      const named = new Set(
        editions.flatMap(({ artefacts: { index, sample } }) => [index?.name, sample?.name]),
      );
      // Closes them a little later, since a running search may have just looked one up.
      setImmediate(() => {
        for (const name of open.names()) if (!named.has(name)) open.drop(name);
      });
    },
    close(): void {
      open.names().forEach(open.drop);
    },
  };
}

export type BookIndexes = ReturnType<typeof createBookIndexes>;

const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^SQLITE_(CORRUPT|NOTADB|IOERR|ERROR|CANTOPEN)/.test(String(error.code));
