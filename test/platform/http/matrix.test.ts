import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mintKey } from '../../../src/platform/base/key.ts';
import {
  type Files,
  itemYaml,
  openStall,
  pairOf,
  SHELF,
  skillMd,
  until,
  writeFiles,
} from '../../helpers/harness.ts';
import { createSigner, signItem, signQuotes } from '../../catalog/signing.ts';
import { ANSWERS } from '../../../src/agents/shapes.ts';
import { getRaw, sendRaw } from './raw-socket.ts';
import { differences } from './shapes.ts';
import { endSession } from '../../../src/accounts/session.ts';

const PRICES = ['free', 'paid', 'draft', 'archived'] as const;
/**
 * Every state of an item with the cell that it follows: a draft that was sold is as archived, and so is a private item; the
 * one of a `team` is held by a group. A former slug is as its item, and so is one that is announced again (`back`); what is
 * `coming` is as a paid item, and given to nobody.
 */
const STATES = [
  ...PRICES.entries(),
  [PRICES.indexOf('archived'), 'sold'],
  [PRICES.indexOf('archived'), 'private'],
  [PRICES.indexOf('archived'), 'team'],
  [PRICES.indexOf('paid'), 'old'],
  [PRICES.indexOf('paid'), 'back'],
  [PRICES.indexOf('paid'), 'coming'],
] as const;
const EVERY = STATES.flatMap(([, state]) => (state === 'team' ? [] : [`${state}-book`, `${state}-skill`]));

