// The bodies of bench:hostile-bodies: what one address or one free account sends to take the server's time and memory, and
// what each route with a body takes at most.
import { gzipSync } from 'node:zlib';
import { packetLine } from '../../src/installing/git/packet-line.ts';
import { UPLOAD_HEADERS } from '../installing/git/fetch-body.ts';
import { pack } from '../torture/push.ts';
import { itemYaml } from '../helpers/harness.ts';
import { multipart, ROUTES, VISITORS, type Visitor } from '../platform/http/routes.ts';

const KIB = 1024;

/** The credentials of a reader, the key of their e-reader, the cookie of the owner's session, and a key that may publish. */
export type Senders = {
  readonly key: string;
  readonly device: string;
  readonly cookie: string;
  readonly ownerCookie: string;
  readonly publishKey: string;
};

/** A request that `connections` senders repeat, `count` times in all. */
export type HostileRow = {
  readonly name: string;
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'GET';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly connections: number;
  readonly count: number;
  /** Whether these are the first requests after a start. */
  readonly isFirst?: boolean;
};

/** The requests of one minute in the budget of an address, without the few that warm up. */
const BUDGET = 580;

const JSON_BODY = { 'Content-Type': 'application/json' };
const FORM_BODY = {
  'Content-Type': 'application/x-www-form-urlencoded',
  'Sec-Fetch-Site': 'same-origin',
};
const MCP = {
  ...JSON_BODY,
  Accept: 'application/json, text/event-stream',
  'MCP-Protocol-Version': '2025-11-25',
};

