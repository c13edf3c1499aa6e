import type { KnownItem } from '../store/tables/known-items.ts';
import type { Holder } from '../store/tables/grants.ts';
import { findAccount } from './accounts.ts';
import { findGrantedItem } from './grants.ts';
import { type LogPage, type PagePlace, type Read, readPage, walk } from './row-pages.ts';
import type { Records } from './stall.ts';

/** Rows of one step of the whole list: each looks for the account's last download and question. */
const STEP = 50;

type NamedItem = Pick<KnownItem, 'kind' | 'itemKey'>;

/** Which grants of an item: the active ones, or those that ended too. */
type HolderQuery = { readonly item: NamedItem; readonly isLive: boolean };

/** Reads the grants of an item with their accounts, those granted last first. */
function readHolders(
  { store, now }: Records,
  { item: { kind, itemKey }, isLive }: HolderQuery,
): Read<Holder> {
  const at = now();
  return async (window) => {
    const grantKeys = await store.listGrantKeys(kind, itemKey);
    return store.listHolders({ kind, itemKey, grantKeys, isLive, now: at }, window);
  };
}

/** How many accounts hold an item now. */
export async function countHolders({ store, now }: Records, { kind, itemKey }: NamedItem): Promise<number> {
  const grantKeys = await store.listGrantKeys(kind, itemKey);
  return store.countHolders({ kind, grantKeys, now: now() });
}

/** A page of an item's holders, those granted last first. */
export function pageHolders(stall: Records, query: HolderQuery, place: PagePlace): Promise<LogPage<Holder>> {
  return readPage(readHolders(stall, query), place);
}

/** Every grant of an item, in steps of some rows; no transaction is open between steps. */
export function walkHolders(stall: Records, query: HolderQuery): AsyncGenerator<readonly Holder[]> {
  return walk(readHolders(stall, query), STEP);
}

/** Every grant of an item, ended ones too, of one account or of all; by account and source. Refuses not-found. */
export async function listHolders(stall: Records, slug: string, email: string | null) {
  const item = await findGrantedItem(stall, slug);
  const accountId = email === null ? null : (await findAccount(stall, email)).id;
  const found = await Array.fromAsync(walkHolders(stall, { item, isLive: false }));
  return found
    .flat()
    .filter((holder) => accountId === null || holder.accountId === accountId)
    .map((holder) => ({ ...holder, kind: item.kind }))
    .toSorted((a, b) => compare(a.email, b.email) || compare(a.source, b.source));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
