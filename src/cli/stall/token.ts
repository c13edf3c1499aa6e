import { findAccount } from '../../service/accounts.ts';
import {
  type CreatedToken,
  createToken,
  findKey,
  readTerm,
  readTokenItems,
  revokeKey,
  TOKEN_DAYS,
} from '../../service/keys.ts';
import type { Store } from '../../store/store.ts';
import type { StoredToken } from '../../store/tables/keys.ts';
import { type Command, iso, type Output, readUsage, SWITCH, TEXT, textListOf, textOf } from '../command.ts';
import { adminCommand } from './admin-command.ts';

export const tokenCommands: readonly Command[] = [
  adminCommand({
    name: 'token create',
    synopsis: 'EMAIL [--name TEXT] [--item SLUG]… [--read] [--expires DAYS|never]',
    summary: `Create an install token for links, shown only once; it expires after ${TOKEN_DAYS} days unless --expires says otherwise`,
    options: { name: TEXT, item: { type: 'string', multiple: true }, read: SWITCH, expires: TEXT },
    words: [1, 1],
    async run(office, input, terminal) {
      const term = readUsage(() => readTerm(textOf(input, 'expires') ?? String(TOKEN_DAYS)));
      const { id: accountId, email } = await findAccount(office, input.words[0] ?? '');
      const request = {
        name: textOf(input, 'name') ?? 'link',
        items: await readTokenItems(office, textListOf(input, 'item')),
        reads: input.flags['read'] === true,
        term,
      };
      writeCreated(terminal, await createToken(office, 'command', { accountId, email }, request));
    },
  }),
  adminCommand({
    name: 'token list',
    synopsis: 'EMAIL',
    summary: "List an account's install tokens",
    words: [1, 1],
    async run(office, input, terminal) {
      const email = input.words[0] ?? '';
      const none = `No install tokens yet. Create one: bookstall token create ${email}`;
      const tokens = await office.store.listKeys('token', (await findAccount(office, email)).id);
      const rows = tokens.map((token) => show(token, office.store));
      terminal.list(rows, none);
    },
  }),
  adminCommand({
    name: 'token revoke',
    synopsis: 'ID',
    summary: 'Revoke an install token for good',
    words: [1, 1],
    async run(office, input, terminal) {
      const token = await findKey(office, 'token', input.words[0] ?? '');
      const { id, name, prefix } = token;
      await revokeKey(office, 'command', 'token', token);
      terminal.result(
        { id: String(id), name, prefix },
        `Revoked install token ${id} (${name}, ${prefix}…): its links open nothing from the next request on`,
      );
    },
  }),
];

function writeCreated(terminal: Output, { id, secret, name, prefix, expiresAt }: CreatedToken): void {
  terminal.err('Keep this token now: it is not shown again. Its links begin with /i/ and the token.\n');
  terminal.result({ id: String(id), token: secret, name, prefix, expires: iso(expiresAt) }, secret);
}

function show(
  { id, name, prefix, scope, createdAt, lastUsedAt, expiresAt, revokedAt }: StoredToken,
  { findKnownSlug }: Pick<Store, 'findKnownSlug'>,
) {
  const times = {
    created: iso(createdAt),
    used: iso(lastUsedAt),
    expires: iso(expiresAt),
    revoked: iso(revokedAt),
  };
  const items = scope.items === null ? 'all' : scope.items.map(findKnownSlug).join(' ');
  return { id: String(id), name, prefix, items, may: scope.may.join(' '), ...times };
}
