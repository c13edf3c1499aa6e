import { expect, test } from 'bun:test';
import { OPENAPI } from '../../src/agents/openapi.ts';
import { itemYaml, openStall } from '../helpers/harness.ts';

const stall = await openStall();
const reader = await stall.reader('a@example.org', 'paid-book', 'archived-book');

/** Routes for people, for git, for links, and the second name of well-known skills are not described. */
const OTHERS =
  /^(?!\/api\/|\/livez|\/readyz|\/openapi\.json|\/llms\.txt|\/marketplace\.json|.*\/llms\.txt$|.*\/\.well-known\/agent-skills\/:file$)|^\/i\//;

test('the document has every route for programs, with its method and parameters, and no other', () => {
  const served = stall.app.server.routes
    .filter(({ path }) => !OTHERS.test(path))
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`);
  const described = Object.entries(OPENAPI.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  );
  expect(described.toSorted()).toEqual(served.toSorted());
  for (const [path, operations] of Object.entries(OPENAPI.paths))
    for (const { parameters } of Object.values(operations)) {
      const named = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
      expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
    }
});

test('it is served with this stall as its server, for pages of other sites too', async () => {
  const answer = await stall.fetch('/openapi.json');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const document = (await answer.json()) as { openapi: string; servers: unknown };
  expect([document.openapi, document.servers]).toEqual(['3.1.1', [{ url: stall.url }]]);
});

test('what needs no key in the document is answered without one, and what needs one is not', async () => {
  const names: Readonly<Record<string, string>> = { slug: 'paid-skill', id: 'paid-id', file: 'index.json' };
  for (const [path, operations] of Object.entries(OPENAPI.paths))
    for (const [method, { security, responses }] of Object.entries(operations)) {
      const target = path.replace(/\{(\w+)\}/g, (_, name: string) =>
        path.startsWith('/books/{slug}') && name === 'slug' ? 'paid-book' : names[name]!,
      );
      const { status, headers } = await stall.fetch(target, { method });
      const isOpen = security.length === 1 && Object.keys(security[0]!).length === 0;
      const [type] = headers.get('content-type')?.split(';') ?? [];
      if (isOpen) expect([path, status, type]).toEqual([path, 200, Object.keys(responses[200]!.content)[0]]);
      if (!security.some((one) => Object.keys(one).length === 0)) expect([path, status]).toEqual([path, 401]);
    }
});

test('llms.txt lists free items alone; a book lists its texts, which can be had', async () => {
  const text = await (await stall.fetch('/llms.txt')).text();
  expect(text).toStartWith('# ');
  expect(text).toContain(`- [The free book](${stall.url}/books/free-book/llms.txt): A description`);
  expect(text).not.toMatch(/paid-book|draft|archived|all paths/);
  for (const door of ['mcp', 'marketplace.json', '.well-known/agent-skills/index.json', 'opds', 'connect'])
    expect(text).toContain(`${stall.url}/${door}`);
  for (const [, url = ''] of text.matchAll(/\]\((\S+?)\)/g)) expect((await fetch(url)).status).toBe(200);
  const book = await (await stall.fetch('/books/free-book/llms.txt')).text();
  expect(book).toContain(`- [The heron](${stall.url}/books/free-book/files/01.md)`);
});

test.each([
  ['free-book', 200, 200],
  ['paid-book', 401, 200],
  ['archived-book', 404, 200],
  ['draft-book', 404, 404],
  ['free-skill', 404, 404],
])("a book's llms.txt needs its grant: %s %d, %d with one", async (slug, without, granted) => {
  const path = `/books/${slug}/llms.txt`;
  const [stranger, holder] = [await stall.fetch(path), await stall.fetch(path, { headers: reader.headers })];
  expect([stranger.status, holder.status]).toEqual([without, granted]);
  const isShared = (answer: Response) => answer.headers.get('cache-control')?.includes('public') ?? false;
  expect([isShared(stranger), isShared(holder)]).toEqual([slug === 'free-book', slug === 'free-book']);
  const { token } = await stall.app.admin.tokens.create(reader.email, {
    name: 'x',
    slugs: [],
    reads: false,
    term: 'never',
  });
  const taking = await stall.fetch(path, { headers: { Authorization: `Bearer ${token}` } });
  expect(taking.status).toBe(without);
});

test('hostile titles and paths are text', async () => {
  const hostile = await openStall({
    files: {
      'books/trap/item.yaml': itemYaml({ id: 'trap', title: JSON.stringify('[x](javascript:1) <b>`') }),
      'books/trap/a (b) c.md': '# ](https://evil.example) [x\n',
    },
  });
  const text = `${await (await hostile.fetch('/llms.txt')).text()}${await (await hostile.fetch('/books/trap/llms.txt')).text()}`;
  expect(text).not.toMatch(/\]\(javascript|\]\(https:\/\/evil|<b>/);
  expect(text).toContain('/books/trap/files/a%20%28b%29%20c.md)');
});
