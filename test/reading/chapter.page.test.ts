import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { itemYaml, openStall, readEvents, skillMd } from '../helpers/harness.ts';

const ONE =
  '# Herons\n\nA heron **stands** on one leg.\n\n![Leg](leg.png) ![gone](gone.png) [two](two.md#why)\n';
const TWO = '# Why\n\n![](other.png)\n\nThe reason is a secret of the marsh.\n';
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]);

const paid = { unitAmountCents: 1900, sample: '[one.md]', checkoutUrl: 'https://shop.example/herons' };
const stall = await openStall({
  files: {
    'books/herons/item.yaml': itemYaml({ id: 'herons', title: 'Herons', ...paid }),
    'books/herons/one.md': ONE,
    'books/herons/two.md': TWO,
    'books/herons/leg.png': PNG,
    'books/herons/other.png': PNG,
    'books/much/item.yaml': itemYaml({ id: 'much', unitAmountCents: 1900, sample: '[z.md]' }),
    'books/much/a.md': '# A\n\nbittern bittern bittern reed.\n\n## More\n\n'.repeat(100),
    'books/much/z.md': `# Z\n\n${'A bittern is mentioned in passing among many other birds. '.repeat(3)}\n`,
    ...Object.fromEntries(
      ['heron', 'bittern'].flatMap((bird) => [
        [
          `books/${bird}/item.yaml`,
          itemYaml({ id: bird, title: 'Birds', unitAmountCents: 1900, sample: '[1.md, 2.md]' }),
        ],
        [`books/${bird}/1.md`, `# One\n\n${'A heron waits in the reed. '.repeat(30)}\n`],
        [`books/${bird}/2.md`, `# Two\n\n${'A bittern booms in the sedge. '.repeat(30)}\n`],
        [`books/${bird}/3.md`, `## Three\n\nThe ${bird} hides the ledger.\n\n`.repeat(50)],
      ]),
    ),
    'books/parts/item.yaml': itemYaml({
      id: 'parts',
      chapters: '[a.md, {part: The marsh}, b.md, {path: c.md, level: 2}]',
    }),
    'books/parts/a.md': '# A\n',
    'books/parts/b.md': '# B\n',
    'books/parts/c.md': '# C\n',
    'books/counted/item.yaml': itemYaml({ id: 'counted', unitAmountCents: 900, sample: '[a.md, b.md]' }),
    'books/counted/SUMMARY.md':
      '# Counted\n\n[Before](a.md)\n\n- [One](b.md)\n  - [Draft]()\n  - [Inner](c.md)\n\n# Part\n\n- [Chapter 2: Two](d.md)\n\n[After](e.md)\n',
    ...Object.fromEntries([...'abcde'].map((name) => [`books/counted/${name}.md`, `# ${name}\n\nWords.\n`])),
    'books/free/item.yaml': itemYaml({ id: 'free', title: 'Free', language: 'he' }),
    'books/free/a.md': '# A\n\n<script>alert(1)</script>\n\nwords\n',
    'books/titles/item.yaml': itemYaml({
      id: 'titles',
      chapters:
        '[{path: a.md, title: What is “ownership”}, {path: b.md, title: Another}, {path: c.md, title: The slice}]',
    }),
    'books/titles/a.md': '## What Is `Ownership`?\n\nWords.\n',
    'books/titles/b.md': '## What Is Ownership?\n\nWords.\n',
    'books/titles/c.md': '## Chapter 3: The *slice*\n\nWords.\n',
    'books/free/b.txt': 'plain <b>\nlines\n',
    'books/free/deep.md': '>'.repeat(100_000),
    'books/draft/item.yaml': itemYaml({ id: 'draft', title: 'Draft', status: 'draft' }),
    'books/draft/a.md': '# Draft\n\nnot yet\n',
    'books/old/item.yaml': itemYaml({ id: 'old', title: 'Old', status: 'archived', ...paid, sample: '[]' }),
    'books/old/a.md': '# Old\n\nkept for holders\n',
    'skills/tell/item.yaml': itemYaml({ title: 'Tell' }),
    'skills/tell/SKILL.md': skillMd('tell', '# Tell\n\nTell it.\n'),
  },
});
await stall.reader('member@example.org');
await stall.reader('holder@example.org', 'herons', 'old');
await stall.app.admin.accounts.add('owner@example.org', true);
const cookies: Record<string, Record<string, string>> = {
  stranger: {},
  member: await stall.signIn('member@example.org'),
  holder: await stall.signIn('holder@example.org'),
  owner: await stall.signIn('owner@example.org'),
};

