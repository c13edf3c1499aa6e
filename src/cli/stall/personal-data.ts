import { exportPersonalData, removeAccount } from '../../service/accounts.ts';
import type { RemovedRows } from '../../store/tables/personal-data.ts';
import { type Command } from '../command.ts';
import { adminCommand } from './admin-command.ts';

export const personalDataCommands: readonly Command[] = [
  adminCommand({
    name: 'account remove',
    synopsis: 'EMAIL',
    summary: 'Delete an account with its keys and grants; its questions and downloads stay and name nobody',
    words: [1, 1],
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
    words: [1, 1],
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
