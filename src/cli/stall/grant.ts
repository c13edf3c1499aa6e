import type { Holder, LastTime, ListedGrant } from '../../store/tables/grants.ts';
import { addGrant, importGrants, listGrants, listHolders, revokeGrants } from '../../service/grants.ts';
import { linkTable } from '../../service/links.ts';
import { type Command, iso } from '../command.ts';
import { adminCommand, readTextFile } from './admin-command.ts';
import { findOrigin } from './reload.ts';

export const grantCommands: readonly Command[] = [
  adminCommand({
    name: 'grant add',
    synopsis: 'EMAIL SLUG [--from ISO] [--until ISO|never] [--source TEXT]',
    summary: 'Let an account have an item; again with other dates to change those',
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
    synopsis: '[EMAIL] [--item SLUG]',
    summary: 'List the grants of one account, of one item (with each last download and question) or of all',
    async run(admin, input, terminal) {
      const [email, slug] = [input.words[0] ?? null, input.text('item')];
      terminal.list(
        slug === null
          ? (await listGrants(admin, email)).map(show)
          : (await listHolders(admin, slug, email)).map((holder) => showHolder(holder, slug)),
        'No grants yet. Add one: bookstall grant add EMAIL SLUG',
      );
    },
  }),
  adminCommand({
    name: 'grant revoke',
    synopsis: 'EMAIL SLUG [--source TEXT]',
    summary: 'Take an item back: the grants of every source, unless one is named',
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
    synopsis: 'FILE.csv [--make-accounts [--base-url URL]]',
    summary:
      'Add grants from a CSV file, all or none; --make-accounts adds missing accounts and prints their invite links',
    async run(admin, input, terminal) {
      const csv = await readTextFile(input.word);
      if (!input.has('make-accounts')) {
        const { added } = await importGrants(admin, 'command', csv);
        terminal.result({ added }, added === 1 ? 'Added 1 grant' : `Added ${added} grants`);
        return true;
      }
      const origin = findOrigin(input, terminal);
      const { added, links } = await importGrants(admin, 'command', csv, origin);
      const accounts = links.map(({ email, url, expiresAt }) => ({ email, url, expires: iso(expiresAt) }));
      if (terminal.isJson) terminal.json({ added, accounts });
      else if (links.length > 0) terminal.out(linkTable(links));
      terminal.err(`Added ${added} ${added === 1 ? 'grant' : 'grants'}; new accounts: ${links.length}\n`);
    },
  }),
];

function showHolder(
  { lastDownload, lastQuestion, at, ...grant }: Holder & { kind: 'book' | 'skill' },
  slug: string,
) {
  return {
    ...show({ ...grant, slug, grantedAt: at }),
    lastDownload: showLast(lastDownload),
    lastQuestion: showLast(lastQuestion),
  };
}

function showLast(time: LastTime): string | null {
  return time === 'not lately' ? time : iso(time);
}

function show(grant: Omit<ListedGrant, 'accountId' | 'itemKey'>) {
  return {
    email: grant.email,
    kind: grant.kind,
    slug: grant.slug,
    source: grant.source,
    granted: iso(grant.grantedAt),
    from: iso(grant.from),
    until: iso(grant.until),
    revoked: iso(grant.revokedAt),
  };
}
