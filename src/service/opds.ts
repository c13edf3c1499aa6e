import type { AgentPrincipal } from '../access/principal.ts';
import type { Edition } from '../catalog/catalog.ts';
import { isFree, itemKey } from '../item/item.ts';
import { unauthenticated } from './access.ts';
import { listHeld } from './holdings.ts';
import type { Records, Stall } from './stall.ts';
import { findInWindow, type WindowQuery } from './window.ts';

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

/** A list of items that e-readers page through. The library refuses unauthenticated without a key. */
export async function listOpds(
  stall: Stall,
  asker: AgentPrincipal,
  shelf: OpdsShelf,
  { page, words = '' }: { readonly page: number; readonly words?: string },
): Promise<OpdsPage> {
  if (shelf === 'library') return pageOfLibrary(stall, asker, page);
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
  const found = await findInWindow(stall, query, []);
  const held = asker.kind === 'account' ? await listHeld(stall, asker) : [];
  const theirs = new Set(held.map(({ edition }) => edition));
  const items = found.items.map((edition) =>
    itemOf(stall, edition, isFree(edition.manifest) || theirs.has(edition)),
  );
  return { ...found, items };
}

async function pageOfLibrary(stall: Stall, asker: AgentPrincipal, wanted: number): Promise<OpdsPage> {
  if (asker.kind !== 'account')
    throw unauthenticated('Cannot list a library', asker.kind === 'anonymous' ? asker.complaint : null);
  const held = await listHeld(stall, asker);
  const pages = Math.max(1, Math.ceil(held.length / OPDS_PAGE));
  const page = Math.min(wanted, pages);
  const items = held
    .slice((page - 1) * OPDS_PAGE, page * OPDS_PAGE)
    .map(({ edition }) => itemOf(stall, edition, true));
  return { items, count: held.length, page, pages };
}

function itemOf({ store }: Records, edition: Edition, isTheirs: boolean): OpdsItem {
  const { manifest } = edition;
  return { edition, isTheirs, changedAt: store.findChangedAt(manifest.kind, itemKey(manifest)) ?? 0 };
}
