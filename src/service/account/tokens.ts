import type { Actor } from '../../access/actor.ts';
import { Refusal } from '../../refusal.ts';
import type { StoredToken } from '../../store/tables/tokens.ts';
import type { Store } from '../../store/store.ts';
import { describeActs } from '../audit-entry.ts';
import type { Accounts } from './accounts.ts';
import { findGrantedItem } from './grant-plan.ts';
import { type CreatedToken, createTokenIssue, type TokenRequest } from './issue-token.ts';

/** The same with the slugs of items; none opens every item. */
type SlugTokenRequest = Omit<TokenRequest, 'items'> & { readonly slugs: readonly string[] };

/** A token with the present slugs of its items; null opens every item. */
export type ListedToken = StoredToken & { readonly slugs: readonly string[] | null };

/** The use cases of install tokens for those who run the stall: by e-mail address and id. */
export function createTokens(store: Store, accounts: Accounts, by: Actor, now: () => number) {
  const act = describeActs(by, now);
  const issue = createTokenIssue(store, now);
  return {
    async create(email: string, { slugs, ...request }: SlugTokenRequest): Promise<CreatedToken> {
      const account = await accounts.find(email);
      const named = await Promise.all(slugs.map((slug) => findGrantedItem(store, slug)));
      const items = slugs.length === 0 ? null : named;
      return issue.create(account.id, { ...request, items }, (token) =>
        act('token.create', account.email, of(token)),
      );
    },
    async list(email: string): Promise<readonly ListedToken[]> {
      const { id } = await accounts.find(email);
      return (await store.listTokens(id)).map((token) => ({
        ...token,
        slugs: token.scope.items?.map(store.findKnownSlug) ?? null,
      }));
    },
    async revoke(id: string): Promise<StoredToken> {
      const token = await issue.find(id);
      if (token === null)
        throw new Refusal(
          'not-found',
          `Cannot find a token "${id.slice(0, 40)}": "bookstall token list EMAIL" shows an account's tokens and their ids`,
        );
      const audit = act('token.revoke', token.email, of(token));
      await store.write('revokeToken', { id: token.id, at: now(), audit });
      return token;
    },
  };
}

function of({ name, prefix }: Pick<StoredToken, 'name' | 'prefix'>) {
  return { name, prefix };
}
