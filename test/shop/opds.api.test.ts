import { expect, test } from 'bun:test';
import OPDSParser, { type AcquisitionFeed, type NavigationFeed } from 'opds-feed-parser';
import { itemYaml, openStall, SHELF, until } from '../helpers/harness.ts';

const PNG = await new Bun.Image(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
)
  .resize(600, 900)
  .png()
  .bytes();

const stall = await openStall({
  files: {
    ...SHELF,
    'stall.yaml': 'name: "Marsh & <Co>"\n',
    'books/rich/item.yaml': itemYaml({
      id: 'rich',
      title: '"A <b> & \\"c\\""',
      unitAmountCents: 1950,
      currency: 'eur',
      language: 'de',
      authors: '[Ada, Grace]',
      license: 'MIT',
      tags: '[birds]',
      version: '2.0.0',
      cover: 'cover.png',
      formats: '[rich.pdf]',
    }),
    'books/rich/01.md': '# One\n',
    'books/rich/rich.pdf': '%PDF-1.7\n',
    'books/rich/cover.png': PNG,
    'books/webp/item.yaml': itemYaml({ id: 'webp', cover: 'cover.webp' }),
    'books/webp/01.md': '# One\n',
    'books/webp/cover.webp': await new Bun.Image(PNG).webp().bytes(),
  },
});
const holder = await stall.reader('holder@example.org', 'rich', 'archived-book', 'paid-skill');
const stranger = await stall.reader('stranger@example.org');
const basic = (key: string, name = 'any: name'.replace(':', '')) => ({
  Authorization: `Basic ${Buffer.from(`${name}:${key}`).toString('base64')}`,
});
const held = basic(holder.key);

type Link = { '@rel': string; '@href': string; '@type': string; 'opds:price'?: unknown };
type Entry = { id: string; title: string; updated: string; author?: unknown; link: Link[] } & Record<
  string,
  unknown
>;
type Feed = {
  id: string;
  title: string;
  updated: string;
  author: { name: string };
  link: Link[];
  entry: Entry[];
} & Record<string, unknown>;

const listOf = <T>(value: T | readonly T[] | undefined): T[] =>
  value === undefined ? [] : Array.isArray(value) ? [...value] : [value as T];

