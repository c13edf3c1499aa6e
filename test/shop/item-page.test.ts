import { keyVariable } from '../../src/catalog/marketplace.rule.ts';
import { describe, expect, test } from 'bun:test';
import { itemYaml, openStall, SHELF, skillMd, temporaryDirectory } from '../helpers/harness.ts';
import { NO_SALES } from '../../src/platform/config/sales.ts';

const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)>"\'&';
const quoted = JSON.stringify(HOSTILE);

const stall = await openStall({
  files: {
    ...SHELF,
    'stall.yaml': 'contact: stall@example.org\n',
    'books/odd-book/item.yaml': itemYaml({
      id: 'odd-id',
      title: quoted,
      publisher: quoted,
      description: quoted,
      tags: `[${quoted}]`,
      authors: `[${quoted}]`,
      version: quoted,
      license: quoted,
      contact: quoted,
      unitAmountCents: 500,
      sample: `["a<b>'c.md"]`,
      chapters: `[{path: "a<b>'c.md", title: ${quoted}}]`,
    }),
    "books/odd-book/a<b>'c.md": `${HOSTILE}\n\n[x](javascript:alert(3)) ![y](https://evil.example/y.png)\n`,
    'skills/odd-skill/item.yaml': itemYaml(),
    'skills/odd-skill/SKILL.md': skillMd('odd-skill', `# ${HOSTILE}\n\n<style>*{}</style>\n`).replace(
      'A skill for tests.',
      "'Reads <xml> tags'",
    ),
    'books/drawn-book/item.yaml': itemYaml({
      id: 'drawn-id',
      description: "'With ![a map](maps/marsh.png), and ![another](gone.png)'",
      unitAmountCents: 1900,
      chapters: '[01.md]',
    }),
    'books/drawn-book/01.md': '# Closed\n\n![a plan](plan.png)\n',
    'books/drawn-book/plan.png': Uint8Array.of(1, 2, 3),
    'books/drawn-book/maps/marsh.png': Uint8Array.of(1, 2, 3),
    'books/sold-book/item.yaml': itemYaml({
      id: 'sold-id',
      unitAmountCents: 1950,
      currency: 'eur',
      checkoutUrl: 'https://shop.example/buy?x=1&y=2',
      sample: '[01.md]',
    }),
    'books/sold-book/01.md': '# A sample\n\nOpen ![pic](pic.png) [two](02.md)\n',
    'books/sold-book/02.md': '# Closed\n\nThe closed heron.\n',
    'books/sold-book/pic.png': Uint8Array.of(1, 2, 3),
    'skills/sold-skill/item.yaml': itemYaml({ unitAmountCents: 500, contact: 'me@example.org' }),
    'skills/sold-skill/SKILL.md': skillMd('sold-skill', '# Closed\n\nThe closed heron.\n'),
  },
});
const owner = await stall.app.admin.accounts.add('owner@example.org', true);
const HELD = [
  'paid-book',
  'paid-skill',
  'archived-book',
  'archived-skill',
  'draft-book',
  'sold-book',
  'sold-skill',
];
await stall.reader('holder@example.org', ...HELD);
await stall.reader('other@example.org');
const cookies = {
  nobody: {},
  other: await stall.signIn('other@example.org'),
  holder: await stall.signIn('holder@example.org'),
  owner: await stall.signIn(owner.email),
};
type Visitor = keyof typeof cookies;

const visit = (path: string, name: Visitor = 'nobody') =>
  stall.fetch(path, { headers: { ...cookies[name], Accept: 'text/html' }, redirect: 'manual' });
const pageOf = async (path: string, name: Visitor = 'nobody') => (await visit(path, name)).text();

