import { describe, expect, spyOn, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Files, itemYaml, openStall, SHELF, skillMd } from '../helpers/harness.ts';

const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)>"\'&';

const stall = await openStall({
  files: {
    ...SHELF,
    'stall.yaml': 'name: Heron & <Egret>\nlogo: logo.svg\n',
    'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'books/odd-book/item.yaml': itemYaml({
      id: 'odd-id',
      title: JSON.stringify(`Odd ${HOSTILE}`),
      publisher: JSON.stringify(HOSTILE),
      description: JSON.stringify('Über die Störche und 狐'),
      tags: JSON.stringify([HOSTILE, 'Birds']),
      language: 'de-AT',
      unitAmountCents: 1950,
    }),
    'books/odd-book/01.md': 'odd\n',
    'skills/cooking/item.yaml': itemYaml({ title: 'Cooking', tags: '[birds]', language: 'en' }),
    'skills/cooking/SKILL.md': skillMd('cooking'),
  },
});
const owner = await stall.app.admin.accounts.add('owner@example.org', true);
await stall.reader('reader@example.org', 'archived-book');
await stall.reader('other@example.org');
const cookies = {
  nobody: {},
  reader: await stall.signIn('reader@example.org'),
  other: await stall.signIn('other@example.org'),
  owner: await stall.signIn(owner.email),
};

const pageOf = async (path: string, headers = {}): Promise<string> =>
  (await stall.fetch(path, { headers })).text();

/** The slugs on the shelf, in order. */
const slugsOf = async (path: string): Promise<string[]> =>
  [...(await pageOf(path)).matchAll(/<h[23][^>]*><a href="\/(?:books|skills)\/([a-z-]+)"/g)].map(
    ([, slug = '']) => slug,
  );

