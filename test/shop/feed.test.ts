import { describe, expect, test } from 'bun:test';
import { ROUTES } from '../platform/http/routes.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEED_ENTRIES } from '../../src/shop/feed.page.ts';
import { itemYaml, openStall, SHELF, skillMd, writeFiles } from '../helpers/harness.ts';

const HOSTILE = '<script>]]>&amp;"\' \u202e\uffff';
let time = Date.parse('2026-11-20T12:00:00.000Z');
const stall = await openStall({
  files: {
    ...SHELF,
    'stall.yaml': `name: ${JSON.stringify(HOSTILE)}
bundles: [{slug: pair, title: A Pair, items: [paid-book, paid-skill], unitAmountCents: 900}]
`,
    'books/odd-book/item.yaml': itemYaml({
      id: 'odd-id',
      title: JSON.stringify(HOSTILE),
      publisher: JSON.stringify(HOSTILE),
      description: JSON.stringify(HOSTILE),
      tags: JSON.stringify([HOSTILE]),
    }),
    'books/odd-book/01.md': 'odd\n',
  },
  now: () => time,
});

const byId = (a: Entry, b: Entry): number => (a.id < b.id ? -1 : 1);

type Entry = {
  id: string;
  title: string;
  published: string;
  updated: string;
  content?: { '#text': string };
  link: { '@href': string };
};

/** The feed as an XML parser reads it. */
async function readFeed(): Promise<{ id: string; title: string; updated: string; entry: Entry[] }> {
  const response = await stall.fetch('/feed.xml');
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  return (Bun.XML.parse(await response.text()) as { feed: never }).feed;
}

