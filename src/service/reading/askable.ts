import type { Principal } from '../../access/principal.ts';
import { type Catalog, findBySlug } from '../../catalog/catalog.ts';
import type { ReadingPages } from '../../catalog/reading/reading-pages.ts';
import { Refusal } from '../../refusal.ts';
import { type Access, isHidden, notFound, seenBy } from '../access.ts';
import { listContents } from './contents.ts';

type Dependencies = {
  readonly catalog: () => Catalog;
  readonly access: Access;
  readonly pages: ReadingPages;
};

/** Finds a book that the principal may ask, with its contents. Refuses not-found, access-denied and no-content. */
export function createFindAskable({ catalog, access, pages }: Dependencies) {
  return async (principal: Principal, slug: string) => {
    const served = findBySlug(catalog(), slug, 'book');
    if (served === undefined || isHidden(principal, served)) throw notFound(slug);
    const edition = seenBy(principal, served);
    await access(principal, edition, 'ask');
    if (edition.artefacts.index === undefined)
      throw new Refusal('no-content', `Cannot ask "${slug}": the book holds no text to answer from`);
    return { edition, contents: await listContents(edition, pages) };
  };
}
