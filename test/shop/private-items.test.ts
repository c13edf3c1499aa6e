import { expect, test } from 'bun:test';
import { itemYaml, openStall, SHELF, skillMd, takeData, until, writeFiles } from '../helpers/harness.ts';
import { ROUTES } from '../platform/http/routes.ts';

const SECRET = { unitAmountCents: 0, status: 'private' };
const stall = await openStall({
  files: {
    ...SHELF,
    'stall.yaml':
      'featured: [quokka-plan]\nbundles: [{slug: pair, title: Pair, items: [paid-book, quokka-plan], unitAmountCents: 900}]\n',
    'books/quokka-plan/item.yaml': itemYaml({
      id: 'quokka-id',
      title: 'Quokka strategy',
      formerly: 'old-quokka',
      ...SECRET,
    }),
    'books/quokka-plan/01.md':
      '# Quokka chapter\n\nThe quokka sleeps under the low bush in the heat of the day.\n',
    'skills/quokka-tool/item.yaml': itemYaml({
      title: 'Quokka tool',
      formerly: 'old-quokka-tool',
      ...SECRET,
    }),
    'skills/quokka-tool/SKILL.md': skillMd('quokka-tool'),
  },
});
const holder = await stall.reader('holder@example.org', 'quokka-plan', 'quokka-tool');
const other = await stall.reader('other@example.org', 'paid-book', 'paid-skill');
const otherToken = (
  await stall.app.admin.tokens.create(other.email, { name: 'link', slugs: [], reads: true, term: 'never' })
).token;
const VISITORS: Readonly<Record<string, RequestInit>> = {
  nobody: {},
  'a holder of something else': { headers: other.headers },
  'a member who holds something else': { headers: await stall.signIn(other.email) },
  'a link of something else': { headers: { Authorization: `Bearer ${otherToken}` } },
};

const PATHS = Object.entries(ROUTES)
  .filter(([route]) => route.startsWith('GET /') && !/^GET \/(admin|setup|i\/)/.test(route))
  .map(([route, [, , { path } = {}]]) => [route.slice('GET '.length), path ?? ''] as const);
const NAMED = PATHS.filter(([pattern]) => /:(slug|id|name)\b/.test(pattern)).map(([pattern]) => pattern);
const LISTS = [
  ...PATHS.filter(([pattern]) => !pattern.includes(':')).map(([pattern]) => pattern),
  ...['/?q=quokka', '/search?q=quokka', '/api/search?q=quokka', '/opds/search?q=quokka', '/?order=newest'],
  ...[
    '/.well-known/skills/index.json',
    '/.well-known/agent-skills/index.json',
    '/pages/quokka-plan',
    '/bundles/pair',
  ],
  `/i/${otherToken}/marketplace.json`,
  `/i/${otherToken}/.well-known/skills/index.json`,
];
/** Words that only a private item has; what was asked for may be said again. */
const WORDS = /quokka/i;

const bodyOf = async (path: string, asked: RequestInit, name: string) => {
  const answer = await stall.fetch(path, { redirect: 'manual', ...asked });
  const text = `${answer.status} ${answer.headers.get('location') ?? ''} ${await answer.text()}`;
  return text
    .replaceAll(name, 'NAME')
    .replaceAll(/"(?:fetchId|id)":"[^"]*"|svt_\w+|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
};

test.each(Object.entries(VISITORS))(
  'to %s a private item is a name that was never used',
  async (_, asked) => {
    let count = 0;
    for (const pattern of NAMED)
      for (const [name, unused] of [
        ['quokka-plan', 'nothing-plan'],
        ['old-quokka', 'old-nothing'],
        ['quokka-id', 'nothing-id'],
        ['quokka-tool', 'nothing-tool'],
      ] as const) {
        const at = (one: string) =>
          pattern
            .replace(/:(slug|id|name)\b/, one)
            .replace('*', '01.md')
            .replace(/:\w+/g, 'index.json');
        const [found, never] = [await bodyOf(at(name), asked, name), await bodyOf(at(unused), asked, unused)];
        expect([at(name), found]).toEqual([at(name), never]);
        count++;
      }
    expect(count).toBeGreaterThan(150);
  },
);