async function read(path: string, headers: Record<string, string> = {}) {
  const answer = await stall.fetch(path, { headers });
  const xml = await answer.text();
  expect([path, answer.status]).toEqual([path, 200]);
  const { feed } = Bun.XML.parse(xml) as { feed: Feed };
  return { answer, xml, feed: { ...feed, link: listOf(feed.link), entry: listOf(feed.entry) } };
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const linkOf = (links: readonly Link[], rel: string): Link | undefined =>
  links.find((link) => link['@rel'] === rel);

test.each([
  ['/opds', 'navigation', {}],
  ['/opds/all', 'acquisition', {}],
  ['/opds/free', 'acquisition', {}],
  ['/opds/newest', 'acquisition', {}],
  ['/opds/search?q=heron', 'acquisition', {}],
  ['/opds/library', 'acquisition', held],
  ['/opds/search?q=nothing-has-this', 'acquisition', {}],
])('%s has every element that Atom and OPDS 1.2 ask of a feed of %s', async (path, kind, headers) => {
  const { answer, xml, feed } = await read(path, headers);
  expect(answer.headers.get('content-type')).toBe(
    `application/atom+xml;profile=opds-catalog;kind=${kind};charset=utf-8`,
  );
  expect(xml).toStartWith(
    '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"',
  );
  // RFC 4287 §4.1.1: id, title and updated once, and an author; OPDS 1.2 §2: self and start.
  expect(feed.id).toStartWith(stall.url);
  expect(feed.title).toStartWith('Marsh & <Co>');
  expect(feed.updated).toMatch(INSTANT);
  expect(feed.author.name).toBe('Marsh & <Co>');
  expect(linkOf(feed.link, 'self')?.['@href']).toBe(stall.url + path);
  expect(linkOf(feed.link, 'self')?.['@type']).toContain(`kind=${kind}`);
  expect(linkOf(feed.link, 'start')).toMatchObject({
    '@href': `${stall.url}/opds`,
    '@type': 'application/atom+xml;profile=opds-catalog;kind=navigation',
  });
  expect(linkOf(feed.link, 'search')).toMatchObject({
    '@href': `${stall.url}/opds/opensearch.xml`,
    '@type': 'application/opensearchdescription+xml',
  });
  expect(new Set(feed.entry.map(({ id }) => id)).size).toBe(feed.entry.length);
  for (const entry of feed.entry) {
    // RFC 4287 §4.1.2, OPDS 1.2 §3 and §5.
    expect(entry.id).toMatch(kind === 'navigation' ? /^http/ : /^urn:uuid:[0-9a-f-]{36}$/);
    expect(entry.title).not.toBe('');
    expect(entry.updated).toMatch(INSTANT);
    const links = listOf(entry.link);
    for (const link of links) {
      expect(link['@href']).toStartWith(stall.url);
      expect(link['@type']).toMatch(/^[a-z]+\/[a-z0-9.+-]+(?:;.*)?$/);
    }
    if (kind === 'navigation') {
      expect(entry['content']).toBeDefined();
      expect(links.map((link) => link['@type'])).toEqual([
        'application/atom+xml;profile=opds-catalog;kind=acquisition',
      ]);
      continue;
    }
    expect(entry.author).toBeDefined();
    expect(entry['dc:publisher']).toBeDefined();
    expect(links.some((link) => link['@rel'].startsWith('http://opds-spec.org/acquisition'))).toBeTrue();
    for (const rel of ['http://opds-spec.org/image', 'http://opds-spec.org/image/thumbnail'])
      expect(linkOf(links, rel)?.['@type']).toMatch(/^image\/(?:png|jpeg|gif)$/);
  }
});

const entryOf = (feed: { entry: Entry[] }, title: string): Entry =>
  feed.entry.find((entry) => entry.title === title)!;
const TITLE = 'A <b> & "c"';

test('an entry tells all of an item, and who may not have it where to buy it', async () => {
  const entry = entryOf((await read('/opds/all')).feed, TITLE);
  expect(entry).toMatchObject({
    author: [{ name: 'Ada' }, { name: 'Grace' }],
    'dc:language': 'de',
    'dc:publisher': 'A publisher',
    rights: 'MIT',
    summary: expect.objectContaining({ '#text': 'A description' }) as unknown,
  });
  expect(listOf(entry['category'] as { '@term': string }).map((one) => one['@term'])).toEqual([
    'book',
    'birds',
  ]);
  const links = listOf(entry.link);
  expect(linkOf(links, 'http://opds-spec.org/acquisition/buy')).toEqual({
    '@rel': 'http://opds-spec.org/acquisition/buy',
    '@href': `${stall.url}/books/rich`,
    '@type': 'text/html',
    'opds:price': { '@currencycode': 'EUR', '#text': '19.50' },
    'opds:indirectAcquisition': { '@type': 'application/epub+zip' },
  } as never);
  expect(links.filter((link) => link['@rel'].startsWith('http://opds-spec.org/acquisition'))).toHaveLength(1);
});

test('a holder has the files of it, in every list', async () => {
  for (const path of ['/opds/all', '/opds/newest', '/opds/search?q=birds', '/opds/library']) {
    const entry = entryOf((await read(path, held)).feed, TITLE);
    const ways = listOf(entry.link).filter((link) =>
      link['@rel'].startsWith('http://opds-spec.org/acquisition'),
    );
    expect(ways.map((link) => [link['@rel'], link['@href'].slice(stall.url.length), link['@type']])).toEqual([
      ['http://opds-spec.org/acquisition', '/opds/books/rich.epub', 'application/epub+zip'],
      ['http://opds-spec.org/acquisition', '/opds/books/rich/files/rich.pdf', 'application/pdf'],
      ['http://opds-spec.org/acquisition', '/opds/books/rich.tar.gz', 'application/gzip'],
    ]);
  }
});

const titlesIn = async (path: string, headers = {}): Promise<string[]> =>
  (await read(path, headers)).feed.entry.map(({ title }) => title).toSorted();

test('each list has its items: no draft, archived ones for their holders alone', async () => {
  expect(await titlesIn('/opds/all')).toEqual(
    ['A title', TITLE, 'The free book', 'The free skill', 'The paid book', 'The paid skill'].toSorted(),
  );
  expect(await titlesIn('/opds/free')).toEqual(['A title', 'The free book', 'The free skill']);
  expect(await titlesIn('/opds/search?q=paid')).toEqual(['The paid book', 'The paid skill']);
  expect(await titlesIn('/opds/library', held)).toEqual([TITLE, 'The archived book', 'The paid skill']);
  expect(await titlesIn('/opds/library', basic(stranger.key))).toEqual([]);
});

test('another program’s parser reads what was meant', async () => {
  const parser = new OPDSParser();
  const root = (await parser.parse((await read('/opds')).xml)) as NavigationFeed;
  expect(root.entries.map(({ title }) => title)).toEqual(['Everything', 'Newest', 'Free', 'My library']);
  const all = (await parser.parse((await read('/opds/all', held)).xml)) as AcquisitionFeed;
  const entry = all.entries.find(({ title }) => title === TITLE)!;
  expect(entry.authors.map(({ name }) => name)).toEqual(['Ada', 'Grace']);
  expect(entry.links.map(({ href }) => href)).toContain(`${stall.url}/opds/books/rich.epub`);
  expect(all.links.find(({ rel }) => rel === 'search')?.href).toBe(`${stall.url}/opds/opensearch.xml`);
});

test('a search is described as OpenSearch 1.1 asks, and its words are text', async () => {
  const answer = await stall.fetch('/opds/opensearch.xml');
  const { OpenSearchDescription: description } = Bun.XML.parse(await answer.text()) as {
    OpenSearchDescription: {
      ShortName: string;
      Description: string;
      Url: { '@template': string; '@type': string };
    };
  };
  expect(description.ShortName.length).toBeLessThanOrEqual(16);
  expect(description.Description).not.toBe('');
  expect(description.Url['@template']).toBe(`${stall.url}/opds/search?q={searchTerms}&page={startPage?}`);
  const hostile = '"><script>&\u0000\u{1f98a}';
  const { feed } = await read(`/opds/search?q=${encodeURIComponent(hostile)}&page=`);
  expect(feed.entry).toEqual([]);
  expect(linkOf(feed.link, 'self')?.['@href']).toBe(
    `${stall.url}/opds/search?${new URLSearchParams({ q: hostile })}`,
  );
});

// Who asks, and the status for items that are free, paid and held, paid and not held, archived and held, archived, drafts.
const CREDENTIALS: Readonly<Record<string, readonly [Record<string, string>, string]>> = {
  nobody: [{}, '200 401 401 404 404 404'],
  'a wrong key': [basic('svc_wrong'), '200 401 401 404 404 404'],
  'a revoked key': [{}, '200 401 401 404 404 404'],
  'no password': [{ Authorization: `Basic ${btoa('name')}` }, '200 401 401 404 404 404'],
  'a session': [{}, '200 401 401 404 404 404'],
  'an install token': [{}, '200 401 401 404 404 404'],
  'another account’s key': [basic(stranger.key), '200 403 403 404 404 404'],
  'the holder’s key': [held, '200 200 403 200 404 404'],
  'the holder’s key, no name': [basic(holder.key, ''), '200 200 403 200 404 404'],
  'the holder’s key as Bearer': [holder.headers, '200 200 403 200 404 404'],
};
const revoked = await stall.reader('revoked@example.org', 'rich');
await stall.app.admin.keys.revoke(String(revoked.keyId));
const made = await stall.app.admin.tokens.create(holder.email, {
  name: 'a link',
  reads: true,
  term: { days: 1 },
  slugs: [],
});
const LATE: Readonly<Record<string, Record<string, string>>> = {
  'a revoked key': basic(revoked.key),
  'a session': await stall.signIn(holder.email),
  'an install token': basic(made.token),
};
const SLUGS = ['free-book', 'rich', 'paid-book', 'archived-book', 'archived-skill', 'draft-book'];

test.each(Object.entries(CREDENTIALS))(
  '%s has files as their item allows',
  async (name, [headers, expected]) => {
    for (const ending of ['.epub', '.tar.gz']) {
      const statuses = [];
      for (const slug of SLUGS) {
        const path =
          slug === 'archived-skill' ? `/opds/skills/${slug}.tar.gz` : `/opds/books/${slug}${ending}`;
        const answer = await stall.fetch(path, { headers: LATE[name] ?? headers });
        await answer.arrayBuffer();
        statuses.push(answer.status);
        expect(answer.headers.get('www-authenticate')).toBe(answer.status === 401 ? CHALLENGE : null);
      }
      expect(statuses.join(' ')).toBe(expected);
    }
    const library = await stall.fetch('/opds/library', { headers: LATE[name] ?? headers });
    expect(library.status).toBe(expected.includes('403') ? 200 : 401);
    expect(library.headers.get('www-authenticate')).toBe(library.status === 401 ? CHALLENGE : null);
    for (const open of ['/opds', '/opds/all', '/opds/opensearch.xml'])
      expect((await stall.fetch(open, { headers: LATE[name] ?? headers })).status).toBe(200);
  },
);

const CHALLENGE = `Basic realm="Bookstall ${new URL(stall.url).host}: any name, an API key as password", charset="UTF-8"`;

test('no route asks for a name and a password but those of e-readers and git', async () => {
  const paths = stall.app.server.routes
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path.replace(/:id/g, 'rich').replace(/:\w+/g, 'paid-book').replace('*', '01.md'));
  const asking = new Set<string>();
  for (const path of paths) {
    const answer = await stall.fetch(path, { headers: { Accept: 'text/html' }, redirect: 'manual' });
    await answer.body?.cancel();
    if (answer.headers.get('www-authenticate')?.startsWith('Basic') === true) asking.add(path);
  }
  expect([...asking].filter((path) => !/^\/(?:git|shelf\.git|opds)\b/.test(path))).toEqual([]);
  expect([...asking].some((path) => path.startsWith('/opds'))).toBeTrue();
});

