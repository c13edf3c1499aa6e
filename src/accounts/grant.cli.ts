import type { Holder, LastTime, ListedGrant } from './grant.sql.ts';
import {
  addGrant,
  grantToGroup,
  importGrants,
  listGrants,
  listHolders,
  revokeFromGroup,
  revokeGrants,
  warnOfEveryone,
} from './grant.ts';
import { groupIn } from './group.ts';
import { readSetting } from '../platform/config/config.ts';
import { readStall } from '../catalog/stall-edition.ts';
import { existsSync } from 'node:fs';
import { confirm } from '../platform/cli/confirm.ts';
import { linkTable } from './one-time-link.ts';
import { type Input, iso, type Terminal, UsageError } from '../platform/cli/command.ts';
import {
  type AdminCommand,
  type AdminServices,
  adminCommand,
  findOrigin,
  readTextFile,
} from '../platform/cli/admin-command.ts';
import type { Store } from './stall.ts';
import { settings } from '../platform/cli/settings.ts';
import { counted } from '../platform/base/text.ts';
import type { ItemKind } from '../platform/base/principal.ts';

export const grantCommands: readonly AdminCommand<Store>[] = [
  adminCommand({
    name: 'grant add',
    synopsis: 'EMAIL|@GROUP SLUG…',
    summary: 'Let an account or a group have items',
    about: 'Run it again with the same source to change the dates.',
    flags: {
      '--from ISO': 'when it begins, such as 2026-12-01',
      '--until ISO|never': 'when it ends',
      '--source TEXT': 'where it came from (default manual)',
      '--yes': 'give a private item to @everyone without asking',
      ...settings('content'),
    },
    examples: [
      'bookstall grant add ada@example.org field-notes --until 2027-12-01',
      'bookstall grant add @reviewers field-notes',
    ],
    async run(admin, input, terminal) {
      const [email = '', ...slugs] = input.words;
      const dates = { from: input.text('from') ?? undefined, until: input.text('until') ?? undefined };
      const source = input.text('source') ?? undefined;
      const group = groupIn(email);
      if (group !== null) {
        if (source !== undefined)
          throw new UsageError('Cannot use --source for a group: its name is the source');
        await askOfEveryone(admin, input, terminal, group);
        const granted = await grantToGroup(admin, 'command', { group, slugs, dates });
        for (const { kind, slug, itemKey, from, until } of granted)
          terminal.result(
            { group, kind, slug, itemKey, from: iso(from), until: iso(until) },
            tellGrant(slug, email, until),
          );
        return;
      }
      for (const slug of slugs) {
        const grant = await addGrant(admin, 'command', { email, slug, ...dates, source });
        const { kind, itemKey, from, until, waits } = grant;
        terminal.result(
          { email, kind, slug, itemKey, source: grant.source, from: iso(from), until: iso(until), waits },
          `${tellGrant(slug, email, until)}${waits ? `; it waits for the address to be proven: a link to it does ("bookstall account link ${email}")` : ''}`,
        );
      }
    },
  }),
  adminCommand({
    name: 'grant list',
    synopsis: '[EMAIL]',
    summary: 'List grants: of one account, of one item, or all',
    flags: { '--item SLUG': 'those of one item, each with last download and question' },
    examples: ['bookstall grant list ada@example.org', 'bookstall grant list --item field-notes'],
    run(admin, input, terminal) {
      const [email, slug] = [input.words[0] ?? null, input.text('item')];
      terminal.list(
        slug === null
          ? listGrants(admin, email).map(show)
          : listHolders(admin, slug, email).map((holder) => showHolder(holder, slug)),
        'No grants yet. Add one: bookstall grant add EMAIL SLUG',
      );
    },
  }),
  adminCommand({
    name: 'grant revoke',
    synopsis: 'EMAIL|@GROUP SLUG',
    summary: 'Take an item back, from the next request on',
    flags: { '--source TEXT': 'only the grant from this source, not those of every one' },
    async run(admin, input, terminal) {
      const [email = '', slug = ''] = input.words;
      const group = groupIn(email);
      const { revoked, groups } =
        group === null
          ? await revokeGrants(admin, 'command', { email, slug, source: input.text('source') })
          : { revoked: Number(await revokeFromGroup(admin, 'command', group, slug)), groups: [] };
      const still = groups
        .map((one) => ` ${one} gives it: take ${email} out of it, or the item from it.`)
        .join('');
      terminal.result(
        { email, slug, revoked, groups },
        revoked === 0
          ? `${email} holds no such grant of ${slug}${still && `.${still}`}`
          : `Revoked ${slug} for ${email}, from the next request on${still && `; but${still}`}`,
      );
      return revoked > 0;
    },
  }),
  adminCommand({
    name: 'grant import',
    synopsis: 'FILE.csv',
    summary: 'Add grants from a CSV file, all or none',
    about:
      'The columns are email, slug and, if you like, from, until, source and groups: those that the account joins, with blanks between; slug may be empty then.',
    flags: {
      '--make-accounts': 'add missing accounts, and print their invite links',
      ...settings('base-url'),
    },
    examples: ['bookstall grant import buyers.csv --make-accounts > links.csv'],
    async run(admin, input, terminal) {
      const csv = await readTextFile(input.word);
      if (!input.has('make-accounts')) {
        const { added } = await importGrants(admin, 'command', csv);
        terminal.result({ added }, `Added ${counted(added, 'grant')}`);
        return true;
      }
      const origin = findOrigin(input, terminal);
      const { added, links } = await importGrants(admin, 'command', csv, origin);
      const accounts = links.map(({ email, url, expiresAt }) => ({ email, url, expires: iso(expiresAt) }));
      if (terminal.isJson) terminal.json({ added, accounts });
      else if (links.length > 0) terminal.out(linkTable(links));
      terminal.err(`Added ${counted(added, 'grant')}; new accounts: ${links.length}\n`);
    },
  }),
];

const tellGrant = (slug: string, to: string, until: number | null): string =>
  `Granted ${slug} to ${to} ${until === null ? 'for good' : `until ${iso(until)}`}`;

/** Asks before `everyone` gets a private item, since strangers may be in that group. */
async function askOfEveryone(
  admin: AdminServices<Store>,
  input: Input<'yes'>,
  terminal: Terminal,
  group: string,
) {
  const content = readSetting('content', input.flags, terminal.environment);
  const isOpen = existsSync(content) && readStall(content).stall.accounts === 'open';
  const warning = warnOfEveryone(admin, { group, slugs: input.words.slice(1), isOpen });
  if (warning === null) return;
  terminal.err(`${warning}.\n`);
  if (!input.has('yes')) await confirm(terminal, 'Give it to them?', 'nothing was granted');
}

const showHolder = (
  { lastDownload, lastQuestion, at, ...grant }: Holder & { kind: ItemKind },
  slug: string,
) => ({
  ...show({ ...grant, slug, grantedAt: at }),
  lastDownload: showLast(lastDownload),
  lastQuestion: showLast(lastQuestion),
});

const showLast = (time: LastTime): string | null => (time === 'not lately' ? time : iso(time));

const show = (grant: Omit<ListedGrant, 'accountId' | 'itemKey'>) => ({
  email: grant.email,
  kind: grant.kind,
  slug: grant.slug,
  source: grant.source,
  granted: iso(grant.grantedAt),
  from: iso(grant.from),
  until: iso(grant.until),
  revoked: iso(grant.revokedAt),
  waits: grant.waits === 1,
});
