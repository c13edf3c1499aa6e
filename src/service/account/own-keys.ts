import { Refusal } from '../../refusal.ts';
import type { StoredKey } from '../../store/tables/keys.ts';
import type { Store } from '../../store/store.ts';
import { type CreatedKey, createKeyIssue } from './issue-key.ts';
import type { Overlap } from './key-term.ts';

/** The use cases of API keys for an account itself. Another account's key is not found, like one that does not exist. */
export function createOwnKeys(store: Store, now: () => number) {
  const issue = createKeyIssue(store, now);
  const find = async (accountId: string, id: string): Promise<StoredKey> => {
    const key = await issue.find(id);
    if (key?.accountId === accountId) return key;
    throw new Refusal(
      'not-found',
      `Cannot find a key "${id.slice(0, 40)}" among yours: open the list of your keys again`,
    );
  };

  return {
    create: issue.create,
    list: store.listKeys,
    async revoke(accountId: string, id: string): Promise<StoredKey> {
      const key = await find(accountId, id);
      await store.write('revokeKey', { id: key.id, at: now() });
      return key;
    },
    /** A new key of the same name and term; the old one ends at once, or after the overlap. */
    rotate: async (accountId: string, id: string, overlap: Overlap): Promise<CreatedKey> =>
      issue.rotate(await find(accountId, id), overlap),
  };
}