test('covers are pictures that e-readers show', async () => {
  const shown = async (path: string, headers = {}) => {
    const answer = await stall.fetch(path, { headers });
    const bytes = await answer.bytes();
    const { format, width } = await new Bun.Image(bytes).metadata();
    return [answer.headers.get('content-type'), format, width];
  };
  expect(await shown('/opds/covers/rich')).toEqual(['image/png', 'png', 600]);
  expect(await shown('/opds/thumbnails/rich')).toEqual(['image/jpeg', 'jpeg', 480]);
  expect(await shown('/opds/covers/webp')).toEqual(['image/jpeg', 'jpeg', 480]);
  expect(await shown('/opds/covers/free-book')).toEqual(['image/png', 'png', 240]);
  expect(await shown('/opds/thumbnails/free-skill')).toEqual(['image/png', 'png', 300]);
  for (const path of ['/opds/covers/free-book', '/opds/all'])
    expect((await stall.fetch(path)).headers.get('vary')).toBe('Authorization');
  expect((await stall.fetch('/opds/covers/archived-book')).status).toBe(404);
  expect((await shown('/opds/covers/archived-book', held))[0]).toBe('image/png');
  expect((await stall.fetch('/opds/covers/draft-book', { headers: held })).status).toBe(404);
});

test('the same bytes and rows as elsewhere', async () => {
  const bytesOf = async (path: string, headers: Record<string, string>) =>
    Buffer.from(await (await stall.fetch(path, { headers })).arrayBuffer());
  const reader = await stall.reader('rows@example.org', 'rich');
  const own = basic(reader.key);
  expect(await bytesOf('/opds/books/rich.epub', own)).toEqual(
    await bytesOf('/api/books/rich/epub', reader.headers),
  );
  await bytesOf('/opds/books/rich/files/rich.pdf', own);
  await bytesOf('/opds/books/rich.tar.gz', own);
  const doors = async () =>
    stall.app.admin.logs
      .downloads('rows@example.org', null)
      .map(({ door }) => door)
      .toSorted();
  await until(async () => (await doors()).length >= 4);
  expect(await doors()).toEqual(['epub', 'epub', 'file', 'install']);
});