describe('the feed', () => {
  test('is XML with every element that RFC 4287 requires, and only published items', async () => {
    const feed = await readFeed();
    const shown = HOSTILE.replace('\uffff', '\ufffd');
    expect(feed.title).toBe(shown);
    expect(feed.entry.map(({ link }) => link['@href'].slice(stall.url.length)).toSorted()).toEqual([
      '/books/free-book',
      '/books/odd-book',
      '/books/paid-book',
      '/skills/free-skill',
      '/skills/paid-skill',
    ]);
    expect(feed.entry.map(({ title }) => title)).toContain(shown);
    const ids = [feed.id, ...feed.entry.map(({ id }) => id)];
    expect(new Set(ids).size).toBe(6);
    for (const id of ids)
      expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    for (const { published, updated } of feed.entry)
      expect([published, updated]).toEqual(Array(2).fill('2026-11-20T12:00:00.000Z'));
  });

  test('has the notes of an edition as text', async () => {
    const noted = await openStall({
      files: {
        'skills/kit/item.yaml': itemYaml({
          version: '1.1',
          changes: JSON.stringify('Fixes <b>one</b> & two'),
        }),
        'skills/kit/SKILL.md': skillMd('kit'),
      },
    });
    const text = await (await noted.fetch('/feed.xml')).text();
    expect(text).toContain('<content type="text">Fixes &lt;b&gt;one&lt;/b&gt; &amp; two</content>');
    expect(await (await stall.fetch('/feed.xml')).text()).not.toContain('<content');
    await noted.close();
  });

  test('has the newest entries, as many as are told', async () => {
    const slugs = Array.from({ length: FEED_ENTRIES + 1 }, (_, n) => `skill-${n}`);
    const files = slugs.flatMap((slug) => [
      [`skills/${slug}/item.yaml`, itemYaml({})],
      [`skills/${slug}/SKILL.md`, skillMd(slug)],
    ]);
    const full = await openStall({ files: Object.fromEntries(files) });
    const text = await (await full.fetch('/feed.xml')).text();
    expect(text.match(/<entry/g)).toHaveLength(FEED_ENTRIES);
    await full.close();
  });

  test('has an entry for each edition, the newest first, with its version, notes and dates', async () => {
    const before = await readFeed();
    time += 60_000;
    writeFileSync(join(stall.content, 'books/paid-book/01.md'), '# Another heron\n');
    await stall.app.publish();
    const after = await readFeed();
    expect(after.updated).toBe('2026-11-20T12:01:00.000Z');
    const [changed, ...others] = after.entry;
    expect(changed).toMatchObject({ published: after.updated, updated: after.updated });
    expect(changed?.link['@href']).toBe(`${stall.url}/books/paid-book`);
    expect(others.toSorted(byId)).toEqual(before.entry.toSorted(byId));
  });

  test('dates a draft from its publication, and updates a new version', async () => {
    time += 60_000;
    writeFileSync(
      join(stall.content, 'books/draft-book/item.yaml'),
      itemYaml({ id: 'draft-id', title: 'Out' }),
    );
    writeFileSync(
      join(stall.content, 'books/free-book/item.yaml'),
      itemYaml({ id: 'free-id', version: '2' }),
    );
    await stall.app.publish();
    const [one, two] = (await readFeed()).entry;
    expect(
      [one, two].map((entry) => [entry?.link['@href'].split('/').pop(), entry?.published, entry?.updated]),
    ).toEqual([
      ['draft-book', '2026-11-20T12:02:00.000Z', '2026-11-20T12:02:00.000Z'],
      ['free-book', '2026-11-20T12:00:00.000Z', '2026-11-20T12:02:00.000Z'],
    ]);
  });

  test('tells of a rollback, and is silent about what was withdrawn', async () => {
    const written = await openStall({ files: versionOf('1.0'), now: () => time });
    const entries = async (): Promise<string[]> => {
      const { feed } = Bun.XML.parse(await (await written.fetch('/feed.xml')).text()) as {
        feed: { entry: Entry | Entry[] };
      };
      return [feed.entry].flat().map(({ title, content }) => `${title}: ${content?.['#text']}`);
    };
    for (const version of ['1.1', '1.2']) {
      time += 60_000;
      writeFiles(written.content, versionOf(version));
      await written.app.publish();
    }
    const [one, two, three] = ['Kit 1.0: New in 1.0', 'Kit 1.1: New in 1.1', 'Kit 1.2: New in 1.2'];
    expect(await entries()).toEqual([three, two, one]);
    time += 60_000;
    await written.app.admin.editions.rollBack('kit', '1.1');
    await written.app.publish();
    expect(await entries()).toEqual([two, three, one]);
    await written.app.admin.editions.withdraw('kit', '1.2');
    await written.app.publish();
    expect(await entries()).toEqual([two, one]);
    await written.close();
  });

  test('keeps its ETag until something changes', async () => {
    const etag = (await stall.fetch('/feed.xml')).headers.get('etag') ?? '';
    time += 60_000;
    await stall.app.publish();
    const again = await stall.fetch('/feed.xml', { headers: { 'If-None-Match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

/** The pages and files for browsers that neither the sitemap nor robots.txt names: found by links, and closed or of no use to a stranger. */
const BY_LINKS = [
  '/authorize /check-quote /claim /claim/:provider /claim/yours /client.tgz /connect /contact /email /feed.xml /forgot',
  '/books/:slug/ask /books/:slug/notes /books/:slug/notes/:note /books/:slug/offline /books/:slug/print',
  '/books/:slug/proof /books/:slug/read /books/:slug/read/* /books/:slug/search /books/:slug/send',
  '/handbook /handbook/:chapter /imprint /news/confirm /offline /open /privacy /redeem /robots.txt /search /sign-up',
  '/sitemap.xml /skills/:slug/read /skills/:slug/read/* /terms /unsubscribe/:secret',
];

async function readSitemap(): Promise<readonly string[]> {
  const text = await (await stall.fetch('/sitemap.xml')).text();
  const { urlset } = Bun.XML.parse(text) as { urlset: { url: { loc: string; lastmod: string }[] } };
  return urlset.url.map(({ loc }) => loc.slice(stall.url.length)).toSorted();
}

describe('the sitemap', () => {
  test('names the window and each published item', async () => {
    expect(await readSitemap()).toEqual([
      '/',
      '/books/draft-book',
      '/books/free-book',
      '/books/odd-book',
      '/books/paid-book',
      '/bundles/pair',
      '/skills/free-skill',
      '/skills/paid-skill',
    ]);
  });

  test('is named in robots.txt, which excludes private pages', async () => {
    const text = await (await stall.fetch('/robots.txt')).text();
    expect(text).toStartWith('User-agent: *\nDisallow: /api/\nDisallow: /dashboard\n');
    expect(text).toEndWith(`\nSitemap: ${stall.url}/sitemap.xml\n`);
  });

  test('each page that a browser opens is in the sitemap, closed to robots, or found by links alone', async () => {
    const robots = await (await stall.fetch('/robots.txt')).text();
    const closed = [...robots.matchAll(/^Disallow: (.*)/gm)].map(([, path]) => path!);
    const listed = new Set((await readSitemap()).map((path) => path.replace(/[^/]+$/, ':slug')));
    const pages = Object.entries(ROUTES).flatMap(([route, [budget]]) =>
      route.startsWith('GET /') && /session|either/.test(budget) ? route.slice('GET '.length) : [],
    );
    const isClosed = (page: string) =>
      closed.some((path) =>
        path.startsWith('/*') ? page.includes(path.slice('/*'.length)) : page.startsWith(path),
      );
    const others = pages.filter((page) => !isClosed(page) && !listed.has(page));
    expect(others.toSorted()).toEqual(BY_LINKS.join(' ').split(' ').toSorted());
  });
});

function versionOf(version: string): Record<string, string> {
  return {
    'skills/kit/item.yaml': itemYaml({ title: 'Kit', version, changes: `New in ${version}` }),
    'skills/kit/SKILL.md': `${skillMd('kit')}\n${version}\n`,
  };
}
