import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHELF } from '../helpers/harness.ts';
import { openAdmin, wordsOf } from './visit.ts';

const PATH = '/admin/settings/bundles';
const { stall, open, cookie } = await openAdmin({ files: SHELF });

async function send(fields: Readonly<Record<string, string | readonly string[]>>) {
  const body = new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, one] as [string, string]),
    ),
  );
  const headers = { ...cookie, 'Sec-Fetch-Site': 'same-origin' };
  const answer = await stall.fetch(PATH, { method: 'POST', headers, body, redirect: 'manual' });
  return { status: answer.status, html: await answer.text() };
}

const BOTH = {
  setting: '+',
  slug: 'both',
  title: 'Book and skill',
  items: ['paid-book', 'paid-skill'],
  price: '29',
};
const visit = async (path: string) => {
  const answer = await stall.fetch(path);
  return { status: answer.status, words: wordsOf(await answer.text()) };
};

test('a bundle is added, says what it saves, is changed, and is removed', async () => {
  expect(
    (await send({ ...BOTH, description: 'Of *herons*.', checkoutUrl: 'https://pay.example/both' })).status,
  ).toBe(303);
  expect(wordsOf((await open(PATH)).html)).toContain('Book and skill It saves $9.');
  expect(await visit('/bundles/both')).toMatchObject({ status: 200 });
  expect(await (await stall.fetch('/bundles/both')).text()).toContain('https://pay.example/both');
  expect((await send({ ...BOTH, setting: 'both', title: 'Both', price: '30' })).status).toBe(303);
  expect((await visit('/bundles/both')).words).toContain('$30');
  expect((await send({ setting: 'both', remove: 'on' })).status).toBe(303);
  expect((await visit('/bundles/both')).status).toBe(404);
});

test.each([
  ['slug', { slug: 'No Slug' }, 'Use at most 64 of a-z'],
  ['slug', { slug: 'free-book' }, 'another bundle or an item has this slug'],
  ['title', { title: '' }, 'Cannot'],
  ['items', { items: ['paid-book'] }, 'Cannot use 1 items'],
  ['items', { items: ['paid-book', 'none'] }, 'no item has this slug'],
  ['items', { currency: 'eur' }, "its price is in USD, the bundle's in EUR"],
  ['price', { price: 'much' }, 'write it as 29.00'],
  ['price', { price: '0' }, 'Give the bundle a price'],
  ['checkoutUrl', { checkoutUrl: 'http://pay.example' }, 'begins with "https://"'],
])(
  'a bundle with a wrong %s %j is refused beside the field, and what was typed stays',
  async (name, more, sentence) => {
    const { status, html } = await send({ ...BOTH, description: 'Typed words', ...more });
    expect([status, wordsOf(html)]).toEqual([400, expect.stringContaining(sentence)]);
    const added = html.slice(html.indexOf('id="+"'));
    const field = added
      .split(name === 'items' ? 'fieldset' : 'class="field"')
      .find((one) => one.includes(`name="${name}"`));
    expect(field).toContain('class="error"');
    expect(html).toContain('Typed words</textarea>');
    expect((await visit('/bundles/both')).status).toBe(404);
  },
);

test('the bundles of stall.yaml are shown fixed', async () => {
  const yaml =
    'bundles:\n  - slug: pair\n    title: A pair\n    items: [paid-book, paid-skill]\n    price: 20\n';
  writeFileSync(join(stall.content, 'stall.yaml'), yaml);
  await stall.app.publish();
  expect(wordsOf((await open(PATH)).html)).toContain('A pair (pair) Set by stall.yaml, and changed there.');
  const { status, html } = await send(BOTH);
  expect([status, wordsOf(html)]).toEqual([400, expect.stringContaining('stall.yaml sets them')]);
});
