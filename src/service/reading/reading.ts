import type { Principal } from '../../access/principal.ts';
import { type Catalog, findBySlug } from '../../catalog/catalog.ts';
import type { Edition, EditionFile } from '../../catalog/edition.ts';
import type { OpenedPage, ReadingPages, WantedPart } from '../../catalog/reading/reading-pages.ts';
import type { ItemKind } from '../../item/item.ts';
import { Refusal } from '../../refusal.ts';
import { type Access, notFound, seenBy } from '../access.ts';
import type { BookIndexes } from '../ask/book-index.ts';
import { type ContentsEntry, listContents } from './contents.ts';
import type { ReadingPlaces } from './reading-places.ts';

/** A text of an item as opened by a principal. If they may not read it, `page` is null and `refusal` says why. */
export type OpenedText = {
  readonly edition: Edition;
  readonly file: EditionFile;
  readonly contents: readonly ContentsEntry[];
  readonly page: OpenedPage | null;
  readonly refusal: Refusal | null;
};

/** The most passages that a search shows. */
const MOST_FOUND = 20;

type Dependencies = {
  readonly catalog: () => Catalog;
  readonly access: Access;
  readonly pages: ReadingPages;
  readonly indexes: BookIndexes;
  readonly places: ReadingPlaces;
};

/** Reading items in the browser. */
export function createReading({ catalog, access, pages, indexes, places }: Dependencies) {
  const find = (principal: Principal, kind: ItemKind, slug: string): Edition => {
    const edition = findBySlug(catalog(), slug, kind);
    if (edition === undefined) throw notFound(slug);
    return seenBy(principal, edition);
  };
  /** Why the principal may not read the file; null if they may. Refuses not-found. */
  const refusalOf = async (principal: Principal, edition: Edition, path: string): Promise<Refusal | null> => {
    try {
      await access(principal, edition, 'read', path);
      return null;
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'not-found') throw error;
      return error;
    }
  };
  const listReadable = async (principal: Principal, edition: Edition, paths: readonly string[]) => {
    const refused = await Promise.all(paths.map((path) => refusalOf(principal, edition, path)));
    return new Set(paths.filter((_, n) => refused[n] === null));
  };
  return {
    /** Opens a part of a text. Those who may not read it get everything but its page. Refuses not-found. */
    async open(
      principal: Principal,
      { kind, slug, path }: { readonly kind: ItemKind; readonly slug: string; readonly path: string },
      part: WantedPart,
    ): Promise<OpenedText> {
      const edition = find(principal, kind, slug);
      const refusal = await refusalOf(principal, edition, path);
      const file = edition.files.find((one) => one.path === path);
      if (file === undefined || !file.text) throw notFound(`${slug}/${path}`);
      const page = refusal === null ? await pages.open(edition, file, part) : null;
      if (refusal === null && page === null) throw notFound(`${slug}/${path}`);
      return { edition, file, page, refusal, contents: await listContents(edition, pages) };
    },
    /** The path of the chapter read last, else of the first that the principal may read, else of the first. Refuses not-found. */
    async findFirst(
      principal: Principal,
      kind: ItemKind,
      slug: string,
    ): Promise<{ readonly edition: Edition; readonly path: string }> {
      const edition = find(principal, kind, slug);
      await access(principal, edition, 'look').catch(() => access(principal, edition, 'read'));
      const last = await places.find(principal, edition);
      if (last !== null && edition.files.some(({ path, text }) => path === last && text))
        return { edition, path: last };
      const paths = (await listContents(edition, pages)).map((entry) => entry.path);
      const readable = await listReadable(principal, edition, paths);
      const first = paths.find((one) => readable.has(one)) ?? paths[0];
      if (first === undefined) throw notFound(`${slug}/read`);
      return { edition, path: first };
    },
    /** The passages of a book that match best; of its samples, if the principal may not read it whole. Refuses not-found. */
    async search(principal: Principal, slug: string, words: string) {
      const edition = find(principal, 'book', slug);
      await access(principal, edition, 'look').catch(() => access(principal, edition, 'read'));
      // Closed text is in no index of theirs: it would tell by ranks, counts and synonyms which words it holds.
      const kind = (await refusalOf(principal, edition, '')) === null ? 'index' : 'sample';
      const isIndexed = words !== '' && edition.artefacts[kind] !== undefined;
      const passages = isIndexed ? (await indexes.search(edition, words, MOST_FOUND, kind)).passages : [];
      return { edition, contents: await listContents(edition, pages), passages };
    },
  };
}
