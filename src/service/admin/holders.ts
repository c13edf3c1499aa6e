import type { KnownItem } from '../../store/tables/known-items.ts';
import type { Holder } from '../../store/tables/holders.ts';
import type { LogWindow } from '../../store/tables/log-page.ts';
import type { Store } from '../../store/store.ts';
import { findAccount } from '../accounts.ts';
import { findGrantedItem } from '../grants.ts';
import { type LogPage, type PagePlace, readPage, walk } from '../row-pages.ts';

/** Rows of one step of the whole list: each looks for the account's last download and question. */
const STEP = 50;

type NamedItem = Pick<KnownItem, 'kind' | 'itemKey'>;

/** Which grants of an item: the active ones, or those that ended too. */
type HolderQuery = { readonly item: NamedItem; readonly isLive: boolean };

/** The holders of an item: its grants with their accounts, those granted last first. */
export function createHolders(store: Store, now: () => number) {
  const read = ({ item: { kind, itemKey }, isLive }: HolderQuery) => {
    const at = now();
    return async (window: LogWindow): Promise<readonly Holder[]> => {
      const grantKeys = await store.listGrantKeys(kind, itemKey);
      return store.listHolders({ kind, itemKey, grantKeys, isLive, now: at }, window);
    };
  };
  return {
    /** Finds an item that was served at least once, even if it no longer is. Refuses not-found. */
    find: (slug: string): Promise<NamedItem> => findGrantedItem({ store }, slug),
    /** How many accounts hold it now. */
    async count({ kind, itemKey }: NamedItem): Promise<number> {
      const grantKeys = await store.listGrantKeys(kind, itemKey);
      return store.countHolders({ kind, grantKeys, now: now() });
    },
    page: (query: HolderQuery, place: PagePlace): Promise<LogPage<Holder>> => readPage(read(query), place),
    /** Every grant, in steps of some rows; no transaction is open between steps. */
    rows: (query: HolderQuery): AsyncGenerator<readonly Holder[]> => walk(read(query), STEP),
    /** Every grant of an item, ended ones too, of one account or of all; by account and source. Refuses not-found. */
    async list(slug: string, email: string | null) {
      const item = await findGrantedItem({ store }, slug);
      const accountId = email === null ? null : (await findAccount({ store }, email)).id;
      const found = await Array.fromAsync(walk(read({ item, isLive: false }), STEP));
      return found
        .flat()
        .filter((holder) => accountId === null || holder.accountId === accountId)
        .map((holder) => ({ ...holder, kind: item.kind }))
        .toSorted((a, b) => compare(a.email, b.email) || compare(a.source, b.source));
    },
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
