import { addAccount, disableAccount, enableAccount } from '../../service/accounts.ts';
import type { Account } from '../../store/tables/accounts.ts';
import { type Command, SWITCH } from '../command.ts';
import { iso } from '../output.ts';
import { adminCommand } from './admin-command.ts';

export const accountCommands: readonly Command[] = [
  adminCommand({
    name: 'account add',
    synopsis: 'EMAIL [--owner]',
    summary: 'Add an account; --owner for the owner of the stall',
    options: { owner: SWITCH },
    words: [1, 1],
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
    synopsis: '',
    summary: 'List the accounts',
    words: [0, 0],
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
    words: [1, 1],
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
    words: [1, 1],
    async run(office, input, terminal) {
      const account = await enableAccount(office, 'command', input.words[0] ?? '');
      terminal.result(show(account), `Enabled ${account.email}`);
    },
  }),
];

function show({ id, email, isOwner, hasPassword, createdAt, disabledAt }: Account) {
  return {
    id,
    email,
    owner: isOwner,
    password: hasPassword,
    created: iso(createdAt),
    disabled: iso(disabledAt),
  };
}
