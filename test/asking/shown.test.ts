import { expect, test } from 'bun:test';
import { itemYaml, openStall } from '../helpers/harness.ts';
import { type } from '../platform/cli/type.ts';
import { createVisitor } from '../platform/site/visitor.ts';

const rows = Array.from(
  { length: 60 },
  (_, n) =>
    `| ${n === 55 ? 'Zephyria' : 'Cloud'} | below ${n} km, quite far above the roofs | grey lumps wider than three fingers |`,
);
const stall = await openStall({
  files: {
    'books/sky/item.yaml': itemYaml({ id: 'sky', title: 'Sky', math: 'true', language: 'en' }),
    'books/sky/a.md': `# Clouds\n\nThe list:\n\n| Cloud | Base in *kilometres* | How to know it |\n| --- | --- | --- |\n${rows.join('\n')}\n`,
    'books/sky/b.md': '# Dew\n\nThe dewmark $T_d$ depends on a*b and costs \\$5 at $\\frac{a}{b}$ degrees.\n',
    'books/money/item.yaml': itemYaml({ id: 'money', title: 'Money', language: 'en' }),
    'books/money/a.md': '# Price\n\nThe pricemark is $4 in summer, and $5 in winter.\n',
  },
});
const reader = await stall.reader('ann@example.org');
const visitor = createVisitor(stall, await stall.signIn('ann@example.org'));

test('rows of a table that an excerpt begins with are shown as a table, below its titles', async () => {
  const { html } = await visitor.open('/books/sky/ask');
  const token = /name="token" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const answer = await visitor.send('/books/sky/ask', {
    question: 'What is Zephyria, and how high above the roofs?',
    token,
  });
  expect(answer.text).toContain('Zephyria ');
  const excerpt = /<figure class="excerpt"[^]*?<\/figure>/.exec(answer.html)?.[0] ?? '';
  expect(excerpt).toContain('<th scope="col">Base in <em>kilometres</em></th>');
  expect(excerpt).toMatch(/<mark[^>]*>Zephyria/);
  expect(excerpt).not.toMatch(/\||below 1 km/);
});

test.each(['/search?q=', '/books/sky/search?q='])(
  '%s shows formulas and rows as the page of the book does',
  async (path) => {
    const { html } = await visitor.open(`${path}dewmark`);
    const found = /<ol class="found"[^]*?<\/ol>/.exec(html)?.[0] ?? '';
    expect(found).toContain('<mark>dewmark</mark> <math>');
    expect(found).toMatch(/<mfrac>[^]*<\/mfrac>/);
    expect(found).toContain('depends on a*b and costs $5 at');
    expect(found).not.toMatch(/T_d\$|\\frac/);
    const table = await visitor.open(`${path}zephyria`);
    expect(table.text).toContain('Zephyria · below 55 km');
  },
);

test('a dollar in a book without formulas stays one', async () => {
  expect((await visitor.open('/search?q=pricemark')).text).toContain(
    'pricemark is $4 in summer, and $5 in winter.',
  );
});

test('the command shows rows without their marks', async () => {
  const environment = { BOOKSTALL_URL: stall.url, BOOKSTALL_KEY: reader.key };
  const { out } = await type(['search', 'zephyria'], environment);
  expect(out).toContain('Zephyria · below 55 km');
  expect(out).not.toContain('|');
});

test('a program gets the words as they are in the file', async () => {
  const answer = await stall.fetch('/api/search?q=zephyria', { headers: reader.headers });
  expect(JSON.stringify(await answer.json())).toContain('| Zephyria | below 55 km');
});