const open = (path: string, who = 'stranger', headers: Record<string, string> = {}) =>
  stall.fetch(path, { redirect: 'manual', headers: { Accept: 'text/html', ...cookies[who], ...headers } });

describe('who may read', () => {
  test.each([
    ['stranger', '/books/herons/read/one.md', 200, 'on one leg', ''],
    ['stranger', '/books/herons/read/two.md', 401, 'Sign in if you own it', 'secret'],
    ['member', '/books/herons/read/two.md', 403, 'Buy for $19', 'secret'],
    ['holder', '/books/herons/read/two.md', 200, 'a secret of the marsh', 'Buy'],
    ['owner', '/books/herons/read/two.md', 200, 'a secret of the marsh', 'Buy'],
    ['owner', '/books/herons/read/two.md', 200, 'href="/books/herons/ask"', 'Buy'],
    ['owner', '/books/old/read/a.md', 200, 'kept for holders', ''],
    ['stranger', '/books/herons/read/three.md', 404, 'Page not found', ''],
    ['holder', '/books/herons/read/leg.png', 404, 'Page not found', ''],
    ['stranger', '/books/herons/read/leg.png', 404, 'Page not found', ''],
    ['stranger', '/skills/herons/read/one.md', 404, 'Page not found', ''],
    ['stranger', '/books/draft/read/a.md', 404, 'Page not found', 'not yet'],
    ['member', '/books/draft/read/a.md', 404, 'Page not found', 'not yet'],
    ['owner', '/books/draft/read/a.md', 200, 'not yet', ''],
    ['stranger', '/books/old/read/a.md', 404, 'Page not found', 'kept'],
    ['holder', '/books/old/read/a.md', 200, 'kept for holders', ''],
    ['stranger', '/skills/tell/read/SKILL.md', 200, 'Tell it.', 'description:'],
    ['stranger', '/books/herons/read/one%2emd', 200, 'on one leg', ''],
    ['stranger', '/books/herons/read/..%2fdraft%2fa.md', 404, 'Page not found', 'not yet'],
    ['stranger', '/books/herons/read/%E0%A4%A', 404, 'Page not found', ''],
  ])('%s at %s: %d', async (who, path, status, words, never) => {
    const response = await open(path, who);
    const page = await response.text();
    expect(response.status).toBe(status);
    expect(page).toContain(words);
    if (never !== '') expect(page).not.toContain(never);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('the page of a closed chapter tells its place, price, samples and the way back', async () => {
    const page = await (await open('/books/herons/read/two.md')).text();
    expect(page).toContain('Chapter 2 of 2');
    expect(page).toContain('<h1 dir="ltr">Why</h1>');
    expect(page).toContain('href="https://shop.example/herons"');
    expect(page).toContain('href="/sign-in?next=%2Fbooks%2Fherons%2Fread%2Ftwo.md"');
    expect(page).toContain('<li><a href="/books/herons/read/one.md">Herons</a></li>');
    expect(page).not.toMatch(/marsh|reason/);
  });

  test('a program gets the refusal as JSON', async () => {
    const response = await open('/books/herons/read/two.md', 'stranger', { Accept: '*/*' });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      error: expect.stringContaining('herons'),
      code: expect.any(String),
    });
  });
});