describe('access to an item page', () => {
  test.each([
    ['free', 200, 200, 200, 200],
    ['paid', 200, 200, 200, 200],
    ['draft', 404, 404, 404, 200],
    ['archived', 404, 404, 200, 200],
  ])('%s: nobody %d, an account %d, a holder %d, the owner %d', async (price, ...expected) => {
    for (const path of [`/books/${price}-book`, `/skills/${price}-skill`]) {
      const statuses = [];
      for (const name of Object.keys(cookies) as Visitor[]) statuses.push((await visit(path, name)).status);
      expect(statuses).toEqual(expected as number[]);
    }
  });

  test('a key opens no page, since pages are for browsers', async () => {
    const { headers } = await stall.reader('key@example.org', 'archived-book');
    expect((await stall.fetch('/books/archived-book', { headers })).status).toBe(404);
  });

  test.each([
    ['/skills/free-book', 308, '/books/free-book'],
    ['/books/free-skill', 308, '/skills/free-skill'],
    ['/skills/draft-book', 404, null],
    ['/books/nothing', 404, null],
    ['/books/..%2f..%2fstall', 404, null],
    ['/books/%00', 404, null],
    ['/books/<script>', 404, null],
  ])('%s answers %d, to %j', async (path, status, location) => {
    const response = await visit(path);
    expect([response.status, response.headers.get('location')]).toEqual([status, location]);
  });

  test('drafts and archived items say so, and are not indexed', async () => {
    const draft = await pageOf('/books/draft-book', 'owner');
    expect(draft).toContain('This is a draft');
    const archived = await pageOf('/books/archived-book', 'holder');
    expect(archived).toContain('no longer sold');
    for (const page of [draft, archived]) expect(page).toContain('name="robots" content="noindex"');
  });
});