const call = (args: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_library","arguments":${args}}}`;
const many = (count: number): string => Array.from({ length: count }, (_, n) => `"k${n}":"${n}"`).join(',');
/** Arrays, ten in each other, `count` times. */
const nested = (count: number): string =>
  `{"query":[${Array.from({ length: count }, () => `${'['.repeat(10)}${']'.repeat(10)}`).join(',')}]}`;
const NESTED = nested(12_000);
/** As many values as fit into the body of a program's question. */
const question = (rest: string): string => `{"book_id":"wide","query":"heron","history":${rest}}`;
const note = (rest: string): string => `{"path":"01.md","start":2,"end":11,"text":${rest}}`;
const NESTED_128 = `[${Array.from({ length: 6_000 }, () => `${'['.repeat(10)}${']'.repeat(10)}`).join(',')}]`;

const SEARCH =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_texts","arguments":{"query":"heron water reeds","limit":20}}}';

/** 1 MB of lines that git might send, and of lines that hold nothing. */
const HAVES = `${packetLine('command=fetch')}0001${packetLine(`want ${'1'.repeat(40)}`)}${packetLine(`have ${'2'.repeat(40)}`).repeat(20_000)}0000`;
const LONG_LINES = packetLine('x'.repeat(65_000)).repeat(16);

/** A folder whose one file is 200 MB of zeros, packed into 200 KB. */
const bomb = (): Uint8Array<ArrayBuffer> =>
  pack([
    ['item.yaml', Buffer.from(itemYaml({ id: 'bomb' }))],
    ['01.md', Buffer.from('# Bomb\n')],
    ['zeros.bin', Buffer.alloc(200_000_000)],
  ]);
/** A folder of 4,000 files without bytes. */
const crowd = (): Uint8Array<ArrayBuffer> =>
  pack([
    ['item.yaml', Buffer.from(itemYaml({ id: 'crowd' }))],
    ['01.md', Buffer.from('# Crowd\n')],
    ...Array.from({ length: 4_000 }, (_, n) => [`empty/${n}.txt`, Buffer.alloc(0)] as const),
  ]);

/** The rows, each with the bytes that its senders repeat. */
export function hostileRows({ key, device, publishKey, cookie }: Senders): readonly HostileRow[] {
  const bearer = { Authorization: `Bearer ${key}` };
  const pushing = {
    Authorization: `Bearer ${publishKey}`,
    'If-None-Match': '*',
    'Content-Type': 'application/gzip',
  };
  const mcp = (name: string, body: string, connections: number): HostileRow => ({
    ...{ name: `MCP: ${name}`, path: '/mcp', headers: MCP, body, connections, count: BUDGET },
  });
  const form = (name: string, path: string, body: string, connections: number): HostileRow => ({
    ...{ name: `${path}: ${name}`, path, headers: FORM_BODY, body, connections, count: BUDGET },
  });
  const keyed = (name: string, path: string, body: string, connections: number): HostileRow => ({
    ...{ name, path, headers: { ...JSON_BODY, ...bearer }, body, connections, count: BUDGET },
  });
  const text = call(`{"query":"${'a'.repeat(250 * KIB)}"}`);
  return [
    mcp('120,000 nested arrays', call(NESTED), 120),
    mcp('120,000 nested arrays', call(NESTED), 20),
    mcp('16,000 keys', call(`{${many(16_000)}}`), 60),
    mcp('"[" 260,000 times', '['.repeat(260_000), 120),
    mcp('a text of 250 KiB', text, 60),
    mcp('a text of 250 KiB', text, 580),
    mcp('a search for 250 KiB of Japanese', SEARCH.replace('heron', '鷺'.repeat(85_000)), 60),
    mcp('1,800 nested arrays in 4 KB', call(nested(180)), 120),
    mcp('190 nested arrays in 500 bytes', call(nested(19)), 120),
    mcp('400 nested arrays in 1 KB', call(nested(40)), 120),
    mcp(
      '1,900 keys in 16 KB',
      call(
        `{${many(1_900)
          .slice(0, 15_800)
          .replace(/,[^,]*$/, '')}}`,
      ),
      120,
    ),
    mcp('a search for 15 KiB', call(`{"query":"${'heron '.repeat(2_600)}"}`), 120),
    mcp('a search in texts for 15 KiB', SEARCH.replace('heron', 'heron '.repeat(2_600)), 120),
    mcp('250 KiB of escapes', call(`{"query":"${'\\u0041'.repeat(42_000)}"}`), 60),
    mcp('a search in texts', SEARCH, 20),
    { ...mcp('a search in texts, the first after a start', SEARCH, 20), isFirst: true },
    keyed('a question of nested arrays', '/api/agent/fetch', question(NESTED_128), 20),
    keyed('a note of nested arrays', '/api/books/wide/notes', note(NESTED_128), 20),
    keyed('a note of 127 KiB', '/api/books/wide/notes', note(`"${'a'.repeat(127 * KIB)}"`), 580),
    form('32,000 fields', '/redeem', 'a&'.repeat(32_000), 60),
    form('32,000 fields', '/sign-in', 'a&'.repeat(32_000), 20),
    form('63 KB of escapes', '/redeem', `a=${'%41'.repeat(21_000)}`, 580),
    {
      name: 'a page, asked with 2,800 cookies',
      ...{
        method: 'GET',
        path: '/books/wide',
        headers: { Accept: 'text/html', Cookie: 'x=a; '.repeat(2_800) },
      },
      ...{ connections: 40, count: BUDGET },
    },
    {
      name: "an e-reader's place of 63 KiB and 1,900 values",
      ...{ method: 'PUT', path: '/kosync/syncs/progress' },
      headers: { ...JSON_BODY, 'x-auth-user': 'a', 'x-auth-key': device },
      body: `{"document":"d","list":[${`"${'a'.repeat(30)}",`.repeat(1_890)}1]}`,
      ...{ connections: 20, count: BUDGET },
    },
    ...[
      ['1 MB of haves', HAVES],
      ['1 MB of long lines', LONG_LINES],
    ].map(([name = '', body = '']) => ({
      name: `git-upload-pack: ${name}`,
      path: '/git/heron.git/git-upload-pack',
      headers: UPLOAD_HEADERS,
      ...{ body, connections: 20, count: BUDGET },
    })),
    {
      name: 'git-upload-pack: 1 MB of haves in 5 KB of gzip',
      path: '/git/heron.git/git-upload-pack',
      headers: { ...UPLOAD_HEADERS, 'Content-Encoding': 'gzip' },
      ...{ body: new Uint8Array(gzipSync(HAVES)), connections: 120, count: BUDGET },
    },
    {
      name: 'an unsigned webhook of 500 KB',
      path: '/webhooks/stripe',
      headers: {
        ...JSON_BODY,
        'Stripe-Signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
      },
      body: `{"data":[${'[],'.repeat(166_000)}1]}`,
      ...{ connections: 60, count: BUDGET },
    },
    ...[['200 MB of zeros', bomb()] as const, ['4,000 empty files', crowd()] as const].map(
      ([name, body]) => ({
        name: `a pushed folder of ${name}`,
        method: 'PUT' as const,
        path: '/api/publish/book/bomb?dry-run',
        headers: pushing,
        ...{ body, connections: 4, count: 12 },
      }),
    ),
    {
      name: 'a chapter with 590 notes that overlap',
      method: 'GET',
      path: '/books/wide/read/01.md',
      headers: { Cookie: cookie },
      ...{ connections: 20, count: 200 },
    },
    {
      name: 'the print page of a book of 33 MB, the first after a start',
      ...{ method: 'GET', path: '/books/long/print', headers: {}, connections: 4, count: 8, isFirst: true },
    },
  ];
}

/** The longest and fullest body that is read of a type, and its bounds as words. */
function fullest(path: string, type: string): readonly [bounds: string, body: string] {
  if (path.endsWith('/mcp'))
    return ['256 KiB, 2,000 values', call(`{"query":[${`"${'a'.repeat(120)}",`.repeat(1_980)}1]}`)];
  if (type === 'application/json')
    return ['128 KiB, 2,000 values', question(`[${`"${'a'.repeat(50)}",`.repeat(1_980)}1]`)];
  if (type.startsWith('multipart/')) {
    const fields = Array.from({ length: 2_000 }, (_, n) => [`field${n}`, 'a'.repeat(200)]);
    return ['256 MiB, 2,000 fields; sent: 0.6 MB', multipart(Object.fromEntries(fields)).form ?? ''];
  }
  if (type === UPLOAD_HEADERS['Content-Type']) return ['1 MiB, 5,000 lines', HAVES];
  if (path.endsWith('/orders/import'))
    return ['1,000 KiB, 2,000 fields', `csv=a,b%0A&${`a=${'%41'.repeat(160)}&`.repeat(1_990)}`];
  return ['64 KiB, 200 fields', `a=${'%41'.repeat(100)}&`.repeat(199)];
}

/** Who may send to a route: the first of these that its row lets in, else a reader. */
const MAY: readonly Visitor[] = ['nobody', 'key', 'reader', 'owner'];

/** Routes that refuse before they read a body, or read it as the named one does. */
const UNPLAYED = [
  ...['/git/:repository', '/shelf.git'].map((path) => `POST ${path}/git-receive-pack`),
  'POST /webhooks/:provider/:ping', // as /webhooks/:provider
  ...['POST', 'PUT', 'PATCH'].map((method) => `${method} /mcp/library`), // as /mcp
  'POST /kosync/users/create',
  'POST /unsubscribe/:secret',
  'POST /claim/present',
  'POST /dashboard/orders/:ref/copies',
];

/**
 * The routes that may read a body, and that no row plays. Of those that let somebody in, the test of who may enter sees
 * whether they read one, and then wants an example in ROUTES, whose row they get.
 */
export function unplayed(rows: readonly HostileRow[]): readonly string[] {
  const isLike = (pattern: string, path: string) =>
    new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}(?:$|[?])`).test(path);
  return Object.entries(ROUTES).flatMap(([route, [, statuses, example]]) => {
    const [method = '', pattern = ''] = route.split(' ');
    const isPlayed =
      !['POST', 'PUT', 'PATCH'].includes(method) ||
      pattern.startsWith('/i/') ||
      UNPLAYED.includes(route) ||
      (example?.form === undefined && /\b[23]/.test(statuses)) ||
      rows.some((row) => (row.method ?? 'POST') === method && isLike(pattern, row.path));
    return isPlayed ? [] : [route];
  });
}

/** A row for each route with a form, but those below a link, which are read alike. */
export function routeRows({ key, cookie, ownerCookie }: Senders): readonly HostileRow[] {
  const credentials: Partial<Record<Visitor, Readonly<Record<string, string>>>> = {
    key: { Authorization: `Bearer ${key}` },
    reader: { Cookie: cookie },
    owner: { Cookie: ownerCookie },
  };
  return Object.entries(ROUTES).flatMap(([route, [, statuses, example]]) => {
    const [method = '', pattern = ''] = route.split(' ');
    const { path = pattern, form, type = FORM_BODY['Content-Type'] } = example ?? {};
    if (form === undefined || path.startsWith('/i/')) return [];
    const visitor = MAY.find((name) => /^[23]/.test(statuses.split(' ')[VISITORS.indexOf(name)] ?? ''));
    const [bounds, body] = fullest(path, type);
    return {
      name: `\`${route}\`, ${bounds}`,
      method: method === 'PATCH' ? ('PATCH' as const) : ('POST' as const),
      path: path.replaceAll(/\{\w+\}/g, 'none'),
      headers: {
        'Content-Type': type,
        'Sec-Fetch-Site': 'same-origin',
        ...(type === JSON_BODY['Content-Type'] ? { Accept: MCP.Accept } : {}),
        ...credentials[visitor ?? 'reader'],
      },
      ...{ body, connections: 20, count: BUDGET },
    };
  });
}
