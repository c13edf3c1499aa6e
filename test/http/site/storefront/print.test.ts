import { expect, test } from 'bun:test';
import { parseNetworks } from '../../../../src/budget/address.ts';
import { itemYaml, openStall } from '../../../helpers/harness.ts';

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

test('a stranger prints one free book at a time, and another stranger one more', async () => {
  const long = `# One\n\n${'A heron stands on one leg.\n\n'.repeat(4000)}`;
  const other = await openStall({
    config: { trustedProxies: parseNetworks('127.0.0.1') },
    files: {
      'books/free/item.yaml': itemYaml({ id: 'free' }),
      'books/free/1.md': long,
      'books/free/2.md': '# Two\n\nThe end.\n',
    },
  });
  const { pages } = other.app.stall;
  const { open } = pages;
  const { promise: opened, resolve: letGo } = Promise.withResolvers<void>();
  // The second chapter takes long.
  Object.assign(pages, {
    open: async (...of: Parameters<typeof open>) => {
      if (of[1].path === '2.md') await opened;
      return open(...of);
    },
  });
  const printFrom = (address: string) =>
    other.fetch('/books/free/print', { headers: { Accept: 'text/html', 'X-Forwarded-For': address } });
  const [one, two] = [await printFrom('192.0.2.1'), await printFrom('192.0.2.2')];
  expect([one.status, two.status, (await printFrom('192.0.2.1')).status]).toEqual([200, 200, 429]);
  letGo();
  expect(await one.text()).toBe(await two.text());
});