describe('an item page', () => {
  test.each(['/books/odd-book', '/skills/odd-skill'])('%s shows hostile words as text', async (path) => {
    const page = await pageOf(path);
    expect(page).not.toMatch(
      /<script>|<img src=x|onerror=alert\(2\)>(?!&)|javascript:|src="[^"]*evil\.example|<style/,
    );
    expect(page).not.toMatch(/ style="/);
    expect(page).toMatch(/(&quot;|")'&amp;/);
    expect(page.match(/<h1/g)?.length).toBe(1);
  });

  test('shows price, publisher, chapters, files, hashes and digest', async () => {
    const page = await pageOf('/books/paid-book');
    const { digest, files } = stall.app.catalog().bySlug.get('paid-book')!;
    for (const text of [
      '$19',
      'The paid book',
      'A publisher',
      '01.md',
      files[0]?.sha256 ?? '',
      digest,
      'paid-id',
    ])
      expect(page).toContain(text);
    // The title of the chapter, and nothing of its text.
    expect(page.replaceAll('The heron', '')).not.toContain('heron');
    expect(page).toMatch(
      new RegExp(`property="og:image" content="${stall.url}/assets/preview-[A-Za-z0-9_-]+\\.png"`),
    );
  });

  test('shows the findings of each agent', async () => {
    const page = await pageOf('/skills/odd-skill');
    expect(page).toContain('claude.ai: see the findings');
    expect(page).toContain('The upload to claude.ai refuses descriptions with XML tags.');
    expect(page.match(/ ✓/g)?.length).toBe(4);
    expect(page).toContain('Works with: Claude Code ✓');
    expect(page).not.toContain('claude.ai ✓');
  });

  test.each([
    ['/books/sold-book', 'nobody', 'href="https://shop.example/buy?x=1&amp;y=2"', '€19.50'],
    ['/skills/sold-skill', 'nobody', 'href="mailto:me@example.org"', '$5'],
    ['/books/paid-book', 'nobody', 'href="mailto:stall@example.org"', '$19'],
    ['/books/paid-book', 'holder', 'Yours since', 'href="/api/books/paid-id/epub"'],
    ['/books/paid-book', 'nobody', 'EPUB · in the browser · for your agent', '1 chapter, 1 min'],
    ['/skills/free-skill', 'nobody', 'href="/api/skills/free-skill/download"', 'Free'],
    ['/skills/paid-skill', 'holder', 'href="/api/skills/paid-skill/download"', 'Yours since'],
    ['/books/free-book', 'nobody', 'href="/api/install/free-book"', 'Free'],
  ] as const)('%s for %s has %s and %s', async (path, name, ...rest) => {
    const texts = rest.filter((text) => typeof text === 'string');
    const page = await pageOf(path, name);
    for (const text of texts) expect(page).toContain(text);
  });

  test('offers the download of a paid item only to its holders', async () => {
    expect(await pageOf('/skills/paid-skill')).not.toContain('href="/api/skills/');
    expect(await pageOf('/skills/paid-skill', 'owner')).not.toContain('href="/api/skills/');
    expect(await pageOf('/books/sold-book', 'holder')).not.toContain('Buy for');
  });

  test('shows the pictures of a description, which are as open as it is', async () => {
    const page = await pageOf('/books/drawn-book');
    expect(page).toContain('<img alt="a map" src="/books/drawn-book/files/maps/marsh.png"');
    expect(page).toContain('<meta name="description" content="With , and"/>');
    const statusOf = async (path: string) => (await visit(`/books/drawn-book/files/${path}`)).status;
    expect(await Promise.all(['maps/marsh.png', 'plan.png', '01.md'].map(statusOf))).toEqual([200, 303, 303]);
  });

  test.each([
    ['/books/sold-book', 'nobody', ['/claim', '/redeem', '/books/sold-book/search']],
    ['/books/sold-book', 'other', ['/claim', '/redeem', '/books/sold-book/search']],
    ['/books/sold-book', 'holder', ['/books/sold-book/search']],
    ['/', 'nobody', ['/claim', '/redeem']],
    ['/sign-in', 'nobody', ['/claim', '/redeem']],
    ['/dashboard', 'holder', ['/redeem', '/claim']],
    ['/dashboard/account', 'holder', ['/redeem', '/claim']],
    ['/books/sold-book/read/01.md', 'nobody', ['/books/sold-book/search']],
    ['/books/sold-book/read/02.md', 'holder', ['/books/sold-book/search']],
  ] as const)('%s leads the visitor %s on to %p', async (path, name, addresses) => {
    const [, main = '', footer = ''] = /<main[^>]*>(.*)<\/main>(.*)/s.exec(await pageOf(path, name)) ?? [];
    for (const address of addresses)
      expect(address.endsWith('search') ? main : main + footer).toMatch(`="${address}"`);
  });

  test('offers no search in a book of which the visitor may read nothing', async () => {
    expect(await pageOf('/books/drawn-book')).not.toContain('/search"');
  });

  test('shows no line of a paid item except its sample', async () => {
    for (const name of ['nobody', 'other'] as const) {
      const book = await pageOf('/books/sold-book', name);
      expect(book).toContain('<h3>A sample</h3>');
      expect(book).toContain('href="/books/sold-book/files/01.md"');
      // An image that a sample shows is as open as the sample.
      expect(book).toContain('src="/books/sold-book/files/pic.png"');
      expect(book).not.toMatch(/closed heron|files\/02\.md/);
      expect(await pageOf('/skills/sold-skill', name)).not.toMatch(/closed heron|files\/SKILL\.md/);
    }
    for (const name of ['holder', 'owner'] as const) {
      const book = await pageOf('/books/sold-book', name);
      expect(book).toContain('src="/books/sold-book/files/pic.png"');
      expect(book).toContain('href="/books/sold-book/files/02.md"');
      expect(book).toContain('href="/books/sold-book/ask"');
      expect(await pageOf('/skills/sold-skill', name)).toContain('The closed heron.');
    }
  });

  test('lists 200 chapters on a page, with links to the others', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 450 }, (_, n) => [`books/many/${1000 + n}.md`, `# ${n}\n`]),
    );
    const { fetch } = await openStall({
      files: { 'books/many/item.yaml': itemYaml({ id: 'many' }), ...files },
    });
    const chapters = async (path: string) => {
      const html = await (await fetch(path)).text();
      const [section = ''] = html.slice(html.indexOf('id="contents"')).split('</section>');
      return [
        [...section.matchAll(/read\/(\d+)\.md"/g)].map(([, name]) => Number(name) - 1000),
        [...section.matchAll(/\?contents=(\d+)#/g)].map(([, page]) => page),
      ];
    };
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
    expect(await chapters('/books/many')).toEqual([range(0, 200), ['2']]);
    expect(await chapters('/books/many?contents=2')).toEqual([range(200, 400), ['1', '3']]);
    expect(await chapters('/books/many?contents=99')).toEqual([range(400, 450), ['2']]);
  });

  test('lists 200 files on a page', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 250 }, (_, n) => [`skills/many/f/${n}.txt`, `${n}`]),
    );
    const { fetch } = await openStall({
      files: { 'skills/many/item.yaml': itemYaml(), 'skills/many/SKILL.md': skillMd('many'), ...files },
    });
    const rows = async (path: string) => (await (await fetch(path)).text()).match(/scope="row"/g)?.length;
    expect([await rows('/skills/many'), await rows('/skills/many?files=2')]).toEqual([200, 51]);
  });
});