test.each([
  ['stranger', '/books/herons/read', '/books/herons/read/one.md'],
  ['stranger', '/books/free/read', '/books/free/read/a.md'],
  ['stranger', '/skills/tell/read', '/skills/tell/read/SKILL.md'],
  ['holder', '/books/old/read', '/books/old/read/a.md'],
])('%s begins at %s with %s', async (who, path, location) => {
  const response = await open(path, who);
  expect([response.status, response.headers.get('location')]).toEqual([303, location]);
});

test.each(['/books/draft/read', '/books/old/read', '/books/none/read'])(
  '%s is not there for a stranger',
  async (path) => {
    expect((await open(path)).status).toBe(404);
  },
);

test('a chapter links to its images, to other chapters, and to those before and after', async () => {
  const page = await (await open('/books/herons/read/one.md')).text();
  expect(page).toContain('<img alt="Leg" src="/books/herons/files/leg.png" loading="lazy" /> gone');
  expect(page).toContain('<a href="/books/herons/read/two.md#why">two</a>');
  expect(page).toContain('<a rel="next" href="/books/herons/read/two.md">');
  expect(page).not.toContain('rel="prev"');
  expect(page).toContain('<link rel="canonical"');
});

test.each([
  ['leg.png', 200],
  ['other.png', 401],
  ['two.md', 401],
])('of a sample’s files, %s answers a stranger %d', async (path, status) => {
  const response = await stall.fetch(`/books/herons/files/${path}`);
  await response.arrayBuffer();
  expect(response.status).toBe(status);
});

test('a title is shown once, however its case and marks differ from the heading below it', async () => {
  const headingOf = async (path: string) =>
    /<h1.*?<\/h1>/.exec(await (await open(`/books/titles/read/${path}`)).text())?.[0];
  expect(await headingOf('a.md')).toStartWith('<h1 class="unseen"');
  expect(await headingOf('b.md')).not.toContain('unseen');
  expect(await headingOf('c.md')).toStartWith('<h1 class="unseen"');
});

test('what readers of a text share is not what only some of them see', async () => {
  const seen = async (who: string) => (await open('/books/herons/read/one.md', who)).text();
  for (const who of ['holder', 'stranger', 'owner', 'member', 'holder', 'stranger'] as const) {
    const isReader = who === 'holder' || who === 'owner';
    expect((await seen(who)).includes('href="/books/herons/ask"'), who).toBe(isReader);
    expect((await seen(who)).includes('data-notes="/books/herons/notes"'), who).toBe(isReader);
  }
});

test('the contents have the parts and levels of the book', async () => {
  const page = await (await open('/books/parts/read/a.md')).text();
  expect(page).toContain('<p class="part">The marsh</p><ol><li class="level-1">');
  expect(page).toContain('<li class="level-2"><a href="/books/parts/read/c.md">C</a></li>');
  // The link to all chapters, where this list has all.
  expect(page).not.toContain('href="/books/parts#contents"');
});

test('the contents are counted as the book counts them, and the place is then no other number', async () => {
  const page = await (await open('/books/counted/read/b.md')).text();
  const listed = page.slice(page.indexOf('class="list"')).matchAll(/<a href="[^"]*read[^>]*>(.*?)<\/a>/g);
  expect([...listed].slice(0, 5).map(([, words = '']) => words.replace(/<[^>]*>/g, ''))).toEqual([
    'Before',
    '1 One',
    '1.2 Inner',
    'Chapter 2: Two',
    'After',
  ]);
  expect(page).toContain('20 % through');
  expect(page).not.toMatch(/Chapter \d+ of/);
  const contents = await (await open('/books/counted')).text();
  expect(contents).toContain('<span class="chapter-number">1.2 </span>Inner');
});

test.each([
  ['stranger', 'a.md', false],
  ['stranger', 'b.md', true],
  ['stranger', 'c.md', false],
  ['owner', 'b.md', false],
])('a %s at the end of %s is told that the sample ends: %p', async (who, path, isTold) => {
  const page = await (await open(`/books/counted/read/${path}`, who)).text();
  expect(page.includes('The sample ends here')).toBe(isTold);
});

