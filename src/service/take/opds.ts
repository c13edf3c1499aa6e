import type { AgentPrincipal } from '../../access/principal.ts';
import type { Edition } from '../../catalog/edition.ts';
import { isFree, itemKey } from '../../item/item.ts';
import type { Store } from '../../store/store.ts';
import { unauthenticated } from '../access.ts';
import type { createHoldings } from '../shop/holdings.ts';
import type { WindowPage, WindowQuery } from '../shop/window.ts';

/** A list of items for e-readers. */
export type OpdsShelf = 'all' | 'free' | 'newest' | 'library' | 'search';

/** An item in a list, and whether the asker may have it; `changedAt` in milliseconds since 1970. */
export type OpdsItem = { readonly edition: Edition; readonly isTheirs: boolean; readonly changedAt: number };

/** One page of a list; `page` counts from 1. */
export type OpdsPage = {
  readonly items: readonly OpdsItem[];
  readonly count: number;
  readonly page: number;
  readonly pages: number;
};

/** Items on a page. */
export const OPDS_PAGE = 50;

type Dependencies = {
  readonly findInWindow: (query: WindowQuery, featured: readonly string[]) => Promise<WindowPage>;
  readonly listHeld: ReturnType<typeof createHoldings>['listHeld'];
  readonly store: Pick<Store, 'findChangedAt'>;
};

/** The lists of items that e-readers page through. The library refuses unauthenticated without a key. */
export function createOpds({ findInWindow, listHeld, store }: Dependencies) {
  const isHeld = async (asker: AgentPrincipal): Promise<ReadonlySet<Edition>> =>
    asker.kind === 'account' ? new Set((await listHeld(asker)).map(({ edition }) => edition)) : new Set();

  const itemOf = (edition: Edition, isTheirs: boolean): OpdsItem => {
    const { manifest } = edition;
    return { edition, isTheirs, changedAt: store.findChangedAt(manifest.kind, itemKey(manifest)) ?? 0 };
  };

  const listLibrary = async (asker: AgentPrincipal, wanted: number): Promise<OpdsPage> => {
    if (asker.kind !== 'account')
      throw unauthenticated('Cannot list a library', asker.kind === 'anonymous' ? asker.complaint : null);
    const held = await listHeld(asker);
    const pages = Math.max(1, Math.ceil(held.length / OPDS_PAGE));
    const page = Math.min(wanted, pages);
    const items = held
      .slice((page - 1) * OPDS_PAGE, page * OPDS_PAGE)
      .map(({ edition }) => itemOf(edition, true));
    return { items, count: held.length, page, pages };
  };

  return async (
    asker: AgentPrincipal,
    shelf: OpdsShelf,
    { page, words = '' }: { readonly page: number; readonly words?: string },
  ): Promise<OpdsPage> => {
    if (shelf === 'library') return listLibrary(asker, page);
    const query: WindowQuery = {
      words,
      kind: null,
      price: shelf === 'free' ? 'free' : null,
      tag: null,
      language: null,
      order: shelf === 'newest' ? 'newest' : 'title',
      page,
      size: OPDS_PAGE,
    };
    const found = await findInWindow(query, []);
    const theirs = await isHeld(asker);
    return {
      ...found,
      items: found.items.map((edition) => itemOf(edition, isFree(edition.manifest) || theirs.has(edition))),
    };
  };
}
