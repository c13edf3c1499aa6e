import { OfficeRefusal } from '../platform/base/told.ts';
import type { Actor } from '../platform/base/principal.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import { type Account, addAccount } from './account.ts';
import { removeSecondStep } from './second-step.ts';
import type { Records } from './stall.ts';

/**
 * Makes an account an editor of the items that were pushed or made in the office. Makes the account first if the address
 * has none. Refuses the owner, and a disabled account.
 */
export async function addEditor(stall: Records, by: Actor, email: string): Promise<Account> {
  const { store } = stall;
  const account = store.findAccountByAddress(email.trim()) ?? (await addAccount(stall, by, { email }));
  if (account.isOwner) throw new OfficeRefusal('invalid-request', (r) => r.editorIsOwner);
  if (account.disabledAt !== null)
    throw new OfficeRefusal('invalid-request', (r) => r.editorDisabled({ email: account.email }));
  await setEditor(stall, by, account, true);
  return account;
}

/**
 * Takes an editor's rights away, from their next request on, and turns off their two-factor sign-in, which they could not
 * do themselves any more. Refuses an unknown account, and the owner.
 */
export async function removeEditor(stall: Records, by: Actor, id: string): Promise<void> {
  const account = stall.store.findAccountById(id);
  if (account === null || account.isOwner) throw new OfficeRefusal('not-found', (r) => r.noEditor);
  await setEditor(stall, by, account, false);
  if (stall.store.findSecondStep(id) !== null) await removeSecondStep(stall, by, account.email);
}

async function setEditor({ store, now }: Records, by: Actor, account: Account, isEditor: boolean) {
  const audit = auditEntry(by, now(), 'account.editor', account.email, { editor: isEditor });
  await store.write.setEditor({ id: account.id, isEditor, audit });
}
