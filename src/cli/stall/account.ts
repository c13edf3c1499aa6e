import {
  addAccount,
  disableAccount,
  enableAccount,
  exportPersonalData,
  removeAccount,
} from '../../service/accounts.ts';
import type { Account } from '../../store/tables/accounts.ts';
import { type Command, iso, readUsage } from '../command.ts';
import { adminCommand } from './admin-command.ts';
import { createLink } from '../../service/links.ts';
import { findOrigin } from './reload.ts';
import type { RemovedRows } from '../../store/tables/personal-data.ts';

export const accountCommands: readonly Command[] = [
  adminCommand({
    name: 'account add',
    synopsis: 'EMAIL [--owner]',
    summary: 'Add an account; --owner for the owner of the stall',
    async run(office, input, terminal) {
      const account = await addAccount(
        office,
        'command',
        input.words[0] ?? '',
        input.flags['owner'] === true,
      );
      terminal.result(
        show(account),
        `Added ${account.email}. Next: bookstall account link ${account.email}, or bookstall key create ${account.email}`,
      );
    },
  }),
  adminCommand({
    name: 'account list',
    summary: 'List the accounts',
    async run(office, _, terminal) {
      terminal.list(
        (await office.store.listAccounts()).map(show),
        'No accounts yet. Add one: bookstall account add EMAIL',
      );
    },
  }),
  adminCommand({
    name: 'account disable',
    synopsis: 'EMAIL',
    summary: "Stop an account's keys and grants from working, and keep them",
    async run(office, input, terminal) {
      const account = await disableAccount(office, 'command', input.words[0] ?? '');
      terminal.result(
        show(account),
        `Disabled ${account.email}: its keys are refused from the next request on`,
      );
    },
  }),
  adminCommand({
    name: 'account enable',
    synopsis: 'EMAIL',
    summary: 'Let a disabled account work again',
    async run(office, input, terminal) {
      const account = await enableAccount(office, 'command', input.words[0] ?? '');
      terminal.result(show(account), `Enabled ${account.email}`);
    },
  }),
];

function show({ id, email, isOwner, hasPassword, createdAt, disabledAt }: Account) {
  const times = { created: iso(createdAt), disabled: iso(disabledAt) };
  return { id, email, owner: isOwner, password: hasPassword, ...times };
}

export const linkCommand: Command = adminCommand({
  name: 'account link',
  synopsis: 'EMAIL [--reset] [--base-url URL]',
  summary: 'Print a one-time link that sets a password; --reset if one is set already',
  async run(admin, input, terminal) {
    const origin = readUsage(() => findOrigin(input.flags, terminal));
    const purpose = input.flags['reset'] === true ? 'reset' : 'invite';
    const { url, email, expiresAt, validFor } = await createLink(
      admin,
      'command',
      input.words[0] ?? '',
      purpose,
      origin,
    );
    terminal.err(
      `Pass this link on where others cannot read it: it sets the password, once, within ${validFor}.\n`,
    );
    terminal.result({ email, purpose, url, expires: iso(expiresAt) }, url);
  },
});

export const personalDataCommands: readonly Command[] = [
  adminCommand({
    name: 'account remove',
    synopsis: 'EMAIL',
    summary: 'Delete an account with its keys and grants; its questions and downloads stay and name nobody',
    async run(admin, input, terminal) {
      const removed = await removeAccount(admin, 'command', input.words[0] ?? '');
      const { id, email, keys, grants, sessions, orders, questions, downloads } = removed;
      const rows = { keys, grants, sessions, orders, questions, downloads };
      terminal.result({ id, email, ...rows }, describe(removed));
      terminal.err(
        'Backups, and databases that a restore or an upgrade kept, hold the account until they are deleted.\n',
      );
    },
  }),
  adminCommand({
    name: 'account export',
    synopsis: 'EMAIL',
    summary: 'Print everything the stall holds about an account, as one JSON document',
    async run(admin, input, terminal) {
      const document = await exportPersonalData(admin, input.words[0] ?? '');
      terminal.result(document, JSON.stringify(document, null, 2));
    },
  }),
];

function describe({
  email,
  keys,
  grants,
  orders,
  questions,
  downloads,
}: { readonly email: string } & RemovedRows): string {
  return `Removed ${email} with ${count(keys, 'key')} and ${count(grants, 'grant')}, from the next request on; ${orders > 0 ? `${count(orders, 'order')}, ` : ''}${count(questions, 'question')} and ${count(downloads, 'download')} stay counted, and name nobody`;
}

function count(rows: number, noun: string): string {
  return `${rows} ${noun}${rows === 1 ? '' : 's'}`;
}
