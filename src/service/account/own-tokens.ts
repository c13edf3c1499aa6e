import { Refusal } from '../../refusal.ts';
import type { StoredToken } from '../../store/tables/tokens.ts';
import type { Store } from '../../store/store.ts';
import { createTokenIssue } from './issue-token.ts';

/** The use cases of install tokens for an account itself. Another account's token is not found, like one that does not exist. */
export function createOwnTokens(store: Store, now: () => number) {
  const issue = createTokenIssue(store, now);
  const find = async (accountId: string, id: string): Promise<StoredToken> => {
    const token = await issue.find(id);
    if (token?.accountId === accountId) return token;
    throw new Refusal(
      'not-found',
      `Cannot find a link "${id.slice(0, 40)}" among yours: open the list of your links again`,
    );
  };
  return {
    create: issue.create,
    find,
    list: store.listTokens,
    async revoke(accountId: string, id: string): Promise<StoredToken> {
      const token = await find(accountId, id);
      await store.write('revokeToken', { id: token.id, at: now() });
      return token;
    },
  };
}
