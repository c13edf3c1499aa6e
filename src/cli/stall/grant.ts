import type { Holder, LastTime, ListedGrant } from '../../store/tables/grants.ts';
import { addGrant, importGrants, listGrants, listHolders, revokeGrants } from '../../service/grants.ts';
import { linkTable } from '../../service/links.ts';
import { type Command, iso } from '../command.ts';
import { adminCommand, readTextFile } from './admin-command.ts';
import { findOrigin } from './reload.ts';
import { settings } from './settings.ts';
import { counted } from '../../text.ts';

export const grantCommands: readonly Command[] = [
  adminCommand({
    name: 'grant add',
    synopsis: 'EMAIL SLUG',
    summary: 'Let an account have an item',
    about: 'Run it again with the same source to change the dates.',
    flags: {
      '--from ISO': 'when it begins, such as 2026-12-01',
      '--until ISO|never': 'when it ends',
      '--source TEXT': 'where it came from (default manual)',
    },
    examples: ['bookstall grant add ada@example.org field-notes --until 2027-12-01'],
    async run(admin, input, terminal) {
      const [email = '', slug = ''] = input.words;
      const dates = { from: input.text('from') ?? undefined, until: input.text('until') ?? undefined };
      const { kind, itemKey, source, from, until } = await addGrant(admin, 'command', {
        email,
        slug,
        ...dates,
        source: input.text('source') ?? undefined,
      });
      const term = until === null ? 'for good' : `until ${iso(until)}`;
      terminal.result(
        { email, kind, slug, itemKey, source, from: iso(from), until: iso(until) },
        `Granted ${slug} to ${email} ${term}`,
      );
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
    synopsis: 'EMAIL SLUG',
    summary: 'Take an item back, from the next request on',
    flags: { '--source TEXT': 'only the grant from this source, not those of every one' },
    async run(admin, input, terminal) {
      const [email = '', slug = ''] = input.words;
      const revoked = await revokeGrants(admin, 'command', email, slug, input.text('source'));
      terminal.result(
        { email, slug, revoked },
        revoked === 0
          ? `${email} holds no such grant of ${slug}`
          : `Revoked ${slug} for ${email}, from the next request on`,
      );
      return revoked > 0;
    },
  }),
  adminCommand({
    name: 'grant import',
    synopsis: 'FILE.csv',
    summary: 'Add grants from a CSV file, all or none',
    about: 'The columns are email, slug and, if you like, from, until and source.',
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

const showHolder = (
  { lastDownload, lastQuestion, at, ...grant }: Holder & { kind: 'book' | 'skill' },
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
});
