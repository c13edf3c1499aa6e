import { type CreatedToken, TOKEN_DAYS } from '../../service/account/issue-token.ts';
import { readTerm } from '../../service/account/key-term.ts';
import type { ListedToken } from '../../service/account/tokens.ts';
import {
  type Command,
  DONE,
  type Input,
  readUsage,
  SWITCH,
  type Terminal,
  TEXT,
  textListOf,
  textOf,
} from '../command.ts';
import { iso, writeList, writeResult } from '../output.ts';
import { adminCommand } from './admin-command.ts';

export const tokenCommands: readonly Command[] = [
  adminCommand({
    name: 'token create',
    synopsis: 'EMAIL [--name TEXT] [--item SLUG]… [--read] [--expires DAYS|never]',
    summary: `Create an install token for links, shown only once; it expires after ${TOKEN_DAYS} days unless --expires says otherwise`,
    options: { name: TEXT, item: { type: 'string', multiple: true }, read: SWITCH, expires: TEXT },
    words: [1, 1],
    async run({ tokens }, input, terminal) {
      const term = readUsage(() => readTerm(textOf(input, 'expires') ?? String(TOKEN_DAYS)));
      const request = {
        name: textOf(input, 'name') ?? 'link',
        slugs: textListOf(input, 'item'),
        reads: input.flags['read'] === true,
        term,
      };
      writeCreated(terminal, input, await tokens.create(input.words[0] ?? '', request));
      return DONE;
    },
  }),
  adminCommand({
    name: 'token list',
    synopsis: 'EMAIL',
    summary: "List an account's install tokens",
    options: {},
    words: [1, 1],
    async run({ tokens }, input, terminal) {
      const email = input.words[0] ?? '';
      const none = `No install tokens yet. Create one: bookstall token create ${email}`;
      writeList(terminal, input, (await tokens.list(email)).map(show), none);
      return DONE;
    },
  }),
  adminCommand({
    name: 'token revoke',
    synopsis: 'ID',
    summary: 'Revoke an install token for good',
    options: {},
    words: [1, 1],
    async run({ tokens }, input, terminal) {
      const { id, name, prefix } = await tokens.revoke(input.words[0] ?? '');
      writeResult(
        terminal,
        input,
        { id: String(id), name, prefix },
        `Revoked install token ${id} (${name}, ${prefix}…): its links open nothing from the next request on`,
      );
      return DONE;
    },
  }),
];

function writeCreated(
  terminal: Terminal,
  input: Input,
  { id, token, name, prefix, expiresAt }: CreatedToken,
): void {
  terminal.err('Keep this token now: it is not shown again. Its links begin with /i/ and the token.\n');
  writeResult(terminal, input, { id: String(id), token, name, prefix, expires: iso(expiresAt) }, token);
}

function show({ id, name, prefix, scope, slugs, createdAt, lastUsedAt, expiresAt, revokedAt }: ListedToken) {
  const times = {
    created: iso(createdAt),
    used: iso(lastUsedAt),
    expires: iso(expiresAt),
    revoked: iso(revokedAt),
  };
  const items = slugs === null ? 'all' : slugs.join(' ');
  return { id: String(id), name, prefix, items, may: scope.may.join(' '), ...times };
}