test('a text is in its language and direction, and its markup harmless', async () => {
  const page = await (await open('/books/free/read/a.md')).text();
  expect(page).toContain('<div class="reading" lang="he" dir="rtl">');
  expect(page).not.toContain('alert(1)');
});

test('a plain text has numbers on its lines', async () => {
  const page = await (await open('/books/free/read/b.txt')).text();
  expect(page).toContain('<a id="L1" href="#L1">1</a>plain &lt;b&gt;\n<a id="L2" href="#L2">2</a>lines\n');
});

test('what is nested too deep is shown as it was written', async () => {
  const page = await (await open('/books/free/read/deep.md')).text();
  expect(page).toContain('class="reading plain"');
  expect(page).toContain('&gt;'.repeat(100_000));
});

describe('a mark', () => {
  const of = createHash('sha256').update(ONE).digest('hex').slice(0, 12);
  const [start, end] = [ONE.indexOf('heron **'), ONE.indexOf(' on one')];
  test.each([
    [
      `mark=${start}-${end}&of=${of}`,
      '<mark id="mark">heron </mark><strong><mark>stands</mark></strong> on',
      '',
    ],
    [`mark=${start}-${end}&of=000000000000`, 'has changed since it was quoted', '<mark'],
    [`mark=${start}-${end}`, 'heron <strong>', '<mark'],
    [`mark=${end}-${start}&of=${of}`, 'heron <strong>', '<mark'],
    [`mark=${start}-999999&of=${of}`, 'heron <strong>', '<mark'],
    [`mark=0x1-0x9&of=${of}`, 'heron <strong>', '<mark'],
    [`mark=-1-5&of=${of}`, 'heron <strong>', '<mark'],
    [`mark=${start}-${end}&of=${of}&mark=1-2`, 'heron <strong>', '<mark'],
  ])('?%s shows %j', async (query, words, never) => {
    const page = await (await open(`/books/herons/read/one.md?${query}`)).text();
    expect(page).toContain(words);
    if (never !== '') expect(page).not.toContain(never);
  });
});

describe('search', () => {
  test('finds passages with links to their marks', async () => {
    const page = await (await open('/books/herons/search?q=heron+leg')).text();
    expect(page).toMatch(
      /<a href="\/books\/herons\/read\/one\.md\?mark=\d+-\d+&amp;of=[0-9a-f]{12}#mark">Herons<\/a>/,
    );
  });

  test.each([
    ['leg', 'Herons', '<mark>leg</mark>'],
    ['HERONS', 'Herons', '<mark>heron</mark>'],
    ['standing', 'Herons', '<mark>stands</mark>'],
  ])('of %j names the headings and marks the words', async (words, heading, marked) => {
    const page = await (await open(`/books/herons/search?q=${words}`)).text();
    expect(page).toContain(`#mark">${heading}</a>`);
    expect(page).toContain(marked);
  });

  test('that finds nothing says where it looked', async () => {
    expect(await (await open('/books/herons/search?q=zyxwv')).text()).toContain(
      'Nothing in its sample matches',
    );
    const page = await (await open('/books/herons/search?q=zyxwv', 'holder')).text();
    expect(page).toContain('Nothing in this book matches “zyxwv”');
    expect(page).toContain('href="/books/herons#contents"');
  });

  test('leaves out files that the reader may not read', async () => {
    expect(await (await open('/books/herons/search?q=secret+marsh')).text()).not.toContain('The reason');
    expect(await (await open('/books/herons/search?q=secret+marsh', 'holder')).text()).toContain(
      'The reason',
    );
  });

  test('finds a sample however much of what is closed would match better', async () => {
    const page = await (await open('/books/much/search?q=bittern+reed')).text();
    expect(page).toContain('mentioned in passing');
    expect(page).toContain('1 passage, of the sample alone');
    expect(page).not.toContain('bittern bittern');
    expect(await (await open('/books/much/search?q=bittern', 'owner')).text()).toContain(
      'The 20 best passages.',
    );
  });

  test.each(['heron bittern', 'bittern heron', 'ledger', 'reed ledger', 'hide', 'bird', 'the heron hides'])(
    'of %j tells a stranger nothing of the text that is closed',
    async (words) => {
      const [one, other] = await Promise.all(
        ['heron', 'bittern'].map(async (book) =>
          (await (await open(`/books/${book}/search?q=${encodeURIComponent(words)}`)).text()).replaceAll(
            `/books/${book}/`,
            '/',
          ),
        ),
      );
      const found = (page = '') => page.slice(page.indexOf('<ol class="found"'), page.indexOf('</ol>'));
      expect(found(one)).toBe(found(other));
      expect(found(one)).not.toContain('ledger');
    },
  );

  test.each(['', '?q=', '?q=+', `?q=${'x'.repeat(201)}`])('%j is the form', async (query) => {
    const response = await open(`/books/herons/search${query}`);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain('Nothing in');
  });

  test('its words are in no log', async () => {
    await open('/books/herons/search?q=unsayable');
    expect(JSON.stringify(stall.log)).not.toContain('unsayable');
  });
});

