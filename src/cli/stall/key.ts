import { findAccount } from '../../service/accounts.ts';
import {
  type CreatedKey,
  createKey,
  findKey,
  readOverlap,
  readTerm,
  revokeKey,
  rotateKey,
} from '../../service/keys.ts';
import type { StoredKey } from '../../store/tables/keys.ts';
import { type Command, iso, type Output, readUsage, TEXT, textOf } from '../command.ts';
import { adminCommand } from './admin-command.ts';

export const keyCommands: readonly Command[] = [
  adminCommand({
    name: 'key create',
    synopsis: 'EMAIL [--name TEXT] [--expires DAYS|never]',
    summary: 'Create an API key, shown only once; it expires after 90 days unless --expires says otherwise',
    options: { name: TEXT, expires: TEXT },
    words: [1, 1],
    async run(office, input, terminal) {
      const term = readUsage(() => readTerm(textOf(input, 'expires') ?? '90'));
      const { id: accountId, email } = await findAccount(office, input.words[0] ?? '');
      const name = textOf(input, 'name') ?? 'key';
      writeCreated(terminal, await createKey(office, 'command', { accountId, email }, name, term));
    },
  }),
  adminCommand({
    name: 'key list',
    synopsis: 'EMAIL',
    summary: "List an account's keys",
    words: [1, 1],
    async run(office, input, terminal) {
      const email = input.words[0] ?? '';
      const keys = await office.store.listKeys('key', (await findAccount(office, email)).id);
      terminal.list(keys.map(show), `No keys yet. Create one: bookstall key create ${email}`);
    },
  }),
  adminCommand({
    name: 'key revoke',
    synopsis: 'ID',
    summary: 'Revoke a key for good',
    words: [1, 1],
    async run(office, input, terminal) {
      const key = await findKey(office, 'key', input.words[0] ?? '');
      const { id, name, prefix } = key;
      await revokeKey(office, 'command', 'key', key);
      terminal.result(
        { id: String(id), name, prefix },
        `Revoked key ${id} (${name}, ${prefix}…): it is refused from the next request on`,
      );
    },
  }),
  adminCommand({
    name: 'key rotate',
    synopsis: 'ID [--overlap now|1h|24h|7d]',
    summary:
      'Replace a key by a new one of the same name and term; the old one ends at once, or after the overlap',
    options: { overlap: TEXT },
    words: [1, 1],
    async run(office, input, terminal) {
      const overlap = readUsage(() => readOverlap(textOf(input, 'overlap') ?? 'now'));
      const old = await findKey(office, 'key', input.words[0] ?? '');
      writeCreated(terminal, await rotateKey(office, 'command', old, overlap));
    },
  }),
];

function writeCreated(terminal: Output, { id, secret, name, prefix, expiresAt }: CreatedKey): void {
  terminal.err('Keep this key now: it is not shown again.\n');
  terminal.result({ id: String(id), key: secret, name, prefix, expires: iso(expiresAt) }, secret);
}

function show({ id, name, prefix, createdAt, lastUsedAt, expiresAt, revokedAt }: StoredKey) {
  const times = {
    created: iso(createdAt),
    used: iso(lastUsedAt),
    expires: iso(expiresAt),
    revoked: iso(revokedAt),
  };
  return { id: String(id), name, prefix, ...times };
}