/** Who may take which item. Cells: free paid draft archived; one status alone: the route names no item. */
// prettier-ignore
const EXPECTED = {
  //                 install                       zip                     files                      questions                  notes                      editions                 search                      library         redeem         holdings     others         probes
  'no key':          { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '200 200 404 404', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  'malformed':       { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '401 401 401 401', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  'wrong checksum':  { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '401 401 401 401', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  'unknown':         { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '401 401 401 401', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  'two headers':     { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '401 401 401 401', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  'in the query':    { install: '400 400 400 400', zip: '400 400 400 400', files: '400 400 400 400', ask: '400 400 400 400', notes: '400 400 400 400', look: '400 400 400 400', search: '400 400 400 400', library: '400', redeem: '400', held: '400', open: '400', probe: '400' },
  'expired':         { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '401 401 401 401', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  'revoked':         { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '401 401 401 401', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  'disabled account': { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '401 401 401 401', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  'no grant':        { install: '200 403 404 404', zip: '200 403 404 404', files: '403 403 404 404', ask: '200 403 404 404', notes: '200 403 404 404', look: '200 200 404 404', search: '200 200 404 404', library: '200', redeem: '400', held: '200', open: '200', probe: '200' },
  'expired grant':   { install: '200 403 404 404', zip: '200 403 404 404', files: '403 403 404 404', ask: '200 403 404 404', notes: '200 403 404 404', look: '200 200 404 404', search: '200 200 404 404', library: '200', redeem: '400', held: '200', open: '200', probe: '200' },
  'grant not begun': { install: '200 403 404 404', zip: '200 403 404 404', files: '403 403 404 404', ask: '200 403 404 404', notes: '200 403 404 404', look: '200 200 404 404', search: '200 200 404 404', library: '200', redeem: '400', held: '200', open: '200', probe: '200' },
  'revoked grant':   { install: '200 403 404 404', zip: '200 403 404 404', files: '403 403 404 404', ask: '200 403 404 404', notes: '200 403 404 404', look: '200 200 404 404', search: '200 200 404 404', library: '200', redeem: '400', held: '200', open: '200', probe: '200' },
  'good':            { install: '200 200 404 200', zip: '200 200 404 200', files: '200 200 404 200', ask: '200 200 404 200', notes: '200 200 404 200', look: '200 200 404 200', search: '200 200 404 200', library: '200', redeem: '400', held: '200', open: '200', probe: '200' },
  'forged session': { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '200 200 404 404', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  'stale session': { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '200 200 404 404', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  'expired session': { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '200 200 404 404', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  'ended session': { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '200 200 404 404', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  'session of a disabled account': { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '200 200 404 404', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  'two sessions': { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '200 200 404 404', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  'session without a grant': { install: '200 401 404 404', zip: '200 403 404 404', files: '403 403 404 404', ask: '401 401 401 401', notes: '200 403 404 404', look: '200 200 404 404', search: '200 200 404 404', library: '401', redeem: '401', held: '200', open: '200', probe: '200' },
  'good session': { install: '200 401 404 404', zip: '200 200 404 200', files: '200 200 404 200', ask: '401 401 401 401', notes: '200 200 404 200', look: '200 200 404 200', search: '200 200 404 404', library: '401', redeem: '401', held: '200', open: '200', probe: '200' },
  'good session, bad key': { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '401 401 401 401', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  // The specification's endpoints do not know tokens.
  'install token': { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '200 200 404 404', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  'install token that also reads': { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '200 200 404 200', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  'install token as Basic': { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '200 200 404 404', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
  'install token, good session': { install: '200 401 404 404', zip: '200 401 404 404', files: '401 401 401 401', ask: '401 401 401 401', notes: '401 401 401 401', look: '200 200 404 404', search: '200 200 404 404', library: '401', redeem: '401', held: '401', open: '200', probe: '200' },
} as const;

type Credential = keyof typeof EXPECTED;
type Column = keyof (typeof EXPECTED)['good'];

/** The API's routes, some with a query: the column each follows, and its names per price. */
const ROUTES: Readonly<Record<string, readonly [Column, ...names: string[]]>> = {
  'GET /api/items': ['open'],
  'GET /api/items?limit=1': ['open'],
  'GET /api/items/:slug/editions': ['look', '-book', '-skill'],
  'GET /api/items/:slug/inventory': ['look', '-book', '-skill'],
  'GET /api/items/:slug/signature': ['look', '-book', '-skill'],
  'GET /api/items/:slug/signed': ['look', '-book', '-skill'],
  'GET /api/search?q=heron&item=:slug': ['search', '-book'],
  'GET /api/install/:slug': ['install', '-book', '-skill'],
  'GET /api/cli/library': ['library'],
  'GET /api/holdings': ['held'],
  'GET /api/books/:id/files': ['files', '-id'],
  'GET /api/books/:id/files?path=01.md': ['files', '-id'],
  'GET /api/books/:id/files?content=false': ['files', '-id'],
  'GET /api/skills/:slug/files': ['files', '-skill'],
  'GET /api/skills/:slug/download': ['zip', '-skill'],
  'GET /api/books/:id/skill': ['zip', '-id'],
  'GET /api/books/:id/epub': ['zip', '-id'],
  'GET /api/books/:id/proof?path=01.md&start=0&end=9': ['zip', '-id'],
  'GET /api/notes': ['held'],
  'GET /api/notes?format=csv': ['held'],
  'GET /api/books/:id/notes': ['notes', '-id'],
  'GET /api/books/:id/notes?format=markdown': ['notes', '-id'],
  'POST /api/agent/fetch': ['ask', '-id'],
  // A question is no code.
  'POST /api/redeem': ['redeem'],
  'GET /livez': ['probe'],
  'GET /readyz': ['probe'],
};

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

let time = Date.now();
const stall = await openStall({
  now: () => time,
  files: {
    ...SHELF,
    ...itemsNamed('sold'),
    ...itemsNamed('old'),
    ...itemsNamed('back'),
    ...itemsNamed('coming', { status: 'announced', expected: 'spring 2027' }),
    ...pairOf('private', { unitAmountCents: 0, status: 'private' }),
    ...pairOf('team', { unitAmountCents: 500, status: 'private' }),
  },
});
const signer = createSigner('ssh-ed25519');
const signAll = (...states: readonly string[]) =>
  states.forEach((state) => {
    signQuotes(stall.content, `books/${state}-book`, signer);
    signItem(stall.content, `skills/${state}-skill`, signer);
  });
signAll('free', 'paid', 'draft', 'archived', 'sold', 'old', 'private', 'team', 'back', 'coming');
await stall.app.publish();
const headerLines = await prepareCredentials();
await changeStates();

test('every route of the API that reads has a row', () => {
  const rows = Object.keys(ROUTES).map((row) => row.split('?')[0]);
  const routes = stall.app.server.routes.map(({ method, path }) => `${method} ${path}`);
  // A publish key alone opens them; the rows of test/platform/http/routes.ts say so.
  const others = routes.filter((route) => !route.startsWith('GET /api/publish/'));
  expect(others.filter((route) => route.startsWith('GET /api/') && !rows.includes(route))).toEqual([]);
});

const seen = { downloads: 0, answered: 0, refused: 0 };

const cells = Object.entries(ROUTES).flatMap(([route, [column]]) =>
  (Object.keys(EXPECTED) as Credential[]).map(
    (credential) => [route, credential, EXPECTED[credential][column]] as const,
  ),
);

test.each(cells)('%s with %s answers %s', async (route, credential, expected) => {
  const [method = '', pattern = ''] = route.split(' ');
  const [column, ...endings] = ROUTES[route] ?? ['open'];
  const statuses = expected.split(' ').map(Number);
  // Facts of files that nobody may have yet are no part of an announcement.
  const tells = /\/(?:inventory|signature|signed)$/.test(pattern);
  for (const [n, state] of STATES.slice(0, statuses.length === 1 ? 1 : STATES.length)) {
    const isFact = tells && (state === 'coming' || state === 'back');
    const cell = Number((isFact ? EXPECTED[credential].zip : expected).split(' ')[n] ?? statuses[n] ?? 0);
    const isClosed = state === 'coming' && cell === 200 && (isFact || !['look', 'search'].includes(column));
    // Such a token is its account's, and opens no page of what that holds.
    const isTaker = state === 'back' && /^install token(?! that)/.test(credential);
    const status = isClosed || (isTaker && column === 'search') ? 404 : cell;
    for (const ending of endings.length === 0 ? [''] : endings) {
      const name = `${state}${ending}`;
      const label = `${name} -> ${status}`;
      const answer = await knock(method, pattern, name, credential);
      expect(`${name} -> ${answer.status}`).toBe(label);
      if (status >= 400) expectRefusal(answer);
      if (isClosed) expect(JSON.parse(answer.body)).toMatchObject({ code: 'NO_CONTENT' });
      if (method === 'GET') {
        const head = await knock('HEAD', pattern, name, credential);
        expect(`${name} -> ${head.status}`).toBe(label);
        expect(head.body).toBe('');
      }
      if ((column === 'install' || column === 'zip') && status === 200 && !pattern.includes('/proof'))
        seen.downloads++;
      if (column === 'ask' && status === 200) seen.answered++;
      if (column === 'ask' && status > 401 && !answer.body.includes('"NOT_FOUND"')) seen.refused++;
    }
  }
});

test.each(['draft', 'private', 'archived'])(
  'no route tells by a former slug what a %s item is called',
  async (status) => {
    const other = await openStall({
      files: {
        'books/secret-plan/item.yaml': itemYaml({ id: 'plan-id', status, formerly: 'old-name' }),
        'books/secret-plan/01.md': '# Plan\n',
        'skills/secret-tool/item.yaml': itemYaml({ status, formerly: 'old-tool' }),
        'skills/secret-tool/SKILL.md': skillMd('secret-tool'),
      },
    });
    const { key } = await other.reader('reader@example.org');
    const paths = Object.keys(ROUTES)
      .filter((row) => row.startsWith('GET') && /:(slug|id)/.test(row))
      .map((row) => row.slice('GET '.length))
      .concat(
        '/books/:slug',
        '/books/:slug/read',
        '/books/:slug/print',
        '/books/:slug/files/01.md',
        '/books/:slug/llms.txt',
      )
      .concat(
        '/git/:slug.git/info/refs?service=git-upload-pack',
        '/skills/:slug/.well-known/agent-skills/index.json',
      );
    for (const path of paths)
      for (const name of ['old-name', 'old-tool', 'plan-id']) {
        const answer = await other.fetch(path.replace(/:(slug|id)/, name), {
          headers: { Authorization: `Bearer ${key}` },
        });
        expect([path, answer.status >= 400, /secret-/.test(await answer.text())]).toEqual([
          path,
          true,
          false,
        ]);
      }
  },
);

test('each archive handed out has one download row, and each question that named a book which is there for its sender one fetch-log row', async () => {
  const { logs } = stall.app.admin;
  await until(async () => logs.downloads(null, null).length >= seen.downloads);
  expect(seen.downloads).toBeGreaterThan(40);
  expect(logs.downloads(null, null)).toHaveLength(seen.downloads);
  const outcomes = Map.groupBy(logs.fetches(null, null), ({ outcome }) => outcome);
  expect(Object.fromEntries([...outcomes].map(([outcome, rows]) => [outcome, rows.length]))).toEqual({
    quoted: seen.answered,
    refused: seen.refused,
  });
});

/** A paid book and skill. */
function itemsNamed(state: string, more: Parameters<typeof itemYaml>[0] = {}): Files {
  return {
    [`books/${state}-book/item.yaml`]: itemYaml({ id: `${state}-id`, unitAmountCents: 1900, ...more }),
    [`books/${state}-book/01.md`]:
      '# The heron\n\nThe grey heron stands on one leg because the water is cold.\n',
    [`skills/${state}-skill/item.yaml`]: itemYaml({ unitAmountCents: 1900, ...more }),
    [`skills/${state}-skill/SKILL.md`]: skillMd(`${state}-skill`),
  };
}

/** Makes drafts with other files of the sold items, announces others again, and renames the old ones: they have other slugs from now on. */
async function changeStates(): Promise<void> {
  const { content } = stall;
  renameSync(join(content, 'books/old-book'), join(content, 'books/new-book'));
  rmSync(join(content, 'skills/old-skill'), { recursive: true });
  writeFiles(content, {
    'books/sold-book/item.yaml': itemYaml({ id: 'sold-id', unitAmountCents: 1900, status: 'draft' }),
    'books/sold-book/01.md': '# A heron that nobody has seen yet\n',
    'skills/sold-skill/item.yaml': itemYaml({ unitAmountCents: 1900, status: 'draft' }),
    'books/back-book/item.yaml': itemYaml({ id: 'back-id', unitAmountCents: 1900, status: 'announced' }),
    'books/back-book/01.md': '# A heron that is coming\n',
    'skills/back-skill/item.yaml': itemYaml({ unitAmountCents: 1900, status: 'announced' }),
    'skills/new-skill/item.yaml': itemYaml({ unitAmountCents: 1900, formerly: 'old-skill' }),
    'skills/new-skill/SKILL.md': skillMd('new-skill'),
  });
  signAll('sold', 'new', 'back');
  await stall.app.publish();
}

/** A refusal is JSON with a code, and holds no byte of the item. */
function expectRefusal({ status, headers, body }: Awaited<ReturnType<typeof knock>>): void {
  expect(headers['content-type']).toBe('application/json');
  expect(differences(ANSWERS.failure, JSON.parse(body))).toEqual([]);
  expect(body).not.toMatch(/heron|echo run|Do it well/);
  expect(headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
}

async function knock(method: string, pattern: string, name: string, credential: Credential) {
  const path = pattern.replace(/:(slug|id)/, name);
  const more = `${path.includes('?') ? '&' : '?'}q=${headerLines['in the query'][0]}`;
  const target = credential === 'in the query' ? path + more : path;
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
  const { accounts, grants, keys } = stall.app.admin;
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
  await joinTeams([good, disabled, lost], late, early);
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
    ...(await prepareTokens(good)),
    ...(await prepareSessions(good, ungranted, lineOf(revoked.key))),
  };
}

/** The grants of the items of a team: its group's, until somebody leaves it, and those of groups whose grants end or begin. */
async function joinTeams(team: readonly Reader[], late: Reader, early: Reader): Promise<void> {
  const { groups } = stall.app.admin;
  const items = ['team-book', 'team-skill'];
  for (const [name, members, dates] of [
    ['team', team, {}],
    ['late', [late], { from: '2020-01-01T00:00:00Z', until: '2021-01-01T00:00:00Z' }],
    ['early', [early], { from: '2999-01-01T00:00:00Z' }],
  ] as const) {
    await groups.add(name);
    await groups.grant(name, items, dates);
    await groups.join(
      name,
      members.map(({ email }) => email),
    );
  }
  await groups.leave('team', ['lost@example.org']);
}

async function prepareTokens({ email }: Reader) {
  const { tokens } = stall.app.admin;
  const create = async (reads: boolean) =>
    (await tokens.create(email, { name: 'link', slugs: [], reads, term: 'never' })).token;
  const [token, reading] = [await create(false), await create(true)];
  return {
    'install token': [`Authorization: Bearer ${token}`],
    'install token that also reads': [`Authorization: Bearer ${reading}`],
    'install token as Basic': [`Authorization: Basic ${btoa(`any:${token}`)}`],
    'install token, good session': [
      `Authorization: Bearer ${token}`,
      `Cookie: ${(await stall.signIn(email)).Cookie}`,
    ],
  };
}

/** The same for sessions: a bad one counts as none, and a key decides if one is sent. */
async function prepareSessions(good: Reader, ungranted: Reader, badKey: string) {
  const { accounts } = stall.app.admin;
  const cookieOf = async ({ email }: { readonly email: string }) =>
    `Cookie: ${(await stall.signIn(email)).Cookie}`;
  const [expired, stale] = [await cookieOf(good), await cookieOf(good)];
  const database = new Database(join(stall.data, 'bookstall.db'));
  database.run('UPDATE sessions SET expires_at = ? WHERE id = ?', [time, expired.replace(/^.*=|\..*$/g, '')]);
  database.close();
  time += 30 * DAY;
  const [ended, session, other] = [await cookieOf(good), await cookieOf(good), await cookieOf(ungranted)];
  await endSession(stall.app.stall, good.account.id, ended.replace(/^.*=|\..*$/g, ''));
  const disabled = await stall.reader('closed@example.org', ...EVERY);
  await stall.app.admin.groups.join('team', [disabled.email]);
  const closed = await cookieOf(disabled);
  await accounts.disable(disabled.email);
  return {
    'forged session': [session.replace(/\..*$/, other.replace(/^[^.]*/, ''))],
    'stale session': [stale],
    'expired session': [expired],
    'ended session': [ended],
    'session of a disabled account': [closed],
    'two sessions': [`${session}; ${other.slice('Cookie: '.length)}`],
    'session without a grant': [other],
    'good session': [session],
    'good session, bad key': [session, badKey],
  };
}

type Reader = Awaited<ReturnType<typeof stall.reader>>;
