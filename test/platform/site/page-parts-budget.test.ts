import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { itemYaml, openStall, SHELF } from '../../helpers/harness.ts';

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(100_000)]);
const LARGE = {
  'books/large/item.yaml': itemYaml({ id: 'large', cover: 'a.png' }),
  'books/large/a.png': PNG,
};
const { fetch } = await openStall({
  files: { ...SHELF, 'stall.yaml': 'logo: logo.svg\nawning: "#1f4e5f"\n', 'logo.svg': '<svg/>' },
  config: { routeBudget: { limit: 3, seconds: 60 } },
});
const load = (path: string) => fetch(path, { headers: { Accept: 'text/html' } });

/** The stylesheets, script, letters, icon, logo and covers of a page. */
const partsOf = (html: string): readonly string[] =>
  [...html.matchAll(/(?:href|src)="(\/(?:assets|covers)\/[^"]*)"/g)].map(([, path = '']) => path);

const page = await load('/');
const parts = partsOf(await page.text());

test('a page loads its style sheets, script, letters, icon, logo and covers', () => {
  const kinds = new Set(parts.map((path) => path.replace(/[^/]+(?=\.\w+$)/, '*')));
  expect([page.status, [...kinds].toSorted()]).toEqual([
    200,
    ['/assets/*.css', '/assets/*.js', '/assets/*.svg', '/assets/*.woff2', '/covers/*.svg'],
  ]);
  expect(parts.length).toBeGreaterThan(8);
});

test('loading them does not count against the budget of pages', async () => {
  for (let n = 0; n < 5; n++) for (const path of parts) expect((await load(path)).status).toBe(200);
  expect((await load('/')).status).toBe(200);
});

test('a client over its budget still gets a whole page, styled and with every part, that says when to try again', async () => {
  while ((await load('/')).status === 200);
  const refused = await load('/');
  const html = await refused.text();
  expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(html).toMatch(/<h1>Too many requests<\/h1>.*wait \d+ s/s);
  expect(html).toMatch(/<header class="site-header">.*<footer/s);
  expect(partsOf(html).length).toBeGreaterThanOrEqual(4);
  for (const path of [...partsOf(html), ...parts]) expect((await load(path)).status).toBe(200);
  for (const path of ['/favicon.ico', '/covers/none-0123456789abcdef.svg', '/assets/none.css'])
    expect((await load(path)).status).toBe(404);
});

test('the image itself counts, since pages load it at a smaller size', async () => {
  const stall = await openStall({ files: LARGE, config: { routeBudget: { limit: 3, seconds: 60 } } });
  const html = await (await stall.fetch('/books/large')).text();
  const cover = /\/covers\/[^"]*/.exec(html)![0].replace('-480.webp', '.png');
  const statuses = [];
  for (let n = 0; n < 3; n++) statuses.push((await stall.fetch(cover)).status);
  expect(statuses).toEqual([200, 200, 429]);
});
