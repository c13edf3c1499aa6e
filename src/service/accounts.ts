import type { Actor } from '../access/principal.ts';
import { readEmail } from '../access/email-address.ts';
import { Refusal } from '../refusal.ts';
import type { Account, AccountSummary } from '../store/tables/accounts.ts';
import { auditEntry } from './audit-entry.ts';
import type { Records } from './stall.ts';

/** The account of an e-mail address, which is compared in any case. Refuses not-found. */
export async function findAccount({ store }: Records, email: string): Promise<Account> {
  const account = await store.findAccount(email.trim());
  if (account !== null) return account;
  throw new Refusal(
    'not-found',
    `Cannot find an account "${email}": "bookstall account list" shows them all`,
  );
}

/** Makes a verified account; the address is kept as given. Refuses one that has an account, and a second owner. */
export async function addAccount(
  stall: Records,
  by: Actor,
  email: string,
  isOwner = false,
): Promise<Account> {
  const { store, now } = stall;
  if (isOwner) await refuseSecondOwner(stall, email);
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
  throw new Refusal('invalid-request', `Cannot add "${account.email}": it has an account already`);
}

async function refuseSecondOwner({ store }: Records, email: string): Promise<void> {
  const owner = await store.findOwner();
  if (owner === null) return;
  throw new Refusal(
    'invalid-request',
    `Cannot make "${email}" the owner: "${owner.email}" is, and a stall has one`,
  );
}

/** Keeps an account's keys, grants and sessions from working; nothing is deleted. */
export async function disableAccount(stall: Records, by: Actor, email: string): Promise<Account> {
  return setDisabled(stall, by, email, 'account.disable');
}

/** Restores what `disableAccount` took, except the sessions. */
export async function enableAccount(stall: Records, by: Actor, email: string): Promise<Account> {
  return setDisabled(stall, by, email, 'account.enable');
}

async function setDisabled(
  stall: Records,
  by: Actor,
  email: string,
  action: 'account.disable' | 'account.enable',
): Promise<Account> {
  const account = await findAccount(stall, email);
  const at = stall.now();
  const disabledAt = action === 'account.disable' ? (account.disabledAt ?? at) : null;
  const audit = auditEntry(by, at, action, account.email);
  await stall.store.write.setAccountDisabled({
    id: account.id,
    at: disabledAt === null ? null : at,
    audit,
  });
  return { ...account, disabledAt };
}

/** A page of accounts, the newest first; `isLast` if no older ones follow. */
type AccountPage = { readonly accounts: readonly AccountSummary[]; readonly isLast: boolean };

const PAGE = 50;

/** The page with this number, from 1 on, of the accounts with a part of an e-mail address or the id in an install record; '' matches all. */
export async function searchAccounts(
  { store, now }: Records,
  search: string,
  page: number,
): Promise<AccountPage> {
  const skip = (page - 1) * PAGE;
  const found = await store.searchAccounts({ search: search.trim(), now: now(), atMost: PAGE + 1, skip });
  return { accounts: found.slice(0, PAGE), isLast: found.length <= PAGE };
}

/** The account of an id, as the office shows it. Refuses not-found. */
export async function findAccountById({ store, now }: Records, id: string): Promise<AccountSummary> {
  const account = await store.findAccountSummary(id, now());
  if (account !== null) return account;
  throw new Refusal('not-found', 'Cannot find this account: look for it in the list of accounts');
}
