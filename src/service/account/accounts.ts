import type { Actor } from '../../access/actor.ts';
import { readEmail } from '../../access/email-address.ts';
import { Refusal } from '../../refusal.ts';
import type { Account } from '../../store/tables/accounts.ts';
import type { Store } from '../../store/store.ts';
import { describeActs } from '../audit-entry.ts';

/** The use cases of accounts. E-mail addresses are compared in any case and kept as given. */
export function createAccounts(store: Store, by: Actor, now: () => number) {
  const act = describeActs(by, now);
  const find = async (email: string): Promise<Account> => {
    const account = await store.findAccount(email.trim());
    if (account !== null) return account;
    throw new Refusal(
      'not-found',
      `Cannot find an account "${email}": "bookstall account list" shows them all`,
    );
  };

  const refuseSecondOwner = async (email: string): Promise<void> => {
    const owner = await store.findOwner();
    if (owner === null) return;
    throw new Refusal(
      'invalid-request',
      `Cannot make "${email}" the owner: "${owner.email}" is, and a stall has one`,
    );
  };

  return {
    /** The account of this e-mail address, or a refusal. */
    find,
    findOwner: store.findOwner,
    list: store.listAccounts,
    async add(email: string, isOwner = false): Promise<Account> {
      if (isOwner) await refuseSecondOwner(email);
      const account = {
        id: crypto.randomUUID(),
        email: readEmail(email),
        isOwner,
        hasPassword: false,
        createdAt: now(),
        disabledAt: null,
        verifiedAt: now(),
      };
      const audit = act('account.add', account.email, isOwner ? { owner: true } : {});
      if (await store.write('addAccount', { ...account, audit })) return account;
      throw new Refusal('invalid-request', `Cannot add "${account.email}": it has an account already`);
    },
    async disable(email: string): Promise<Account> {
      const account = await find(email);
      const audit = act('account.disable', account.email);
      await store.write('setAccountDisabled', { id: account.id, at: now(), audit });
      return { ...account, disabledAt: account.disabledAt ?? now() };
    },
    async enable(email: string): Promise<Account> {
      const account = await find(email);
      const audit = act('account.enable', account.email);
      await store.write('setAccountDisabled', { id: account.id, at: null, audit });
      return { ...account, disabledAt: null };
    },
  };
}

export type Accounts = ReturnType<typeof createAccounts>;
