import { readFile } from 'node:fs/promises';
import { messageOf, Refusal } from '../../refusal.ts';
import type { ListedGrant } from '../../store/tables/grants.ts';
import { type Command, DONE, FAILED, TEXT, textOf } from '../command.ts';
import { iso, writeList, writeResult } from '../output.ts';
import { adminCommand } from './admin-command.ts';

export const grantCommands: readonly Command[] = [
  adminCommand({
    name: 'grant add',
    synopsis: 'EMAIL SLUG [--from ISO] [--until ISO|never] [--source TEXT]',
    summary: 'Let an account have an item; again with other dates to change those',
    options: { from: TEXT, until: TEXT, source: TEXT },
    words: [2, 2],
    async run({ grants }, input, terminal) {
      const [email = '', slug = ''] = input.words;
      const dates = { from: textOf(input, 'from') ?? undefined, until: textOf(input, 'until') ?? undefined };
      const { kind, itemKey, source, from, until } = await grants.add({
        email,
        slug,
        ...dates,
        source: textOf(input, 'source') ?? undefined,
      });
      const term = until === null ? 'for good' : `until ${iso(until)}`;
      writeResult(
        terminal,
        input,
        { email, kind, slug, itemKey, source, from: iso(from), until: iso(until) },
        `Granted ${slug} to ${email} ${term}`,
      );
      return DONE;
    },
  }),
  adminCommand({
    name: 'grant list',
    synopsis: '[EMAIL]',
    summary: 'List the grants of one account or of all',
    options: {},
    words: [0, 1],
    async run({ grants }, input, terminal) {
      writeList(
        terminal,
        input,
        (await grants.list(input.words[0] ?? null)).map(show),
        'No grants yet. Add one: bookstall grant add EMAIL SLUG',
      );
      return DONE;
    },
  }),
  adminCommand({
    name: 'grant revoke',
    synopsis: 'EMAIL SLUG [--source TEXT]',
    summary: 'Take an item back: the grants of every source, unless one is named',
    options: { source: TEXT },
    words: [2, 2],
    async run({ grants }, input, terminal) {
      const [email = '', slug = ''] = input.words;
      const revoked = await grants.revoke(email, slug, textOf(input, 'source'));
      writeResult(
        terminal,
        input,
        { email, slug, revoked },
        revoked === 0
          ? `${email} holds no such grant of ${slug}`
          : `Revoked ${slug} for ${email}, from the next request on`,
      );
      return revoked === 0 ? FAILED : DONE;
    },
  }),
  adminCommand({
    name: 'grant import',
    synopsis: 'FILE.csv',
    summary:
      'Add grants from a CSV file with the header email,slug,from,until,source (the last three optional): all or none',
    options: {},
    words: [1, 1],
    async run({ grants }, input, terminal) {
      const added = await grants.import(await readCsv(input.words[0] ?? ''));
      writeResult(terminal, input, { added }, `Added ${added} grants`);
      return DONE;
    },
  }),
];

async function readCsv(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Refusal('not-found', `Cannot read "${file}": ${messageOf(error)}`);
  }
}

function show({ email, kind, slug, source, grantedAt, from, until, revokedAt }: ListedGrant) {
  return {
    email,
    kind,
    slug,
    source,
    granted: iso(grantedAt),
    from: iso(from),
    until: iso(until),
    revoked: iso(revokedAt),
  };
}