describe('the look of texts', () => {
  const choose = (fields: Record<string, string>, origin = stall.url) =>
    stall.fetch('/look', {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });

  test.each([
    ['size', 'large'],
    ['theme', 'dark'],
  ])('%s %s is kept in a cookie and is that of the page before any script runs', async (name, value) => {
    const chosen = await choose({ [name]: value, back: '/books/herons/read/one.md' });
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/books/herons/read/one.md']);
    const Cookie = chosen.headers.get('set-cookie')?.split(';')[0] ?? '';
    for (const path of ['/books/herons/read/one.md', '/books/herons/read/two.md', '/books/herons/search'])
      expect(await (await open(path, 'stranger', { Cookie })).text()).toContain(
        `<html lang="en" data-${name}="${value}">`,
      );
  });

  test.each([
    [{ size: 'huge', back: '/' }, '/', []],
    [{ size: 'large', back: 'https://evil.example/' }, '/', ['size=large']],
    [{ theme: 'light', back: '//evil.example/' }, '/', ['theme=light']],
  ])('%j leads to %s and keeps %j', async (fields, location, kept) => {
    const { headers } = await choose(fields);
    expect(headers.get('location')).toBe(location);
    expect(headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)).toEqual(kept);
  });

  test('is not chosen from another site', async () => {
    expect((await choose({ size: 'large', back: '/' }, 'https://evil.example')).status).toBe(403);
  });
});

describe('citation', async () => {
  const CHAPTER =
    '# Herons\n\nThe grey heron **stands** on one leg because a leg in the water loses warmth.\n\nIt eats fish & frogs.\n';
  const stall = await openStall({
    files: { 'books/herons/item.yaml': itemYaml({ id: 'herons' }), 'books/herons/the marsh/one.md': CHAPTER },
  });
  const reader = await stall.reader('reader@example.org');

  test('a citation leads to the page with its likeliest sentence marked', async () => {
    const response = await stall.fetch('/api/agent/fetch', {
      method: 'POST',
      headers: { ...reader.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ book_id: 'herons', query: 'Why does the heron stand on one leg?' }),
    });
    const done = (await readEvents(response)).find(({ event }) => event === 'done');
    const [citation] = done!.data['citations'] as {
      quote: string;
      marked: [number, number][];
      url: string;
    }[];
    expect(citation!.url).toStartWith(`${stall.url}/books/herons/read/the%20marsh/one.md?mark=`);
    const page = await (await fetch(citation!.url)).text();
    const marked = [...page.matchAll(/<mark[^>]*>(.*?)<\/mark>/gs)].map(([, text]) => text).join('');
    expect(citation!.quote).toEndWith('It eats fish & frogs.');
    expect(marked).toBe(CHAPTER.slice(...citation!.marked[0]!).replaceAll('*', ''));
  });
});
