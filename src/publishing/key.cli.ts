import { KEY_DAYS, TOKEN_DAYS } from '../accounts/key.rule.ts';
import { findAccount } from '../accounts/account.ts';
import {
  type CreatedKey,
  createKey,
  createToken,
  findKey,
  readOverlap,
  readTerm,
  readTokenItems,
  revokeKey,
  rotateKey,
  type StoredKey,
  type StoredToken,
} from '../accounts/key.ts';
import { createPublishKey, readKeySlugs } from './publish-key.ts';
import { iso, type Output, readUsage, UsageError } from '../platform/cli/command.ts';
import { type AdminCommand, adminCommand } from '../platform/cli/admin-command.ts';
import type { Store } from './stall.ts';

type Kind = 'key' | 'token';

const WORDS: Readonly<
  Record<Kind, { readonly noun: string; readonly kept: string; readonly ended: string }>
> = {
  key: { noun: 'key', kept: 'Keep this key now: it is not shown again.', ended: 'it is refused' },
  token: {
    noun: 'install token',
    kept: 'Keep this token now: it is not shown again. Its links begin with /i/ and the token.',
    ended: 'its links open nothing',
  },
};

export const keyCommands: readonly AdminCommand<Store>[] = [
  adminCommand({
    name: 'key create',
    synopsis: 'EMAIL',
    summary: 'Create an API key, which is shown only once',
    flags: {
      '--name TEXT': 'what the key is for (default key)',
      '--expires DAYS|never': `how long it works (default ${KEY_DAYS})`,
      '--publish': "make a publish key, svp_…, of the owner's: it pushes items, and reads none",
      '--only SLUG,PREFIX-*': 'the items that a publish key is for',
      '--terms': 'let a publish key also set prices and publish drafts',
    },
    examples: [
      'bookstall key create ada@example.org --name laptop',
      'bookstall key create ada@example.org --publish --only field-notes --name ci',
    ],
    async run(office, input, terminal) {
      const term = readUsage(() => readTerm(input.text('expires') ?? String(KEY_DAYS)));
      const owner = findAccount(office, input.word);
      const { id: accountId, email } = owner;
      const name = input.text('name') ?? 'key';
      const [only, setsTerms] = [input.text('only'), input.has('terms')];
      if (input.has('publish')) {
        const slugs = only === null ? null : readUsage(() => readKeySlugs(only));
        const wanted = { name, slugs, setsTerms, term };
        return writeCreated('key', terminal, await createPublishKey(office, 'command', owner, wanted));
      }
      if (only !== null || setsTerms)
        throw new UsageError(
          'Cannot use --only or --terms without --publish: an API key has the rights of its account',
        );
      writeCreated('key', terminal, await createKey(office, 'command', { accountId, email }, { name, term }));
    },
  }),
  listCommand('key'),
  revokeCommand('key'),
  adminCommand({
    name: 'key rotate',
    synopsis: 'ID',
    summary: 'Replace a key by a new one of the same name and term',
    flags: { '--overlap now|1h|24h|7d': 'how long the old key still works (default now)' },
    examples: ['bookstall key rotate 3 --overlap 24h'],
    async run(office, input, terminal) {
      const overlap = readUsage(() => readOverlap(input.text('overlap') ?? 'now'));
      const old = findKey(office, 'key', input.word);
      writeCreated('key', terminal, await rotateKey(office, 'command', old, overlap));
    },
  }),
  adminCommand({
    name: 'token create',
    synopsis: 'EMAIL',
    summary: 'Create an install token for links, shown only once',
    about: 'Links with it let an agent that cannot send a key take items as the account.',
    flags: {
      '--name TEXT': 'what the link is for (default link)',
      '--item SLUG …': 'open only this item; may be repeated',
      '--read': 'let it also read and ask, over MCP',
      '--expires DAYS|never': `how long it works (default ${TOKEN_DAYS})`,
    },
    examples: ['bookstall token create ada@example.org --item review-kit'],
    async run(office, input, terminal) {
      const term = readUsage(() => readTerm(input.text('expires') ?? String(TOKEN_DAYS)));
      const { id: accountId, email } = findAccount(office, input.word);
      const request = {
        name: input.text('name') ?? 'link',
        items: readTokenItems(office, input.texts('item')),
        reads: input.has('read'),
        term,
      };
      writeCreated('token', terminal, await createToken(office, 'command', { accountId, email }, request));
    },
  }),
  listCommand('token'),
  revokeCommand('token'),
];

function listCommand(kind: Kind): AdminCommand<Store> {
  const { noun } = WORDS[kind];
  return adminCommand({
    name: `${kind} list`,
    synopsis: 'EMAIL',
    summary: `List an account's ${noun}s`,
    run(office, input, terminal) {
      const email = input.word;
      const keys = office.store.listKeys(kind, findAccount(office, email).id);
      terminal.list(
        keys.map((key) => show(key, office.store)),
        `No ${noun}s yet. Create one: bookstall ${kind} create ${email}`,
      );
    },
  });
}

function revokeCommand(kind: Kind): AdminCommand<Store> {
  const { noun, ended } = WORDS[kind];
  return adminCommand({
    name: `${kind} revoke`,
    synopsis: 'ID',
    summary: `Revoke ${kind === 'key' ? 'a' : 'an'} ${noun} for good`,
    async run(office, input, terminal) {
      const key = findKey(office, kind, input.word);
      const { id, name, prefix } = key;
      await revokeKey(office, 'command', kind, key);
      terminal.result(
        { id: String(id), name, prefix },
        `Revoked ${noun} ${id} (${name}, ${prefix}…): ${ended} from the next request on`,
      );
    },
  });
}

function writeCreated(kind: Kind, terminal: Output, { id, secret, name, prefix, expiresAt }: CreatedKey) {
  terminal.err(`${WORDS[kind].kept}\n`);
  terminal.result({ id: String(id), [kind]: secret, name, prefix, expires: iso(expiresAt) }, secret);
}

function show(key: StoredKey | StoredToken, { findKnownSlug }: Store) {
  const { id, name, prefix } = key;
  const items = 'scope' in key && (key.scope.items?.map(findKnownSlug).join(' ') ?? 'all');
  return {
    id: String(id),
    name,
    prefix,
    ...('scope' in key && { items, may: key.scope.may.join(' ') }),
    created: iso(key.createdAt),
    used: iso(key.lastUsedAt),
    expires: iso(key.expiresAt),
    revoked: iso(key.revokedAt),
  };
}