describe('the window', () => {
  const ALL = ['odd-book', 'free-book', 'paid-book', 'cooking', 'free-skill', 'paid-skill'];

  test.each([
    ['/', ALL],
    ['/?q=&kind=&price=&tag=&language=', ALL],
    ['/?kind=book', ['odd-book', 'free-book', 'paid-book']],
    ['/?kind=skill&price=free', ['cooking', 'free-skill']],
    ['/?price=paid', ['odd-book', 'paid-book', 'paid-skill']],
    ['/?kind=shoe&price=high&page=-1&page=x', ALL],
    ['/?tag=birds', ['odd-book', 'cooking']],
    ['/?language=de', ['odd-book']],
    ['/?language=en', ['cooking']],
    ['/?q=uber+STORCHE', ['odd-book']],
    ['/?q=狐', ['odd-book']],
    ['/?q=free', ['free-book', 'free-skill']],
    ['/?q=book+paid', ['paid-book']],
    ['/?q=draft', []],
    ['/?q=archived', []],
    ['/?q=nothing', []],
    ['/?page=9', ALL],
  ])('%s shows %j', async (path, slugs) => {
    expect(await slugsOf(path)).toEqual(slugs);
  });

  test('has books and skills on shelves of their own, and titles in their language', async () => {
    const page = await pageOf('/');
    expect(page).toMatch(/odd-book[^]*<h2>Books<\/h2>[^]*free-book[^]*<h2>Skills<\/h2>[^]*cooking/);
    expect(page).toContain('<h2 lang="de-AT" dir="ltr"><a href="/books/odd-book"');
    expect(await pageOf('/?kind=book')).not.toContain('<h2>Books</h2>');
  });

  test('begins with the introduction of stall.yaml, rendered, and only on its first page', async () => {
    const { fetch } = await openStall({
      files: {
        ...SHELF,
        'stall.yaml': 'intro: "Books on **birds**. ![reeds](art/reeds.png) <script>alert(1)</script>"\n',
        'art/reeds.png': Uint8Array.of(1, 2),
      },
    });
    const first = await (await fetch('/')).text();
    expect(first).toMatch(/Books on <strong>birds<\/strong>[^]*<h2>Books<\/h2>/);
    expect(first).not.toContain('<script>');
    // News need a stall that sends mail.
    expect(first).not.toContain('action="/news"');
    expect(first).toContain('<meta name="description" content="Books on birds. ');
    expect(first).toContain('<meta property="og:description" content="Books on birds. ');
    expect(first).toMatch(/property="og:image" content="[^"]+\/assets\/preview-[^"]+\.png"/);
    const picture = await fetch(/alt="reeds" src="([^"]+)"/.exec(first)?.[1] ?? '/nowhere');
    expect([picture.headers.get('content-type'), await picture.bytes()]).toEqual([
      'image/png',
      Uint8Array.of(1, 2),
    ]);
    expect(await (await fetch('/?kind=book')).text()).not.toContain('Books on');
  });

  test('has filters and orders with more than twelve items, folded until one is chosen', async () => {
    const books = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [
          [`books/b-${n}/item.yaml`, itemYaml({ id: `b-${n}`, title: `B ${n}` })],
          [`books/b-${n}/01.md`, 'x\n'],
        ]).flat() as [string, string][],
      );
    const seen = async (count: number, path: string) => {
      const { fetch, close } = await openStall({ files: books(count) });
      const page = await (await fetch(path)).text();
      await close();
      return [
        'type="search"',
        '<details><summary>Filters',
        '<details open><summary>Filters',
        'Newest first',
      ].map((one) => page.includes(one));
    };
    expect(await seen(4, '/')).toEqual([false, false, false, false]);
    expect(await seen(12, '/')).toEqual([true, false, false, false]);
    expect(await seen(13, '/')).toEqual([true, true, false, true]);
    expect(await seen(2, '/?kind=book')).toEqual([true, false, true, true]);
  });

  test("of one item is that item's page, whose address it names", async () => {
    const { fetch } = await openStall({
      files: { 'books/lone/item.yaml': itemYaml({ id: 'lone', title: 'Alone' }), 'books/lone/01.md': 'x\n' },
    });
    const page = await (await fetch('/')).text();
    expect(page).toContain('<h1 dir="auto">Alone</h1>');
    expect(page).toMatch(/<link rel="canonical" href="[^"]*\/books\/lone"\/>/);
    expect(await (await fetch('/?q=alone')).text()).toContain('1 item found');
  });

  test('begins with one item large, and the buttons that fit who looks', async () => {
    const checkout = 'https://buy.stripe.com/x';
    const item = {
      id: 'first',
      title: 'First',
      unitAmountCents: 1900,
      checkoutUrl: checkout,
      sample: '[01.md]',
    };
    const { fetch, reader, signIn } = await openStall({
      files: {
        ...SHELF,
        'stall.yaml': 'featured: [first]\n',
        'books/first/item.yaml': itemYaml(item),
        'books/first/01.md': '# A\n',
        'books/first/02.md': '# B\n',
      },
    });
    await reader('new@example.org');
    await reader('holder@example.org', 'first');
    const looks: [headers: Record<string, string>, has: string[], hasNot: string[]][] = [
      [{}, ['$19', `href="${checkout}"`, 'Read a sample'], ['Download EPUB']],
      [
        await signIn('new@example.org'),
        [`href="${checkout}?prefilled_email=new%40example.org"`],
        ['Download EPUB'],
      ],
      [await signIn('holder@example.org'), ['/books/first/read">Read<', 'Download EPUB'], [checkout]],
    ];
    for (const [headers, has, hasNot] of looks) {
      const page = await (await fetch('/', { headers })).text();
      const [lead = ''] = /<article class="lead-item">[^]*<\/article>/.exec(page) ?? [];
      for (const part of ['<a href="/books/first">First</a>', ...has]) expect(lead).toContain(part);
      for (const part of hasNot) expect(lead).not.toContain(part);
    }
  });

  test('without a match says so, and links back', async () => {
    const page = await pageOf('/?q=nothing');
    expect(page).toContain('No items match');
    expect(page).toContain('value="nothing"');
    expect(page).toContain('name="robots" content="noindex"');
  });

  test.each([
    '/',
    `/?q=${encodeURIComponent(HOSTILE)}`,
    `/?tag=${encodeURIComponent(HOSTILE)}`,
    `/?language=${encodeURIComponent(HOSTILE)}`,
  ])('%s shows hostile words as text', async (path) => {
    const page = await pageOf(path);
    expect(page).not.toMatch(/<script>|<img src=x|onerror=alert\(2\)>(?!&)/);
    expect(page).toContain('<h1>Heron &amp; &lt;Egret></h1>');
  });

  test('shows the logo under a name made of its bytes', async () => {
    const url = /src="(\/assets\/image-[0-9a-f]{16}\.svg)"/.exec(await pageOf('/'))?.[1] ?? '';
    const logo = await stall.fetch(url);
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(logo.headers.get('content-security-policy')).toContain('sandbox');
    expect((await stall.fetch('/assets/image-0123456789abcdef.svg')).status).toBe(404);
  });

  test('names its canonical address', async () => {
    const canonical = async (path: string) =>
      /<link rel="canonical" href="([^"]*)"/.exec(await pageOf(path))?.[1];
    expect(await canonical('/')).toBe(`${stall.url}/`);
    expect(await canonical('/?price=&kind=book')).toBe(`${stall.url}/?kind=book`);
    expect(await canonical('/?page=7')).toBe(`${stall.url}/`);
    expect(await canonical('/?q=heron')).toBeUndefined();
  });

  test.each(['nobody', 'reader', 'other', 'owner'] as const)('has its own ETag for %s', async (name) => {
    const headers = cookies[name];
    const first = await stall.fetch('/', { headers });
    const page = await first.text();
    const etag = first.headers.get('etag') ?? '';
    expect(page.includes(`${name}@example.org`)).toBe(name !== 'nobody');
    const again = await stall.fetch('/', { headers: { ...headers, 'If-None-Match': etag } });
    expect([again.status, again.headers.get('vary')]).toEqual([304, 'Cookie']);
    expect(first.headers.get('content-encoding')).toBe(name === 'nobody' ? 'gzip' : null);
    const others = Object.entries(cookies).filter(([other]) => other !== name);
    for (const [, other] of others)
      expect((await stall.fetch('/', { headers: { ...other, 'If-None-Match': etag } })).status).toBe(200);
  });

  test('is rendered again when the catalog or the stall changes', async () => {
    const before = (await stall.fetch('/')).headers.get('etag');
    writeFileSync(join(stall.content, 'skills/cooking/item.yaml'), itemYaml({ title: 'Baking' }));
    await stall.app.publish();
    expect(await pageOf('/')).toContain('>Baking<');
    writeFileSync(join(stall.content, 'stall.yaml'), 'name: Egrets\n');
    await stall.app.publish();
    expect(await pageOf('/')).toContain('<h1>Egrets</h1>');
    expect((await stall.fetch('/')).headers.get('etag')).not.toBe(before);
  });
});