test('only formats are handed out below their item, and only under names that items have', async () => {
  for (const path of [
    '/opds/books/rich/files/01.md',
    '/opds/books/rich/files/..%2frich.pdf',
    '/opds/books/none.epub',
    '/opds/books/rich',
    '/opds/books/paid-skill.tar.gz',
    '/opds/skills/rich.tar.gz',
    '/opds/books/paid-skill.epub',
  ])
    expect([path, (await stall.fetch(path, { headers: held })).status]).toEqual([path, 404]);
});

test.each(['0', '-1', '1.5', 'x', '99999999999'])('page %s is refused', async (page) => {
  expect((await stall.fetch(`/opds/all?page=${page}`)).status).toBe(400);
});

test('lists have fifty items a page, each once, with links to the other pages', async () => {
  const many = await openStall({
    files: Object.fromEntries(
      Array.from({ length: 120 }, (_, n) => [
        [`books/b${n}/item.yaml`, itemYaml({ id: `b${n}`, title: `Book ${n}` })],
        [`books/b${n}/1.md`, '# One\n'],
      ]).flat(),
    ) as Record<string, string>,
  });
  const ids = new Set<string>();
  let path: string | undefined = '/opds/all';
  const sizes: number[] = [];
  while (path !== undefined) {
    const xml = await (await many.fetch(path)).text();
    const { feed } = Bun.XML.parse(xml) as { feed: Feed };
    expect(feed['opensearch:totalResults']).toBe('120');
    expect(feed['opensearch:itemsPerPage']).toBe('50');
    sizes.push(feed.entry.length);
    for (const { id } of feed.entry) ids.add(id);
    path = linkOf(feed.link, 'next')?.['@href'].slice(many.url.length);
  }
  expect(sizes).toEqual([50, 50, 20]);
  expect(ids.size).toBe(120);
});
