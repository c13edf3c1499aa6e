import type { Actor } from '../access/principal.ts';
import type { Account } from '../store/tables/accounts.ts';
import type { RemovedRows } from '../store/tables/personal-data.ts';
import { findAccount } from './accounts.ts';
import { auditEntry } from './audit-entry.ts';
import type { Records } from './stall.ts';

/** Everything the stall holds about an account, as a JSON value: times in ISO 8601 UTC, secrets and their hashes nowhere. */
export async function exportPersonalData(stall: Records, email: string) {
  const account = await findAccount(stall, email);
  const rows = Object.entries(await stall.store.findPersonalData(account.id));
  return {
    account: await describeAccount(stall, account),
    ...Object.fromEntries(rows.map(([name, list]) => [name, list.map(withIsoTimes)])),
  };
}

/** The same as JSON text, in pieces that are read as they are taken: an account may have a hundred thousand rows. */
export async function* writePersonalData(stall: Records, email: string): AsyncGenerator<string> {
  const account = await findAccount(stall, email);
  yield `{\n"account": ${JSON.stringify(await describeAccount(stall, account))}`;
  let current = '';
  for await (const [name, rows] of stall.store.walkPersonalData(account.id)) {
    const lines = rows.map((row) => JSON.stringify(withIsoTimes(row))).join(',\n');
    if (name === current) yield lines === '' ? '' : `,\n${lines}`;
    else yield `${current === '' ? '' : '\n]'},\n"${name}": [\n${lines}`;
    current = name;
  }
  yield '\n]\n}\n';
}

/** Deletes the account, its keys, grants, sessions and links; its orders, questions and downloads stay without its name. */
export async function removeAccount(
  stall: Records,
  by: Actor,
  email: string,
): Promise<Account & RemovedRows> {
  const account = await findAccount(stall, email);
  const { id } = account;
  const at = stall.now();
  const audit = auditEntry(by, at, 'account.remove', id);
  return { ...account, ...(await stall.store.write.removeAccount({ id, at, audit })) };
}

async function describeAccount(
  { store }: Records,
  { id, email, isOwner, hasPassword, createdAt, disabledAt, verifiedAt }: Account,
) {
  return withIsoTimes({
    id,
    email,
    is_owner: isOwner,
    can_sign_in: hasPassword,
    created_at: createdAt,
    disabled_at: disabledAt,
    verified_at: verifiedAt,
    news_asked_at: await store.findNewsSince(id),
  });
}

function withIsoTimes(row: Readonly<Record<string, string | number | boolean | null>>) {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      name.endsWith('_at') && typeof value === 'number' ? new Date(value).toISOString() : value,
    ]),
  );
}