test.each(Object.entries(VISITORS))(
  'to %s no list, search or feed tells of a private item',
  async (_, asked) => {
    for (const path of LISTS) {
      const answer = await stall.fetch(path, { redirect: 'manual', ...asked });
      const text = (await answer.text()).replaceAll(/quokka(?=["&<”' ]|$)/g, '');
      expect([path, WORDS.exec(text)?.[0]]).toEqual([path, undefined]);
    }
    const home = await (await stall.fetch('/?order=newest', asked)).text();
    expect(new Set(home.match(/(?<=href=")\/(?:books|skills)\/[a-z-]+(?=")/g)).size).toBe(4);
  },
);

const JSON_BODY = { 'Content-Type': 'application/json' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const call = (id: number, name: string, given: object): RequestInit => ({
  method: 'POST',
  headers: { ...JSON_BODY, Accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } }),
});
const json = (given: object): RequestInit => ({
  method: 'POST',
  headers: JSON_BODY,
  body: JSON.stringify(given),
});
const form = (body: string): RequestInit => ({ method: 'POST', headers: FORM, body });

/** The requests that could leave a row about an item behind. */
const ACTS: Readonly<Record<string, (name: string) => readonly [path: string, asked: RequestInit]>> = {
  'a question of an agent': (name) => [
    '/api/agent/fetch',
    json({ book_id: name, query: 'Where does it sleep?' }),
  ],
  'a question on the page': (name) => [`/books/${name}/ask`, form('question=Where+does+it+sleep')],
  'a question over MCP': (name) => ['/mcp', call(1, 'ask_book', { book: name, question: 'Where?' })],
  'a chapter over MCP': (name) => ['/mcp', call(2, 'read_chapter', { item: name, path: '01.md' })],
  'a search over MCP': (name) => ['/mcp', call(3, 'search_texts', { query: 'low bush', book: name })],
  'a note of an agent': (name) => [
    `/api/books/${name}/notes`,
    json({ path: '01.md', start: 2, end: 9, text: 'low' }),
  ],
  'a note on the page': (name) => [`/books/${name}/notes`, form('path=01.md&start=2&end=9')],
  'a report': (name) => [`/books/${name}/reports`, form('question=Where+does+it+sleep')],
  'a place': (name) => [
    '/dashboard/place',
    form(`page=${encodeURIComponent(`/books/${name}/read/01.md`)}&part=1&block=1&age=0`),
  ],
  'a claim': (name) => [`/claim/yours?items=${name}`, {}],
  'a link': (name) => ['/dashboard/connect/create', form(`name=x&item=${name}&expires=30`)],
  ...Object.fromEntries(
    NAMED.map((pattern) => [
      pattern,
      (name: string) => [
        pattern
          .replace(/:(slug|id|name)\b/, name)
          .replace('*', '01.md')
          .replace(/:\w+/g, 'index.json'),
        {},
      ],
    ]),
  ),
};

/** The pages and files with an account's own history. */
const OWN = {
  'own log': '/dashboard/downloads',
  'own log, as a table': '/dashboard/downloads.csv',
  'own history of questions': '/dashboard/logs',
  'own history of questions, as a table': '/dashboard/logs.csv',
  'own export': '/dashboard/account/data',
  'own notes': '/dashboard/notes',
  'own library': '/dashboard',
  'own links': '/dashboard/connect',
} as const;

/** Tries every act under these names in each way that an account has, and returns what it may read of that. */
async function tryAll(email: string, names: readonly string[]) {
  const one = await stall.reader(email, 'paid-book');
  const session = { ...(await stall.signIn(email)), 'Sec-Fetch-Site': 'same-origin' };
  const link = await stall.app.admin.tokens.create(email, {
    ...{ name: 'link', slugs: [], reads: true, term: 'never' },
  });
  const answers: string[] = [];
  for (const name of names)
    for (const [act, ask] of Object.entries(ACTS))
      for (const credential of [one.headers, session, { Authorization: `Bearer ${link.token}` }]) {
        const [path, asked] = ask(name);
        const headers = { ...asked.headers, ...credential } as Record<string, string>;
        const answer = await stall.fetch(path, { ...asked, headers, redirect: 'manual' });
        answers.push(`${act} ${answer.status}`);
        await answer.bytes();
      }
  const own = async (path: string): Promise<string> =>
    (
      await (
        await stall.fetch(path, path.endsWith('/data') ? takeData(session) : { headers: session })
      ).text()
    )
      .replaceAll(email, 'EMAIL')
      .replaceAll(/data-reader="\w+"/g, '')
      .replaceAll(new RegExp(names.join('|'), 'g'), 'NAME')
      .replaceAll(
        /[0-9a-f]{8}-[0-9a-f-]{27}|\bsv[a-z]_\w+|\d{4}-\d\d-\d\d[T ][\d:.]+Z?|\b\d{13}\b|(?<="(?:key_)?id":|\/connect\/)\d+/g,
        'X',
      );
  return { answers, own };
}

const tried = [
  await tryAll('prober-1@example.org', ['quokka-plan', 'old-quokka', 'quokka-id', 'quokka-tool']),
  await tryAll('prober-2@example.org', ['nothing-plan', 'old-nothing', 'nothing-id', 'nothing-tool']),
] as const;

test('whatever an account tries, a private item answers as a name that was never used', () => {
  const [found, never] = tried;
  expect(found.answers).toEqual(never.answers);
  expect(found.answers.length).toBeGreaterThan(500);
});

test.each(Object.entries(OWN))('%s does not tell a private item from a name never used', async (_, path) => {
  const [found, never] = await Promise.all(tried.map(({ own }) => own(path)));
  expect(found).toBe(never);
  expect(found).not.toMatch(WORDS);
});

test('its holder has it in every list, and its page says that it is private', async () => {
  const session = { headers: await stall.signIn(holder.email) };
  const key = { headers: holder.headers };
  for (const [path, asked] of [
    ['/', session],
    ['/search?q=quokka', session],
    ['/dashboard', session],
    ['/opds/all', key],
    ['/opds/search?q=quokka', key],
    ['/marketplace.json', key],
    ['/api/cli/library', key],
    ['/api/holdings', key],
    ['/api/search?q=quokka', key],
  ] as const)
    expect([path, WORDS.test(await (await stall.fetch(path, asked)).text())]).toEqual([path, true]);
  const page = await (await stall.fetch('/books/quokka-plan', session)).text();
  expect(page).toContain('Private: only people who were given this item see it.');
  expect(page).not.toMatch(/class="price">Free|Buy/);
  const { items } = (await (await stall.fetch('/api/cli/library', key)).json()) as {
    items: { slug: string; isFree: boolean }[];
  };
  expect(items.map((one) => [one.slug, one.isFree])).toEqual([
    ['quokka-plan', false],
    ['quokka-tool', false],
  ]);
});

test('a group gives and takes at the next request', async () => {
  const { groups, grants, accounts } = stall.app.admin;
  const [ann, ben] = [await stall.reader('ann@example.org'), await stall.reader('ben@example.org')];
  const status = async ({ headers }: { headers: Record<string, string> }) =>
    (await stall.fetch('/api/install/quokka-tool', { headers })).status;
  await groups.add('reviewers');
  await groups.join('reviewers', [ann.email, ben.email]);
  expect([await status(ann), await status(ben)]).toEqual([404, 404]);
  await groups.grant('reviewers', ['quokka-tool', 'quokka-plan'], {});
  expect([await status(ann), await status(ben)]).toEqual([200, 200]);
  expect(grants.list(ann.email).map(({ source, slug }) => `${source} ${slug}`)).toEqual([
    '@reviewers quokka-plan',
    '@reviewers quokka-tool',
  ]);
  expect(await grants.revoke(ann.email, 'quokka-tool', null)).toBe(0);
  expect(await status(ann)).toBe(200);
  await groups.leave('reviewers', [ann.email]);
  await accounts.disable(ben.email);
  expect([await status(ann), await status(ben)]).toEqual([404, 404]);
  await accounts.enable(ben.email);
  expect(await status(ben)).toBe(200);
  await groups.revoke('reviewers', 'quokka-tool');
  expect(await status(ben)).toBe(404);
  await groups.remove('reviewers');
  expect(stall.app.stall.store.listAuditEntries(1e9, 1)).toMatchObject([
    { action: 'group.remove', subject: '@reviewers', details: { members: 1, items: 1 } },
  ]);
  await expect((await stall.fetch('/api/holdings', { headers: ben.headers })).json()).resolves.toMatchObject({
    items: [],
  });
});

test('who lost a private item learns no later name of it from what they downloaded', async () => {
  const { groups } = stall.app.admin;
  const cara = await stall.reader('cara@example.org');
  await groups.add('once');
  await groups.join('once', [cara.email]);
  await groups.grant('once', ['quokka-tool'], {});
  await (await stall.fetch('/api/install/quokka-tool', { headers: cara.headers })).bytes();
  const session = { headers: await stall.signIn(cara.email) };
  const log = async () => (await stall.fetch('/dashboard/downloads', session)).text();
  await until(async () => (await log()).includes('Quokka tool'));
  await groups.remove('once');
  expect(await log()).not.toContain('Quokka tool');
});

test('everyone is each enabled account, later ones too, and those who made their own once they confirmed it', async () => {
  const { groups, accounts } = stall.app.admin;
  await groups.grant('everyone', ['quokka-plan'], {});
  const late = await stall.reader('late@example.org');
  const page = async (headers: Record<string, string>) =>
    (await stall.fetch('/books/quokka-plan', { headers })).status;
  expect(await page(await stall.signIn(late.email))).toBe(200);
  const { store } = stall.app.stall;
  const strange = { id: crypto.randomUUID(), email: 'strange@example.org' };
  await store.write.addAccount({
    ...strange,
    isOwner: false,
    createdAt: 1,
    verifiedAt: null,
    disabledAt: null,
  });
  const signedIn = await stall.signIn(strange.email);
  const isThere = () => store.findGrants(strange.id, 'book', 'quokka-id').length;
  expect([isThere(), await page(signedIn)]).toEqual([1, 200]); // The link by which it signed in proved its address.
  await accounts.disable(late.email);
  expect(store.findGrants(late.account.id, 'book', 'quokka-id')).toEqual([]);
  await groups.revoke('everyone', 'quokka-plan');
  expect(await page(signedIn)).toBe(404);
  for (const act of [groups.remove('everyone'), groups.join('everyone', [late.email])])
    await expect(act).rejects.toThrow('every enabled account');
});

test('an edition that was only ever private stays closed when the item opens', async () => {
  const { digest } = stall.app.stall.catalog().bySlug.get('quokka-tool')!;
  writeFiles(stall.content, {
    'skills/quokka-tool/item.yaml': itemYaml({ title: 'Quokka tool', unitAmountCents: 0 }),
    'skills/quokka-tool/NEW.md': 'Open now.\n',
  });
  await stall.app.publish();
  await until(async () => (await stall.fetch('/api/install/quokka-tool')).status === 200);
  const earlier = await stall.fetch(`/api/install/quokka-tool?edition=sha256:${digest}`);
  expect([404, 401]).toContain(earlier.status);
});
