import { OfficeRefusal } from '../platform/base/told.ts';
import type { Actor } from '../platform/base/principal.ts';
import { readEmail } from '../platform/base/email-address.ts';
import { sha256 } from '../platform/base/runtime.ts';
import type { Account, AccountSummary } from './account.sql.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import type { Records } from './stall.ts';

export type { Account, AccountSummary } from './account.sql.ts';

/** The address of a demo's owner. No mail reaches it, and the account ends with the demo. */
export const DEMO_OWNER = 'owner@bookstall.invalid';

/** The name by which pages and browsers tell readers apart, without saying who they are. */
export const readerName = (accountId: string): string => sha256(accountId).slice(0, 16);

/** Whether a form names another reader: that reader filled it in before somebody else signed in to the browser. */
export const isOfOther = (
  form: { text(name: string): string },
  { accountId }: { readonly accountId: string },
) => !['', readerName(accountId)].includes(form.text('reader'));

export function findAccount({ store }: Records, email: string): Account {
  const account = store.findAccount(email.trim());
  if (account !== null) return account;
  throw new OfficeRefusal('not-found', (r) => r.noAccountOf({ email }));
}

/** Makes an account whose address counts as verified. Refuses an address that has an account already, and a second owner. */
export async function addAccount(
  stall: Records,
  by: Actor,
  { email, isOwner = false }: { readonly email: string; readonly isOwner?: boolean },
) {
  const { store, now } = stall;
  const owner = isOwner ? store.findOwner() : null;
  if (owner !== null)
    throw new OfficeRefusal('invalid-request', (r) => r.ownerIsThere({ email, owner: owner.email }));
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
  throw new OfficeRefusal('invalid-request', (r) => r.accountIsThere({ email: account.email }));
}

/** Disables an account: its keys and grants stop working until it is enabled again, and its sessions end for good. */
export const disableAccount = async (stall: Records, by: Actor, email: string): Promise<Account> =>
  setDisabled(stall, by, email, 'account.disable');

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
 * Lists a page of accounts, the first being 1: those whose e-mail address contains `search`, or whose id equals it
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

export function findAccountById({ store, now }: Records, id: string): AccountSummary {
  const account = store.findAccountSummary(id, now());
  if (account !== null) return account;
  throw new OfficeRefusal('not-found', (r) => r.noAccount);
}