describe('a window of a thousand items', async () => {
  const many: Files = Object.fromEntries(
    Array.from({ length: 1000 }, (_, n) => [
      [
        `skills/item-${n}/item.yaml`,
        itemYaml({
          title: `The long and winding title of item number ${n} of this well stocked stall`,
          publisher: 'The Coastal Society of Marsh and Heron',
          tags: `[tag-${n}, common]`,
        }),
      ],
      [`skills/item-${n}/SKILL.md`, skillMd(`item-${n}`)],
    ]).flat(),
  );
  const full = await openStall({ files: many });

  test('has a first page under 60 KB, and pages that list each item once', async () => {
    const page = await (await full.fetch('/')).text();
    expect(Buffer.byteLength(page)).toBeLessThan(60_000);
    const seen = new Set<string>();
    for (let n = 1; n <= 28; n++) {
      const text = await (await full.fetch(`/?page=${n}`)).text();
      for (const [, slug = ''] of text.matchAll(/<h[23][^>]*><a href="\/skills\/([a-z0-9-]+)"/g))
        seen.add(slug);
      expect(text.includes('rel="next"')).toBe(n < 28);
      expect(text.includes('rel="prev"')).toBe(n > 1);
    }
    expect(seen.size).toBe(1000);
  });
});

describe('an empty stall', async () => {
  const empty = await openStall({ files: {} });
  await empty.app.admin.accounts.add('owner@example.org', true);

  test('says so, and tells the owner the next step', async () => {
    expect(await (await empty.fetch('/')).text()).toContain('No books or skills yet.');
    const headers = await empty.signIn('owner@example.org');
    expect(await (await empty.fetch('/', { headers })).text()).toContain('href="/admin"');
  });
});

describe('terms, imprint and contact', () => {
  const EVIL = '# Terms <script>alert(1)</script>\n\n[out](javascript:alert(1)) [fine](https://a.example)\n';

  test.each([
    ['terms: terms.md\n', '/terms', 200, '<h1>Terms &lt;script&gt;alert(1)&lt;/script&gt;</h1>'],
    ['terms: https://a.example/terms\n', '/terms', 200, 'href="https://a.example/terms"'],
    ['name: x\n', '/terms', 404, 'Page not found'],
    ['imprint: terms.md\n', '/imprint', 200, '<h1>Terms &lt;script&gt;alert(1)&lt;/script&gt;</h1>'],
    ['imprint: https://a.example/imprint\n', '/imprint', 200, 'href="https://a.example/imprint"'],
    ['imprint: terms.md\n', '/sign-in', 200, '<a href="/imprint">Imprint</a>'],
    ['name: x\n', '/imprint', 404, 'Page not found'],
    ['contact: press@example.org\n', '/contact', 200, 'href="mailto:press@example.org"'],
    ['contact: https://a.example/c\n', '/contact', 200, 'href="https://a.example/c"'],
    ['contact: HTTPS://a.example/c\n', '/sign-in', 200, ': <a href="HTTPS://a.example/c">a.example/c</a>'],
    ['name: x\n', '/contact', 404, 'Page not found'],
  ])('%j makes %s answer %d with %s', async (yaml, path, status, text) => {
    const { fetch } = await openStall({ files: { 'stall.yaml': yaml, 'terms.md': EVIL } });
    const response = await fetch(path, { headers: { Accept: 'text/html' } });
    const page = await response.text();
    expect(response.status).toBe(status);
    expect(page).toContain(text);
    expect(page).not.toMatch(/alert\(1\)<\/script>|javascript:/);
    expect(page.split('<h1')).toHaveLength(2);
  });

  test('are rendered once, however often they are read', async () => {
    const long = '**words** and [links](https://a.example) `here`. '.repeat(5000);
    const { fetch } = await openStall({ files: { 'stall.yaml': 'terms: terms.md\n', 'terms.md': long } });
    const jobs = spyOn(Worker.prototype, 'postMessage');
    const pages = [];
    for (let n = 0; n < 4; n++) pages.push(await (await fetch('/terms')).text());
    const rendered = jobs.mock.calls.filter(([job]) => (job as { task?: string }).task === 'text');
    jobs.mockRestore();
    expect(rendered).toHaveLength(1);
    expect(new Set(pages).size).toBe(1);
  });
});
