import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseNetworks } from '../../src/platform/http/address.ts';
import { itemYaml, openStall, writeFiles } from '../helpers/harness.ts';

const stall = await openStall({
  files: {
    'books/herons/item.yaml': itemYaml({
      id: 'herons',
      title: 'Herons',
      unitAmountCents: 1900,
      sample: '[1.md]',
    }),
    'books/herons/1.md':
      '# One\n\n## A place\n\nA note[^n]. To [the same](2.md#a-place) and [a file](x.csv).\n\n[^n]: First.\n',
    'books/herons/2.md':
      '## A place\n\nA note[^n]. [Back](1.md), [here](#a-place), ` id="x"`.\n\n[^n]: Second.\n',
    'books/herons/3.txt': Array.from({ length: 60_000 }, (_, n) => `line ${n} of a long text`).join('\n'),
    'books/herons/x.csv': 'a,b\n',
    'books/empty/item.yaml': itemYaml({ id: 'empty', chapters: '[]' }),
    'books/empty/x.csv': 'a,b\n',
  },
});
const { headers } = await stall.reader('ann@example.org', 'herons');
const print = (slug = 'herons', more: Record<string, string> = headers) =>
  stall.fetch(`/books/${slug}/print`, { redirect: 'manual', headers: { Accept: 'text/html', ...more } });

test('a whole book is one page, whose ids are its own and whose links lead within it', async () => {
  const html = await (await print()).text();
  const ids = [...html.matchAll(/<[^>]* id="([^"]+)"/g)].map(([, id]) => id);
  const own = new Set(ids);
  expect(own.size).toBe(ids.length);
  const targets = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
  expect(targets.filter((id) => !own.has(id))).toEqual([]);
  const links = [...html.matchAll(/ href="(#c[^"]*)"[^>]*>([^<]*)</g)].map(([, to, text]) => `${text} ${to}`);
  expect(links).toEqual(
    expect.arrayContaining(['One #c0', 'the same #c1-a-place', 'Back #c0', 'here #c1-a-place']),
  );
  expect(html).toMatch(/href="[^"#]*x\.csv[^"#]*"/);
  expect(html).toContain('<code> id=&quot;x&quot;</code>');
  expect([html.includes('line 0 of'), html.includes('line 59999 of')]).toEqual([true, true]);
  expect(html.trimEnd()).toEndWith('</html>');
});

test('it is for those who may read the whole, and leaves no row of a download', async () => {
  expect((await print()).status).toBe(200);
  expect(stall.app.admin.logs.downloads(null, null)).toEqual([]);
  const stranger = await print('herons', {});
  expect([stranger.status, stranger.headers.get('location')]).toEqual([
    303,
    '/sign-in?next=%2Fbooks%2Fherons%2Fprint',
  ]);
  expect((await print('empty')).status).toBe(404);
});

describe('a free book', () => {
  const long = `# One\n\n${'A heron stands on one leg.\n\n'.repeat(4000)}`;
  const openFree = () =>
    openStall({
      config: { trustedProxies: parseNetworks('127.0.0.1') },
      files: {
        'stall.yaml': 'name: A stall\nlanguages: [en, de]\n',
        'books/free/item.yaml': itemYaml({ id: 'free' }),
        'books/free/1.md': long,
        'books/free/2.md': '# Two\n\nThe end.\n',
      },
    });
  type Free = Awaited<ReturnType<typeof openFree>>;
  const printFrom = ({ fetch }: Free, address: string, language = 'en') =>
    fetch('/books/free/print', {
      headers: { Accept: 'text/html', 'Accept-Language': language, 'X-Forwarded-For': address },
    });
  const pagesOf = ({ app }: Free): readonly string[] => {
    const pages = join(app.stall.config.data, 'pages');
    const paths = readdirSync(pages, { recursive: true, encoding: 'utf8' });
    return paths.filter((path) => path.endsWith('.page')).map((path) => join(pages, path));
  };
  const printed = (free: Free): readonly (readonly [path: string, inode: number])[] =>
    pagesOf(free)
      .filter((path) => readFileSync(path, 'utf8').startsWith('<section'))
      .map((path) => [path, statSync(path).ino] as const);

  test('is made once for all that ask at once, and for a stranger one at a time', async () => {
    const free = await openFree();
    const answers = await Promise.all(
      ['192.0.2.1', '192.0.2.2', '192.0.2.1'].map((address) => printFrom(free, address)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429]);
    const [one, two] = await Promise.all(answers.filter(({ ok }) => ok).map((answer) => answer.text()));
    expect(one).toContain('The end.');
    expect(two).toBe(one);
    expect(printed(free)).toHaveLength(1);
  });

  test('is sent from its file from then on, to each in their language', async () => {
    const free = await openFree();
    const english = await (await printFrom(free, '192.0.2.1')).text();
    const made = printed(free);
    const again = await Promise.all(Array.from({ length: 20 }, () => printFrom(free, '192.0.2.1', 'de')));
    for (const answer of again) {
      const german = await answer.text();
      expect(german).toContain('<html lang="de"');
      expect(german.length).toBeGreaterThan(long.length);
    }
    expect(english).toContain('<html lang="en"');
    expect(printed(free)).toEqual(made);
  });

  test('is made again if its file is gone, a page is damaged or its chapters have other titles', async () => {
    const free = await openFree();
    const first = await (await printFrom(free, '192.0.2.1')).text();
    for (const [path] of printed(free)) rmSync(path);
    for (const path of pagesOf(free)) writeFileSync(path, 'damaged');
    expect(await (await printFrom(free, '192.0.2.1')).text()).toBe(first);
    writeFiles(free.app.stall.config.content, {
      'books/free/item.yaml': `${itemYaml({ id: 'free' })}chapters: [2.md, {path: 1.md, title: Uno}]\n`,
    });
    await free.app.publish();
    expect((await (await printFrom(free, '192.0.2.1')).text()).indexOf('The end.')).toBeLessThan(10_000);
    expect(printed(free)).toHaveLength(2);
  });
});