describe('a page that sells', async () => {
  const many = Array.from({ length: 25 }, (_, n) => `${n}`.padStart(2, '0'));
  const { fetch, url } = await openStall({
    files: {
      'books/long-walk/item.yaml': itemYaml({
        id: 'long-walk',
        title: 'The walk',
        language: 'ar',
        description: JSON.stringify(
          'A **long** walk.\n\n- by day\n- </script><script>alert(1)</script>\n\n![step](maps/step.png)',
        ),
        unitAmountCents: 500,
        currency: 'jpy',
        authors:
          '[{name: Ada, about: "She *walks*. ![her](ada.png) ![x](01.md) ![y](../other/y.png)"}, {name: Grace, url: "https://grace.example"}, Lin]',
        praise: `[{quote: "${HOSTILE.replaceAll('"', '')}", by: "Lin, walker", url: "https://lin.example"}]`,
        guarantee: 'Thirty days',
        checkoutUrl: 'https://shop.example/walk',
        cover: 'front.png',
        sample: '[00.md]',
        chapters: `[{part: Morning}, ${many.map((n) => `${Number(n) === 23 ? '{part: Evening}, ' : ''}{path: ${n}.md, level: ${Number(n) % 2 === 0 ? 1 : 2}}`).join(', ')}]`,
      }),
      'books/long-walk/front.png': Uint8Array.of(0x89, 0x50, 0x4e, 0x47),
      'books/long-walk/ada.png': Uint8Array.of(1),
      'books/long-walk/maps/step.png': Uint8Array.of(2),
      'books/long-walk/maps/closed.png': Uint8Array.of(3),
      ...Object.fromEntries(many.map((n) => [`books/long-walk/${n}.md`, `# Step ${n}\n\nOn.\n`])),
      'books/long-walk/00.md': `# Step 00\n\n${'First words. '.repeat(250)}\n\n\`\`\`\n${'x\n\n'.repeat(400)}\`\`\`\n\n[A][a]\n\nThe far end.\n\n[a]: https://example.org/\n`,
      'books/short-walk/item.yaml': itemYaml({ id: 'short-walk', unitAmountCents: 500 }),
      ...Object.fromEntries(many.slice(1).map((n) => [`books/short-walk/${n}.md`, `# Step ${n}\n`])),
    },
  });
  const page = await (await fetch('/books/long-walk')).text();

  test('has its parts in the order in which a buyer asks for them', () => {
    const marks = ['<h1', 'class="by"', 'class="opening', 'class="price"', 'Thirty days', 'Buy for']
      .concat('Read a sample', 'class="reading description"', 'maps/step.png', '>Praise</h2>', 'Lin, walker')
      .concat(
        'id="contents"',
        '>From the book</h2>',
        'First words',
        '>Read on</a>',
        '>About the authors</h2>',
      )
      .concat('files/ada.png', 'https://grace.example', '>Facts</h2>')
      .concat('>For your agent and the command line</summary>', 'npx ', 'curl ', 'SHA-256');
    const places = marks.map((mark) => page.indexOf(mark));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test.each([
    ['/?q=grace', 'href="/books/long-walk"'],
    ['/opds/all', '<author><name>Ada</name></author>\n<author><name>Grace</name></author>'],
  ])('is known by its authors’ names: %s has %s', async (path, text) => {
    expect(await (await fetch(path)).text()).toContain(text);
  });

  test('serves the pictures that the page shows to everybody, and no other file', async () => {
    const statusOf = async (path: string) =>
      (await fetch(`/books/long-walk/files/${path}`, { redirect: 'manual' })).status;
    const paths = ['ada.png', 'maps/step.png', '00.md', 'maps/closed.png', '01.md'];
    expect(await Promise.all(paths.map(statusOf))).toEqual([200, 200, 200, 401, 401]);
    expect(page).not.toMatch(/src="[^"]*(?:01\.md|y\.png)/);
    expect(page).toContain('She <em>walks</em>.');
  });

  test('renders the description, and only the first screens of the sample', () => {
    const leads = page.match(/>A (?:long|<strong>long<\/strong>) walk\.</g);
    expect(leads).toEqual(['>A long walk.<']);
    expect(page).toContain('<li>by day</li>');
    expect(page).not.toContain('The far end');
    expect(page).toContain('content="A long walk.');
    expect(page).not.toContain('alert(1)</script>');
  });

  test('shows twenty chapters with parts and levels, and folds the others', () => {
    const [before, after] = page.split('5 more chapters');
    const titles = (html: string | undefined) => html?.match(/Step \d\d<\/a>/g)?.length;
    expect([titles(before), titles(after)]).toEqual([20, 5]);
    expect(before).toMatch(/<h3>Morning<\/h3><ol>/);
    expect(after).toMatch(/<ol>[^]*<h3>Evening<\/h3><ol>/);
    expect(page.match(/<h3>Morning/g)?.length).toBe(1);
    expect(before).toContain('class="level-2"');
    expect(page).toContain('<h1 lang="ar" dir="rtl">');
  });

  test('shows a few chapters more than twenty without a fold', async () => {
    const [, contents = ''] = (await (await fetch('/books/short-walk')).text()).split('id="contents"');
    expect(contents.match(/>Step \d\d</g)).toHaveLength(24);
    expect(contents).not.toContain('more chapter');
  });

  test('tells search engines its price in a block that nothing in it can end', () => {
    const [, block = ''] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(page) ?? [];
    expect(JSON.parse(block)).toMatchObject({
      '@type': 'Book',
      name: 'The walk',
      url: `${url}/books/long-walk`,
      image: expect.stringContaining(`${url}/covers/long-walk-`),
      author: [
        { '@type': 'Person', name: 'Ada' },
        { name: 'Grace', url: 'https://grace.example' },
        { name: 'Lin' },
      ],
      offers: { price: '500', priceCurrency: 'JPY' },
    });
  });

  test('offers its cover to other sites, and one PNG of the stall for a drawn one', async () => {
    expect(page).toContain(`property="og:image" content="${url}/covers/long-walk-`);
    const [, picture = ''] = /og:image" content="([^"]+)"/.exec(await pageOf('/books/free-book')) ?? [];
    const response = await stall.fetch(new URL(picture).pathname);
    expect(response.headers.get('content-type')).toBe('image/png');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([
      'PNG',
      1200,
      630,
    ]);
  });

  test.each([
    ['/books/sold-book', 'nobody', 'primary', 'Buy for'],
    ['/books/paid-book', 'holder', 'primary', 'Read'],
    ['/books/free-book', 'nobody', 'primary', 'Read'],
    ['/skills/free-skill', 'nobody', 'primary', 'Get it free'],
    ['/skills/paid-skill', 'holder', 'primary', 'Download as zip'],
  ] as const)('%s for %s has one %s button, "%s"', async (path, name, kind, words) => {
    const [, box = ''] = /<aside class="side"[^>]*>([^]*?)<\/aside>/.exec(await pageOf(path, name)) ?? [];
    const buttons = [...box.matchAll(new RegExp(`class="button ${kind}"[^>]*>([^<]*)`, 'g'))];
    expect(buttons.map(([, text = '']) => text.startsWith(words))).toEqual([true]);
  });
});

test('a picture has its place before it is loaded, in a description, a chapter and an introduction', async () => {
  const header = Buffer.from('IHDR\0\0\x02\x80\0\0\x01\x68\x08\x02\0\0\0', 'latin1');
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(Bun.hash.crc32(header));
  const png = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0d', 'latin1'),
    header,
    crc,
    Buffer.alloc(64),
  ]);
  const svg = (attributes: string) => `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><path/></svg>`;
  const text = '![a](a.png)\n\n![b](b.svg)\n\n![c](c.svg)\n\n![d](d.png)';
  const pictures = { 'a.png': png, 'b.svg': svg('viewBox="0 0 300 100"'), 'd.png': 'no image' };
  const all = { ...pictures, 'c.svg': svg('width="20" height="20" viewBox="0 0 20 20"') };
  const { fetch } = await openStall({
    files: {
      'stall.yaml': `intro: ${JSON.stringify(text)}\n`,
      ...all,
      'books/shown/item.yaml': itemYaml({ id: 'shown', description: JSON.stringify(`Look.\n\n${text}`) }),
      'books/shown/01.md': `# One\n\n${text}\n`,
      ...Object.fromEntries(Object.entries(all).map(([path, bytes]) => [`books/shown/${path}`, bytes])),
      ...SHELF,
    },
  });
  for (const path of ['/', '/books/shown', '/books/shown/read/01.md']) {
    const html = await (await fetch(path)).text();
    const sizes = [...html.matchAll(/<img (?:width="(\d+)" height="(\d+)" )?alt="([abcd])"/g)].slice(0, 4);
    expect([path, sizes.map(([, width, height, name]) => [name, width, height])]).toEqual([
      path,
      [
        ['a', '640', '360'],
        ['b', '1000', '333'],
        ['c', undefined, undefined],
        ['d', undefined, undefined],
      ],
    ]);
  }
});

describe('the formats', async () => {
  const its = await openStall({
    files: {
      'books/paid/item.yaml': itemYaml({ id: 'paid-one', unitAmountCents: 900, formats: '[out/all.pdf]' }),
      'books/paid/1.md': '# One\n',
      'books/paid/out/all.pdf': Buffer.alloc(1_234_000, 'x'),
      'books/own/item.yaml': itemYaml({ id: 'own', formats: '[own.epub]' }),
      'books/own/own.epub': 'PK',
      'skills/tool/item.yaml': itemYaml({ formats: '[tool.pdf]' }),
      'skills/tool/SKILL.md': skillMd('tool'),
      'skills/tool/tool.pdf': '%PDF',
    },
  });
  await its.reader('formats@example.org', 'paid');
  const session = await its.signIn('formats@example.org');
  const linksOn = async (path: string, headers = {}) => {
    const html = await (await its.fetch(path, { headers })).text();
    const [, box = ''] = /<aside class="side"[^>]*>([^]*?)<\/aside>/.exec(html) ?? [];
    const links = [...box.matchAll(/href="([^"]*)"[^>]*>([^<]*)</g)];
    const facts = /<dt>Formats<\/dt><dd>([^<]*)/.exec(html)?.[1] ?? null;
    return {
      facts,
      links: links
        .map(([, href, text]) => `${text} ${href}`)
        .filter((link) => /^(?:Download EPUB|PDF)/.test(link)),
    };
  };

  test('are told to all, and links for those who may have them', async () => {
    expect(await linksOn('/books/paid')).toEqual({ facts: 'EPUB, PDF (1.2 MB)', links: [] });
    expect((await linksOn('/books/paid', session)).links).toEqual([
      'Download EPUB /api/books/paid-one/epub',
      'PDF, 1.2 MB /books/paid/files/out/all.pdf',
    ]);
    expect(await linksOn('/books/own')).toEqual({
      facts: 'EPUB (2 B)',
      links: ['Download EPUB /api/books/own/epub'],
    });
    expect((await linksOn('/skills/tool')).links).toEqual(['PDF, 4 B /skills/tool/files/tool.pdf']);
  });

  test('are on the library page too, and the session may download them', async () => {
    const page = await (await its.fetch('/dashboard', { headers: session })).text();
    expect(page).toContain(`href="/api/books/paid-one/epub"`);
    expect((await its.fetch('/api/books/paid-one/epub', { headers: session })).status).toBe(200);
  });
});

describe('the install commands', async () => {
  const linesOf = async (path: string) =>
    [...(await pageOf(path)).matchAll(/<code>((?:curl|npx) [^<]*)<\/code>/g)].map(([, line = '']) =>
      line.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    );

  test('are single lines for this stall, none with a key', async () => {
    for (const [path, count] of [
      ['/books/paid-book', 3],
      ['/skills/paid-skill', 3],
      ['/skills/free-skill', 3],
    ] as const) {
      const lines = await linesOf(path);
      expect(lines).toHaveLength(count);
      for (const line of lines) expect(line).toContain(stall.url);
      expect(lines.join()).not.toMatch(/svc_|\n/);
      expect(lines.join().includes('$BOOKSTALL_KEY')).toBe(path !== '/skills/free-skill');
    }
  });

  test('work when pasted into a shell', async () => {
    const { key } = await stall.reader('shell@example.org', 'paid-book', 'paid-skill');
    const lines = [...(await linesOf('/books/paid-book')), ...(await linesOf('/skills/paid-skill'))];
    for (const line of lines.filter((one) => one.startsWith('curl'))) {
      const run = Bun.spawn(['sh', '-c', line], {
        cwd: temporaryDirectory(),
        env: { PATH: process.env['PATH'], [keyVariable(stall.url)]: key },
        stdout: 'ignore',
        stderr: 'inherit',
      });
      expect(`${line} ${await run.exited}`).toBe(`${line} 0`);
    }
  });
});

test.each([
  ['published', 'enter it here and read at once'],
  ['announced', 'enter it here, and read once it is published'],
])('an item that is %s says what the licence key of Gumroad opens', async (status, words) => {
  const sell = '{gumroad: ["abcdefgh=="]}';
  const checkoutUrl = 'https://heron.gumroad.com/l/herons';
  const stall = await openStall({
    files: {
      'books/sold-book/item.yaml': itemYaml({
        id: 'sold-id',
        unitAmountCents: 900,
        status,
        sell,
        checkoutUrl,
      }),
      'books/sold-book/01.md': '# Sold\n\nText.\n',
    },
    config: { sales: { ...NO_SALES, isOn: true, gumroadPing: 'p'.repeat(32) } },
  });
  expect(await (await stall.fetch('/books/sold-book')).text()).toContain(words);
});
