// Everything that the stall holds about an account: written for its holder, and deleted with it.
import { type Account, findAccount } from '../accounts/account.ts';
import type { Actor } from '../platform/base/principal.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import type { PersonalRow } from './personal-data.sql.ts';
import type { Records } from './stall.ts';

export type { RemovedRows } from './personal-data.sql.ts';

export async function exportPersonalData(stall: Records, email: string) {
  const pieces = await Array.fromAsync(writePersonalData(stall, email));
  return JSON.parse(pieces.join('')) as Readonly<Record<string, unknown>>;
}

/**
 * Writes everything the stall holds about an account as JSON text, without secrets and their hashes; times are ISO 8601
 * UTC. Reads rows only as the pieces are taken, since there may be a hundred thousand. Without `ownNotes`, the text has
 * only the number of notes.
 */
export async function* writePersonalData(
  stall: Records,
  email: string,
  ownNotes?: AsyncIterable<PersonalRow>,
): AsyncGenerator<string> {
  const account = findAccount(stall, email);
  const language = stall.store.findMailLanguage(account.id);
  yield `{\n"account": ${JSON.stringify({ ...describeAccount(stall, account), language })}`;
  let current = '';
  for (const [name, rows] of stall.store.walkPersonalData(account.id, ownNotes !== undefined)) {
    const lines = rows.map((row) => JSON.stringify(withIsoTimes(row))).join(',\n');
    if (name === current) yield lines === '' ? '' : `,\n${lines}`;
    else yield `${current === '' ? '' : '\n]'},\n"${name}": [\n${lines}`;
    current = name;
  }
  // Notes are for their writer alone: others learn how many there are.
  if (ownNotes === undefined) return yield `\n],\n"notes": ${stall.store.countNotes(account.id)}\n}\n`;
  yield '\n],\n"notes": [';
  let comma = '\n';
  for await (const row of ownNotes) {
    yield comma + JSON.stringify(withIsoTimes(row));
    comma = ',\n';
  }
  yield '\n]\n}\n';
}

export async function removeAccount(stall: Records, by: Actor, email: string) {
  const account = findAccount(stall, email);
  const { id } = account;
  const at = stall.now();
  const audit = auditEntry(by, at, 'account.remove', id);
  return { ...account, ...(await stall.store.write.removeAccount({ id, at, audit })) };
}

const describeAccount = (
  { store }: Records,
  { id, email, isOwner, hasPassword, createdAt, disabledAt, verifiedAt }: Account,
) =>
  withIsoTimes({
    id,
    email,
    is_owner: isOwner,
    can_sign_in: hasPassword,
    created_at: createdAt,
    disabled_at: disabledAt,
    verified_at: verifiedAt,
    news_asked_at: store.findNewsSince(id),
    news_ended_at: store.findOptOut(email),
  });

const withIsoTimes = (row: Readonly<Record<string, string | number | boolean | null>>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      name.endsWith('_at') && typeof value === 'number' ? new Date(value).toISOString() : value,
    ]),
  );
