import { type Account, addAccount, disableAccount, enableAccount } from '../accounts/account.ts';
import { joinGroup, readGroups } from '../accounts/group.ts';
import { iso } from '../platform/cli/command.ts';
import { type AdminCommand, adminCommand, findOrigin } from '../platform/cli/admin-command.ts';
import type { Store } from './stall.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { createLink } from '../accounts/one-time-link.ts';
import { exportPersonalData, removeAccount, type RemovedRows } from '../selling/personal-data.ts';
import { removeSecondStep } from '../accounts/second-step.ts';
import { settings } from '../platform/cli/settings.ts';
import { counted } from '../platform/base/text.ts';

export const accountCommands: readonly AdminCommand<Store>[] = [
  adminCommand({
    name: 'account add',
    synopsis: 'EMAIL',
    summary: 'Add an account',
    flags: { '--owner': 'make it the owner of the stall', '--group NAME': 'let it into this group' },
    async run(office, input, terminal) {
      const groups = readGroups(office, input.text('group') ?? '');
      const account = await addAccount(office, 'command', { email: input.word, isOwner: input.has('owner') });
      for (const group of groups) await joinGroup(office, 'command', group, [account.email]);
      terminal.result(
        show(account),
        `Added ${account.email}. Next: bookstall account link ${account.email}, or bookstall key create ${account.email}`,
      );
    },
  }),
  adminCommand({
    name: 'account list',
    summary: 'List the accounts',
    run(office, _, terminal) {
      terminal.list(
        office.store.listAccounts().map(show),
        'No accounts yet. Add one: bookstall account add EMAIL',
      );
    },
  }),
  actCommand('disable', 'Stop an account, and keep its keys and grants', disableAccount, (email) => {
    return `Disabled ${email}: its keys are refused from the next request on`;
  }),
  adminCommand({
    name: 'account second-step',
    synopsis: 'EMAIL --remove',
    summary: 'Turn the second step of a sign-in off, without its code',
    flags: { '--remove': 'turn it off, and mail its holder that it is' },
    async run(office, input, terminal) {
      if (!input.has('remove'))
        throw Refusal.invalid('Cannot change a second step here: add --remove to end it');
      await removeSecondStep(office, 'command', input.word);
      terminal.result({ email: input.word, secondStep: false }, `${input.word} signs in without a code now`);
    },
  }),
  actCommand('enable', 'Let a disabled account work again', enableAccount, (email) => `Enabled ${email}`),
];

function actCommand(
  name: string,
  summary: string,
  act: typeof disableAccount,
  done: (email: string) => string,
): AdminCommand<Store> {
  return adminCommand({
    name: `account ${name}`,
    synopsis: 'EMAIL',
    summary,
    async run(office, input, terminal) {
      const account = await act(office, 'command', input.word);
      terminal.result(show(account), done(account.email));
    },
  });
}

function show({ id, email, isOwner, hasPassword, createdAt, disabledAt }: Account) {
  const times = { created: iso(createdAt), disabled: iso(disabledAt) };
  return { id, email, owner: isOwner, password: hasPassword, ...times };
}

export const linkCommand: AdminCommand<Store> = adminCommand({
  name: 'account link',
  synopsis: 'EMAIL',
  summary: 'Print a link that sets a password, once',
  about:
    'The link also works as an invitation. With --to it changes the address of an account that has a password.',
  flags: {
    '--reset': 'replace a password that is set already',
    '--to EMAIL': 'make this the address of the account; send the link there',
    ...settings('base-url'),
  },
  examples: [
    'bookstall account link ada@example.org',
    'bookstall account link ada@example.org --to ada@example.net',
  ],
  async run(admin, input, terminal) {
    const origin = findOrigin(input, terminal);
    const to = input.text('to');
    const purpose = to !== null ? 'email' : input.has('reset') ? 'reset' : 'invite';
    const link = await createLink(admin, 'command', { email: input.word, purpose, to }, origin);
    const { url, email, expiresAt, validFor } = link;
    terminal.err(
      to === null
        ? `Pass this link on where others cannot read it: it sets the password, once, within ${validFor}.\n`
        : `Send this link to ${to} alone: it makes that the address of the account, once, within ${validFor}.\n`,
    );
    terminal.result({ email, purpose, url, expires: iso(expiresAt) }, url);
  },
});

export const personalDataCommands: readonly AdminCommand<Store>[] = [
  adminCommand({
    name: 'account remove',
    synopsis: 'EMAIL',
    summary: 'Delete an account with its keys, grants and notes',
    about: 'Its questions and downloads stay and name nobody. Backups hold it until they are deleted.',
    async run(admin, input, terminal) {
      const removed = await removeAccount(admin, 'command', input.word);
      const { id, email, keys, grants, notes, sessions, orders, questions, downloads } = removed;
      const rows = { keys, grants, notes, sessions, orders, questions, downloads };
      terminal.result({ id, email, ...rows }, describe(removed));
      terminal.err(
        'Backups, and databases that a restore or an upgrade kept, hold the account until they are deleted.\n',
      );
    },
  }),
  adminCommand({
    name: 'account export',
    synopsis: 'EMAIL',
    summary: 'Print all that is stored about an account, as JSON',
    examples: ['bookstall account export ada@example.org > ada.json'],
    async run(admin, input, terminal) {
      const document = await exportPersonalData(admin, input.word);
      terminal.result(document, JSON.stringify(document, null, 2));
    },
  }),
];

function describe({ email, orders, notes, ...rows }: { readonly email: string } & RemovedRows): string {
  const noted = notes > 0 ? `, ${counted(notes, 'note')}` : '';
  const kept = orders > 0 ? `${counted(orders, 'order')}, ` : '';
  return `Removed ${email} with ${counted(rows.keys, 'key')}${noted} and ${counted(rows.grants, 'grant')}, from the next request on; ${kept}${counted(rows.questions, 'question')} and ${counted(rows.downloads, 'download')} stay counted, and name nobody`;
}
