import type { Actor } from '../platform/base/principal.ts';
import { readEmail } from '../platform/base/email-address.ts';
import { Refusal } from '../platform/base/refusal.ts';
import type { Account, AccountSummary } from './account.sql.ts';
import type { PersonalRow } from '../office/personal-data.sql.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import type { Records } from './stall.ts';
import type { Records as AllRecords } from '../office/stall.ts';

export type { Account, AccountSummary } from './account.sql.ts';

/** Finds the account of an e-mail address, whatever its case. Refuses not-found. */
export function findAccount({ store }: Records, email: string): Account {
  const account = store.findAccount(email.trim());
  if (account !== null) return account;
  throw Refusal.missing(`Cannot find an account "${email}": "bookstall account list" shows them all`);
}

/** Makes an account whose address counts as verified. Refuses an address that has an account already, and a second owner. */
export async function addAccount(stall: Records, by: Actor, email: string, isOwner = false) {
  const { store, now } = stall;
  const owner = isOwner ? store.findOwner() : null;
  if (owner !== null)
    throw Refusal.invalid(`Cannot make "${email}" the owner: "${owner.email}" is, and a stall has one`);
  const at = now();
  const account = {
    id: crypto.randomUUID(),
    email: readEmail(email),
    isOwner,
    hasPassword: false,
    createdAt: at,
    disabledAt: null,
    verifiedAt: at,
  };
  const audit = auditEntry(by, at, 'account.add', account.email, isOwner ? { owner: true } : {});
  if (await store.write.addAccount({ ...account, audit })) return account;
  throw Refusal.invalid(`Cannot add "${account.email}": it has an account already`);
}

/** Disables an account: its keys and grants stop working, and its sessions end. Nothing is deleted. */
export const disableAccount = async (stall: Records, by: Actor, email: string): Promise<Account> =>
  setDisabled(stall, by, email, 'account.disable');

/** Enables a disabled account: its keys and grants work again. Its ended sessions do not come back. */
export const enableAccount = async (stall: Records, by: Actor, email: string): Promise<Account> =>
  setDisabled(stall, by, email, 'account.enable');

async function setDisabled(
  stall: Records,
  by: Actor,
  email: string,
  action: 'account.disable' | 'account.enable',
): Promise<Account> {
  const account = findAccount(stall, email);
  const at = stall.now();
  const disabledAt = action === 'account.disable' ? (account.disabledAt ?? at) : null;
  const audit = auditEntry(by, at, action, account.email);
  await stall.store.write.setAccountDisabled({ id: account.id, at: disabledAt === null ? null : at, audit });
  return { ...account, disabledAt };
}

const ACCOUNTS_A_PAGE = 50;

/**
 * Lists one page of accounts, counted from 1. Finds those whose e-mail address contains `search`, or whose id equals it
 * (downloads contain the account's id); '' finds all.
 */
export function searchAccounts({ store, now }: Records, search: string, page: number) {
  const skip = (page - 1) * ACCOUNTS_A_PAGE;
  const found = store.searchAccounts({
    search: search.trim(),
    now: now(),
    atMost: ACCOUNTS_A_PAGE + 1,
    skip,
  });
  return { accounts: found.slice(0, ACCOUNTS_A_PAGE), isLast: found.length <= ACCOUNTS_A_PAGE };
}

/** Finds an account by its id, with the numbers of its live keys and grants, and its last use. Refuses not-found. */
export function findAccountById({ store, now }: Records, id: string): AccountSummary {
  const account = store.findAccountSummary(id, now());
  if (account !== null) return account;
  throw Refusal.missing('Cannot find this account: look for it in the list of accounts');
}

/** Returns everything that `writePersonalData` writes, as one JSON value. */
export async function exportPersonalData(stall: AllRecords, email: string) {
  const pieces = await Array.fromAsync(writePersonalData(stall, email));
  return JSON.parse(pieces.join('')) as Readonly<Record<string, unknown>>;
}

/**
 * Writes everything the stall holds about an account as JSON text, without secrets and their hashes; times are ISO 8601
 * UTC. An account may have a hundred thousand rows, so they are read as the pieces are taken. Without `ownNotes`, the
 * text has only the number of the account's notes.
 */
export async function* writePersonalData(
  stall: AllRecords,
  email: string,
  ownNotes?: AsyncIterable<PersonalRow>,
): AsyncGenerator<string> {
  const account = findAccount(stall, email);
  const language = stall.store.findMailLanguage(account.id);
  yield `{\n"account": ${JSON.stringify({ ...describeAccount(stall, account), language })}`;
  let current = '';
  for (const [name, rows] of stall.store.walkPersonalData(account.id)) {
    const lines = rows.map((row) => JSON.stringify(withIsoTimes(row))).join(',\n');
    if (name === current) yield lines === '' ? '' : `,\n${lines}`;
    else yield `${current === '' ? '' : '\n]'},\n"${name}": [\n${lines}`;
    current = name;
  }
  // A reader's notes are for their own eyes: others learn only how many there are.
  if (ownNotes === undefined) return yield `\n],\n"notes": ${stall.store.countNotes(account.id)}\n}\n`;
  yield '\n],\n"notes": [';
  let comma = '\n';
  for await (const row of ownNotes) {
    yield comma + JSON.stringify(withIsoTimes(row));
    comma = ',\n';
  }
  yield '\n]\n}\n';
}

/**
 * Deletes an account with its keys, grants, sessions and links. Its orders, questions and downloads stay, without its
 * name.
 */
export async function removeAccount(stall: AllRecords, by: Actor, email: string) {
  const account = findAccount(stall, email);
  const { id } = account;
  const at = stall.now();
  const audit = auditEntry(by, at, 'account.remove', id);
  return { ...account, ...(await stall.store.write.removeAccount({ id, at, audit })) };
}

const describeAccount = (
  { store }: AllRecords,
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
