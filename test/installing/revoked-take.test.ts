// Credentials and grants that go while an item is being sent, by every route that sends in pieces.
import { afterAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { itemYaml, openStall, skillMd, until } from '../helpers/harness.ts';
import { openSocket } from '../platform/http/raw-socket.ts';

/** More than is kept in memory, and more than sockets hold; a book of this size is still a whole skill. */
const SIZE = 15_000_000;

const stall = await openStall({
  files: {
    'skills/paid/item.yaml': itemYaml({ unitAmountCents: 900 }),
    'skills/paid/SKILL.md': skillMd('paid'),
    'skills/paid/noise.bin': randomBytes(SIZE),
    'books/tome/item.yaml': itemYaml({ id: 'tome-id', unitAmountCents: 900 }),
    'books/tome/01.md': '# The heron\n\nIt stands on one leg.\n',
    'books/tome/noise.bin': randomBytes(SIZE),
  },
});
afterAll(() => stall.close());

const line = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;
const UPLOAD = ['Content-Type: application/x-git-upload-pack-request', 'Git-Protocol: version=2'];
const admin = stall.app.admin;

let readers = 0;
async function nextReader() {
  const reader = await stall.reader(`reader-${readers++}@example.org`, 'paid', 'tome');
  const made = { name: 'x', slugs: [], reads: false, term: 'never' } as const;
  const { id, token } = await admin.tokens.create(reader.email, made);
  return { ...reader, tokenId: String(id), token };
}
type Reader = Awaited<ReturnType<typeof nextReader>>;

const first = await nextReader();
const textOf = async (path: string, init: RequestInit = {}): Promise<string> =>
  await (await stall.fetch(path, { ...init, headers: { ...first.headers, ...init.headers } })).text();

async function wantOf(slug: string): Promise<string> {
  const headers = { 'Content-Type': 'application/x-git-upload-pack-request', 'Git-Protocol': 'version=2' };
  const refs = await textOf(`/git/${slug}.git/git-upload-pack`, {
    method: 'POST',
    headers,
    body: `${line('command=ls-refs')}0000`,
  });
  return `${line('command=fetch')}0001${line(`want ${refs.slice(4, 44)}`)}${line('done')}0000`;
}

const want = await wantOf('paid');

type Fetch = readonly [path: string, body: string | null, route: string];

/** The request, the body if it is a POST, and the route in the log. */
const FETCHES: readonly Fetch[] = [
  ['/git/paid.git/git-upload-pack', want, '/git/:repository/git-upload-pack'],
  ['/git/tome.git/git-upload-pack', await wantOf('tome'), '/git/:repository/git-upload-pack'],
  [
    '/skills/paid/.well-known/agent-skills/paid/noise.bin',
    null,
    '/skills/:slug/.well-known/agent-skills/:file/*',
  ],
];
const LINKS: typeof FETCHES = [
  ['/git/paid.git/git-upload-pack', want, '/i/:token/git/:repository/git-upload-pack'],
  ['/paid/.well-known/skills/paid/noise.bin', null, '/i/:token/:slug/.well-known/skills/:file/*'],
];

type Revoke = (reader: Reader) => Promise<unknown>;

const TOKEN = 'the token is revoked';
const BOTH: Readonly<Record<string, Revoke>> = {
  'the grant is revoked': async ({ email }) => {
    for (const slug of ['paid', 'tome']) await admin.grants.revoke(email, slug, null);
  },
  'the account is disabled': ({ email }) => admin.accounts.disable(email),
};
const OF_A_KEY = { ...BOTH, 'the key is revoked': ({ keyId }: Reader) => admin.keys.revoke(String(keyId)) };
const OF_A_TOKEN = { ...BOTH, [TOKEN]: ({ tokenId }: Reader) => admin.tokens.revoke(tokenId) };

/** Sends a request, lets the answer wait, and takes the rest once the stall has ended it; gives the number of bytes. */
async function takeAfter(
  reader: Reader,
  lines: readonly string[],
  [path, body, route]: Fetch,
  revoke: Revoke,
) {
  const length = body === null ? [] : [...UPLOAD, `Content-Length: ${body.length}`];
  const method = body === null ? 'GET' : 'POST';
  const socket = openSocket(
    stall.url,
    [`${method} ${path} HTTP/1.1`, 'Host: x', ...lines, ...length],
    body ?? undefined,
  );
  let bytes = 0;
  const begun = Promise.withResolvers<void>();
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.on('data', (chunk) => {
    bytes += chunk.length;
    begun.resolve();
    socket.pause();
  });
  await begun.promise;
  await revoke(reader);
  const isEnded = () =>
    stall.log.some(
      (entry) =>
        entry.event === 'request' && entry['route'] === route && entry['account'] === reader.account.id,
    );
  await until(isEnded);
  socket.removeAllListeners('data').on('data', (chunk) => {
    bytes += chunk.length;
    if (bytes > SIZE) socket.destroy();
  });
  socket.resume();
  await closed;
  return bytes;
}

/** All at once, since each takes the second until the next look at its credential. */
const taken = new Map<string, Promise<number>>();
const start = (name: string, take: (reader: Reader) => Promise<number>) =>
  taken.set(name, nextReader().then(take));

for (const fetching of FETCHES) {
  for (const [way, revoke] of Object.entries(OF_A_KEY))
    start(`${fetching[0]} ends when ${way}`, (reader) =>
      takeAfter(reader, [`Authorization: Bearer ${reader.key}`], fetching, revoke),
    );
  start(`${fetching[0]} ends when the token in its header is revoked`, (reader) =>
    takeAfter(reader, [`Authorization: Basic ${btoa(`x:${reader.token}`)}`], fetching, OF_A_TOKEN[TOKEN]),
  );
}
for (const [path, body, route] of LINKS)
  for (const [way, revoke] of Object.entries(OF_A_TOKEN))
    start(`a link to ${path} ends when ${way}`, (reader) =>
      takeAfter(reader, [], [`/i/${reader.token}${path}`, body, route], revoke),
    );

test.each([...taken.keys()])('the answer of %s', async (name) => {
  expect(await taken.get(name)).toBeLessThan(SIZE);
});

describe('between the first request of git and the second', () => {
  const REFS = `${line('command=ls-refs')}0000`;
  const send = (path: string, body: string, headers: Record<string, string>) =>
    stall.fetch(`${path}/git-upload-pack`, {
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/x-git-upload-pack-request',
        'Git-Protocol': 'version=2',
        ...headers,
      },
    });

  test.each([
    ['a grant', '/git/paid.git', 'key', BOTH['the grant is revoked'], 403],
    ['a key', '/git/paid.git', 'key', OF_A_KEY['the key is revoked'], 401],
    ['a token', '/git/paid.git', 'token', OF_A_TOKEN[TOKEN], 401],
    ['a link', '/git/paid.git', 'link', OF_A_TOKEN[TOKEN], 404],
    ['an account', '/git/paid.git', 'link', BOTH['the account is disabled'], 404],
    ["a shelf's key", '/shelf.git', 'key', OF_A_KEY['the key is revoked'], 401],
    ["a shelf's link", '/shelf.git', 'link', OF_A_TOKEN[TOKEN], 404],
  ] as const)('%s is revoked', async (_, repository, by, revoke, status) => {
    const reader = await nextReader();
    const path = by === 'link' ? `/i/${reader.token}${repository}` : repository;
    const secret = by === 'key' ? reader.key : reader.token;
    const headers: Record<string, string> = by === 'link' ? {} : { Authorization: `Bearer ${secret}` };
    const refs = await send(path, REFS, headers);
    expect(refs.status).toBe(200);
    const want = (await refs.text()).slice(4, 44);
    await revoke?.(reader);
    const body = `${line('command=fetch')}0001${line(`want ${want}`)}${line('done')}0000`;
    const answer = await send(path, body, headers);
    expect([answer.status, (await answer.text()).includes('PACK')]).toEqual([status, false]);
  });
});
