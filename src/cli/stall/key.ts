import type { CreatedKey } from '../../service/account/issue-key.ts';
import { readOverlap, readTerm } from '../../service/account/key-term.ts';
import type { StoredKey } from '../../store/tables/keys.ts';
import { type Command, DONE, type Input, readUsage, type Terminal, TEXT, textOf } from '../command.ts';
import { iso, writeList, writeResult } from '../output.ts';
import { adminCommand } from './admin-command.ts';

export const keyCommands: readonly Command[] = [
  adminCommand({
    name: 'key create',
    synopsis: 'EMAIL [--name TEXT] [--expires DAYS|never]',
    summary: 'Create an API key, shown only once; it expires after 90 days unless --expires says otherwise',
    options: { name: TEXT, expires: TEXT },
    words: [1, 1],
    async run({ keys }, input, terminal) {
      const term = readUsage(() => readTerm(textOf(input, 'expires') ?? '90'));
      writeCreated(
        terminal,
        input,
        await keys.create(input.words[0] ?? '', textOf(input, 'name') ?? 'key', term),
      );
      return DONE;
    },
  }),
  adminCommand({
    name: 'key list',
    synopsis: 'EMAIL',
    summary: "List an account's keys",
    options: {},
    words: [1, 1],
    async run({ keys }, input, terminal) {
      const email = input.words[0] ?? '';
      writeList(
        terminal,
        input,
        (await keys.list(email)).map(show),
        `No keys yet. Create one: bookstall key create ${email}`,
      );
      return DONE;
    },
  }),
  adminCommand({
    name: 'key revoke',
    synopsis: 'ID',
    summary: 'Revoke a key for good',
    options: {},
    words: [1, 1],
    async run({ keys }, input, terminal) {
      const { id, name, prefix } = await keys.revoke(input.words[0] ?? '');
      writeResult(
        terminal,
        input,
        { id: String(id), name, prefix },
        `Revoked key ${id} (${name}, ${prefix}…): it is refused from the next request on`,
      );
      return DONE;
    },
  }),
  adminCommand({
    name: 'key rotate',
    synopsis: 'ID [--overlap now|1h|24h|7d]',
    summary:
      'Replace a key by a new one of the same name and term; the old one ends at once, or after the overlap',
    options: { overlap: TEXT },
    words: [1, 1],
    async run({ keys }, input, terminal) {
      const overlap = readUsage(() => readOverlap(textOf(input, 'overlap') ?? 'now'));
      writeCreated(terminal, input, await keys.rotate(input.words[0] ?? '', overlap));
      return DONE;
    },
  }),
];

function writeCreated(
  terminal: Terminal,
  input: Input,
  { id, key, name, prefix, expiresAt }: CreatedKey,
): void {
  terminal.err('Keep this key now: it is not shown again.\n');
  writeResult(terminal, input, { id: String(id), key, name, prefix, expires: iso(expiresAt) }, key);
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
