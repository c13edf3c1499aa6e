import { Refusal } from '../../refusal.ts';
import type { AccountFigures, AccountSummary } from '../../store/tables/account-search.ts';
import type { Store } from '../../store/store.ts';

/** A page of accounts, the newest first; `isLast` if no older ones follow. */
type AccountSearchPage = { readonly accounts: readonly AccountSummary[]; readonly isLast: boolean };

const PAGE = 50;

/** Searches accounts by a part of their e-mail address, or by the id in an install record. */
export function createAccountSearch(store: Store, now: () => number) {
  return {
    /** The page with this number, from 1 on, of the matching accounts; '' matches all. */
    async list(search: string, page: number): Promise<AccountSearchPage> {
      const skip = (page - 1) * PAGE;
      const found = await store.searchAccounts({ search: search.trim(), now: now(), atMost: PAGE + 1, skip });
      return { accounts: found.slice(0, PAGE), isLast: found.length <= PAGE };
    },
    /** The account with this id. Refuses an unknown id. */
    async find(id: string): Promise<AccountSummary> {
      const account = await store.findAccountSummary(id, now());
      if (account !== null) return account;
      throw new Refusal('not-found', 'Cannot find this account: look for it in the list of accounts');
    },
    figures: (id: string): Promise<AccountFigures> => store.countActivity(id, now()),
  };
}
