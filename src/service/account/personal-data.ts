import type { Actor } from '../../access/actor.ts';
import type { Account } from '../../store/tables/accounts.ts';
import type { RemovedRows } from '../../store/tables/personal-data.ts';
import type { Store } from '../../store/store.ts';
import { describeActs } from '../audit-entry.ts';
import { findAccount } from '../accounts.ts';

/** The use cases of a person's own data. */
export function createPersonalData(store: Store, by: Actor, now: () => number) {
  const act = describeActs(by, now);
  const describe = async (account: Account) =>
    withIsoTimes({ ...describeAccount(account), news_asked_at: await store.findNewsSince(account.id) });
  return {
    /** Everything the stall holds about an account, as a JSON value: times in ISO 8601 UTC, secrets and their hashes nowhere. */
    async export(email: string) {
      const account = await findAccount({ store }, email);
      const rows = Object.entries(await store.findPersonalData(account.id));
      return {
        account: await describe(account),
        ...Object.fromEntries(rows.map(([name, list]) => [name, list.map(withIsoTimes)])),
      };
    },
    /** The same as JSON text, in pieces that are read as they are taken: an account may have a hundred thousand rows. */
    async *write(email: string): AsyncGenerator<string> {
      const account = await findAccount({ store }, email);
      yield `{\n"account": ${JSON.stringify(await describe(account))}`;
      let current = '';
      for await (const [name, rows] of store.walkPersonalData(account.id)) {
        const lines = rows.map((row) => JSON.stringify(withIsoTimes(row))).join(',\n');
        if (name === current) yield lines === '' ? '' : `,\n${lines}`;
        else yield `${current === '' ? '' : '\n]'},\n"${name}": [\n${lines}`;
        current = name;
      }
      yield '\n]\n}\n';
    },
    /** Deletes the account, its keys, grants, sessions and links; its orders, questions and downloads stay without its name. */
    async remove(email: string): Promise<Account & RemovedRows> {
      const account = await findAccount({ store }, email);
      const { id } = account;
      return {
        ...account,
        ...(await store.write('removeAccount', { id, at: now(), audit: act('account.remove', id) })),
      };
    },
  };
}

function describeAccount({ id, email, isOwner, hasPassword, createdAt, disabledAt, verifiedAt }: Account) {
  return {
    id,
    email,
    is_owner: isOwner,
    can_sign_in: hasPassword,
    created_at: createdAt,
    disabled_at: disabledAt,
    verified_at: verifiedAt,
  };
}

function withIsoTimes(row: Readonly<Record<string, string | number | boolean | null>>) {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      name.endsWith('_at') && typeof value === 'number' ? new Date(value).toISOString() : value,
    ]),
  );
}
