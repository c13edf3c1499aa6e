import type { Principal } from '../../access/principal.ts';
import { type Catalog, findBySlug } from '../../catalog/catalog.ts';
import type { ReadingPages } from '../../catalog/reading/reading-pages.ts';
import { type Access, isHidden, notFound, seenBy } from '../access.ts';
import { listContents } from './contents.ts';
import { refuseTextless } from '../ask/ask.ts';

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
    refuseTextless(edition);
    return { edition, contents: await listContents(edition, pages) };
  };
}
