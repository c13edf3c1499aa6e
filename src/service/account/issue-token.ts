import { hashKey, keyPrefix, mintToken } from '../../access/key.ts';
import type { ScopedItem, TokenScope } from '../../access/token-scope.ts';
import { DAY } from '../../duration.ts';
import { Refusal } from '../../refusal.ts';
import type { NewAuditEntry } from '../../store/tables/audit-log.ts';
import { MOST_TOKENS, type NewToken, type TokenHolder } from '../../store/tables/tokens.ts';
import type { Store } from '../../store/store.ts';
import { readCredentialName } from './credential-name.ts';
import type { Term } from './key-term.ts';

/** Items one token may name. */
const MOST_ITEMS = 100;

/** How long a token lasts by default, in days. */
export const TOKEN_DAYS = 365;

/** An install token just made: the only time its text is seen. */
export type CreatedToken = Pick<NewToken, 'name' | 'prefix' | 'scope' | 'expiresAt'> & {
  readonly id: number;
  readonly token: string;
};

/** A token that is asked for: `items` null opens every item of the account, `reads` also allows reading and asking. */
export type TokenRequest = {
  readonly name: string;
  readonly items: readonly ScopedItem[] | null;
  readonly reads: boolean;
  readonly term: Term;
};

/** Issues the install tokens of both the stall's commands and an account's own page. */
export function createTokenIssue(store: Store, now: () => number) {
  return {
    async create(
      accountId: string,
      { name, items, reads, term }: TokenRequest,
      audit?: (row: NewToken) => NewAuditEntry,
    ): Promise<CreatedToken> {
      const token = mintToken();
      const createdAt = now();
      const row = {
        accountId,
        hash: hashKey(token),
        prefix: keyPrefix(token),
        name: readCredentialName(name, 'a link'),
        scope: { items: readItems(items), may: reads ? MAY_READ : MAY_TAKE },
        createdAt,
        expiresAt: term === 'never' ? null : createdAt + term.days * DAY,
      };
      const id = await store.write('addToken', { ...row, audit: audit?.(row) });
      if (id === 'full')
        throw new Refusal(
          'invalid-request',
          `Cannot create another link: the account has ${MOST_TOKENS} live ones; revoke one first`,
        );
      const { scope, prefix, expiresAt } = row;
      return { id, token, name: row.name, prefix, scope, expiresAt };
    },
    /** The token of an id as people type it, or null. */
    find: async (id: string): Promise<TokenHolder | null> =>
      /^[1-9][0-9]{0,14}$/.test(id) ? store.findTokenHolderById(Number(id)) : null,
  };
}

const MAY_TAKE: TokenScope['may'] = ['take'];
const MAY_READ: TokenScope['may'] = ['take', 'read', 'ask'];

/** Each item once. */
function readItems(items: readonly ScopedItem[] | null): readonly ScopedItem[] | null {
  if (items === null) return null;
  const unique = new Map(items.map(({ kind, itemKey }) => [`${kind} ${itemKey}`, { kind, itemKey }]));
  if (unique.size >= 1 && unique.size <= MOST_ITEMS) return [...unique.values()];
  throw new Refusal(
    'invalid-request',
    `Cannot create this link: name 1 to ${MOST_ITEMS} items, or none for every item`,
  );
}
