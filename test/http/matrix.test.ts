import { expect, test } from 'bun:test';
import { mintKey } from '../../src/access/key.ts';
import { openStall } from '../harness.ts';
import { getRaw, sendRaw } from './raw-socket.ts';
import { SITE } from './site/routes.ts';

const PRICES = ['free', 'paid', 'draft', 'archived'] as const;
const EVERY = PRICES.flatMap((price) => [`${price}-book`, `${price}-skill`]);

/** Contract §3. Cells: free paid draft archived; one status alone: the route names no item. */
// prettier-ignore
const EXPECTED = {
  //                 install, zip                files                      questions                  library        others         probes
  'no key':          { take: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', library: '401', open: '200', probe: '200' },
  'malformed':       { take: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', library: '401', open: '200', probe: '200' },
  'wrong checksum':  { take: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', library: '401', open: '200', probe: '200' },
  'unknown':         { take: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', library: '401', open: '200', probe: '200' },
  'two headers':     { take: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', library: '401', open: '200', probe: '200' },
  'in the query':    { take: '400 400 400 400', files: '400 400 400 400', ask: '400 400 400 400', library: '400', open: '400', probe: '400' },
  'expired':         { take: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', library: '401', open: '200', probe: '200' },
  'revoked':         { take: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', library: '401', open: '200', probe: '200' },
  'disabled account': { take: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', library: '401', open: '200', probe: '200' },
  'no grant':        { take: '200 403 404 404', files: '403 403 404 404', ask: '200 403 404 404', library: '200', open: '200', probe: '200' },
  'expired grant':   { take: '200 403 404 404', files: '403 403 404 404', ask: '200 403 404 404', library: '200', open: '200', probe: '200' },
  'grant not begun': { take: '200 403 404 404', files: '403 403 404 404', ask: '200 403 404 404', library: '200', open: '200', probe: '200' },
  'revoked grant':   { take: '200 403 404 404', files: '403 403 404 404', ask: '200 403 404 404', library: '200', open: '200', probe: '200' },
  'good':            { take: '200 200 404 200', files: '200 200 404 200', ask: '200 200 404 200', library: '200', open: '200', probe: '200' },
} as const;

type Credential = keyof typeof EXPECTED;
type Door = keyof (typeof EXPECTED)['good'];

/** Every route there is: the column it follows, and the names it takes per price. */
const ROUTES: Readonly<Record<string, readonly [Door, ...names: string[]]>> = {
  'GET /api/items': ['open'],
  'GET /api/install/:slug': ['take', '-book', '-skill'],
  'GET /api/cli/library': ['library'],
  'GET /api/books/:id/files': ['files', '-id'],
  'GET /api/skills/:slug/files': ['files', '-skill'],
  'GET /api/skills/:slug/download': ['take', '-skill'],
  'POST /api/agent/fetch': ['ask', '-id'],
  'GET /livez': ['probe'],
  'GET /readyz': ['probe'],
};

const stall = await openStall();
const headerLines = await prepareCredentials();
const seen = { downloads: 0, answered: 0, refused: 0 };

test('every route is classified', () => {
  const routes = stall.app.server.routes.map(({ method, path }) => `${method} ${path}`);
  expect(routes.toSorted()).toEqual([...Object.keys(ROUTES), ...Object.keys(SITE)].toSorted());
});

const cells = Object.entries(ROUTES).flatMap(([route, [door]]) =>
  (Object.keys(EXPECTED) as Credential[]).map(
    (credential) => [route, credential, EXPECTED[credential][door]] as const,
  ),
);

test.each(cells)('%s with %s answers %s', async (route, credential, expected) => {
  const [method = '', pattern = ''] = route.split(' ');
  const [door, ...endings] = ROUTES[route] ?? ['open'];
  const statuses = expected.split(' ').map(Number);
  for (const [n, status] of statuses.entries()) {
    for (const ending of endings.length === 0 ? [''] : endings) {
      const name = `${PRICES[n]}${ending}`;
      const label = `${name} -> ${status}`;
      const answer = await knock(method, pattern, name, credential);
      expect(`${name} -> ${answer.status}`).toBe(label);
      if (status >= 400) expectRefusal(answer);
      if (method === 'GET') {
        const head = await knock('HEAD', pattern, name, credential);
        expect(`${name} -> ${head.status}`).toBe(label);
        expect(head.body).toBe('');
      }
      if (door === 'take' && status === 200) seen.downloads++;
      if (door === 'ask' && status === 200) seen.answered++;
      if (door === 'ask' && status > 401 && ending !== '' && PRICES[n] !== 'draft') seen.refused++;
    }
  }
});

test('one download row an archive handed out, and one fetch-log row a question that named a book', async () => {
  await Bun.sleep(200);
  const { logs } = stall.app.office;
  expect(seen.downloads).toBeGreaterThan(40);
  expect(await logs.downloads(null, null)).toHaveLength(seen.downloads);
  const outcomes = Map.groupBy(await logs.fetches(null, null), ({ outcome }) => outcome);
  expect(Object.fromEntries([...outcomes].map(([outcome, rows]) => [outcome, rows.length]))).toEqual({
    quoted: seen.answered,
    refused: seen.refused,
  });
});

/** A refusal is JSON with a code, and holds no byte of the item. */
function expectRefusal({ status, headers, body }: Awaited<ReturnType<typeof knock>>): void {
  expect(headers['content-type']).toBe('application/json');
  expect(Object.keys(JSON.parse(body))).toEqual(['error', 'code']);
  expect(body).not.toMatch(/heron|echo run|Do it well/);
  expect(headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
}

async function knock(method: string, pattern: string, name: string, credential: Credential) {
  const path = pattern.replace(/:(slug|id)/, name);
  const target = credential === 'in the query' ? `${path}?q=${headerLines[credential][0]}` : path;
  const lines = credential === 'in the query' ? [] : headerLines[credential];
  const question = JSON.stringify({ book_id: name, query: 'Why does the heron stand on one leg?' });
  const post = ['Content-Type: application/json', `Content-Length: ${question.length}`];
  const answer =
    method === 'GET'
      ? await getRaw(stall.url, target, ...lines)
      : await sendRaw(
          stall.url,
          [
            `${method} ${target} HTTP/1.1`,
            'Host: x',
            'Connection: close',
            ...lines,
            ...(method === 'POST' ? post : []),
          ],
          method === 'POST' ? question : '',
        );
  if (answer === null) throw new Error(`No answer to ${method} ${target}`);
  return answer;
}

/** The header lines each credential sends; all but the named fault is in order, and all hold grants to every item. */
async function prepareCredentials(): Promise<Readonly<Record<Credential, readonly string[]>>> {
  const { accounts, grants, keys } = stall.app.office;
  const lineOf = (key: string) => `Authorization: Bearer ${key}`;
  const good = await stall.reader('good@example.org', ...EVERY);
  const expired = await keys.create(good.email, 'expired', { days: -1 });
  const revoked = await keys.create(good.email, 'revoked', 'never');
  await keys.revoke(String(revoked.id));
  const disabled = await stall.reader('disabled@example.org', ...EVERY);
  await accounts.disable(disabled.email);
  const ungranted = await stall.reader('ungranted@example.org');
  const late = await stall.reader('late@example.org');
  const early = await stall.reader('early@example.org');
  const lost = await stall.reader('lost@example.org', ...EVERY);
  for (const slug of EVERY) {
    await grants.add({
      email: late.email,
      slug,
      from: '2020-01-01T00:00:00Z',
      until: '2021-01-01T00:00:00Z',
    });
    await grants.add({ email: early.email, slug, from: '2999-01-01T00:00:00Z' });
    await grants.revoke(lost.email, slug, null);
  }
  return {
    'no key': [],
    malformed: ['Authorization: Bearer svc_short'],
    'wrong checksum': [lineOf(`${good.key.slice(0, -1)}${good.key.endsWith('0') ? '1' : '0'}`)],
    unknown: [lineOf(mintKey())],
    'two headers': [lineOf(good.key), lineOf(good.key)],
    'in the query': [good.key],
    expired: [lineOf(expired.key)],
    revoked: [lineOf(revoked.key)],
    'disabled account': [lineOf(disabled.key)],
    'no grant': [lineOf(ungranted.key)],
    'expired grant': [lineOf(late.key)],
    'grant not begun': [lineOf(early.key)],
    'revoked grant': [lineOf(lost.key)],
    good: [lineOf(good.key)],
  };
}
