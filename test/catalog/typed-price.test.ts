import { describe, expect, test } from 'bun:test';
import { type } from '../platform/cli/type.ts';
import { temporaryDirectory, writeFiles } from '../helpers/harness.ts';

const book = (slug: string, lines: string) => ({
  [`books/${slug}/item.yaml`]: `id: bk_${slug}\ntitle: ${slug}\ndescription: d\npublisher: p\n${lines}\n`,
  [`books/${slug}/one.md`]: '# One\n\nText.\n',
});

async function check(files: Readonly<Record<string, string>>) {
  const content = temporaryDirectory();
  writeFiles(content, files);
  return type(['check', '--content', content]);
}

describe('price in item.yaml', () => {
  test.each([
    ['price: 19.00', '$19'],
    ['price: 19', '$19'],
    ['price: 19,50 €\ncurrency: EUR', '€19.50'],
    ['price: 500\ncurrency: JPY', '¥500'],
    ['price: 4.35', '$4.35'],
    ['price: 0', 'Free'],
    ['price: 0.29', '$0.29'],
  ])('%j is %s', async (lines, shown) => {
    const { code, out } = await check(book('fens', lines));
    expect([code, out]).toEqual([0, expect.stringContaining(`1 file, ${shown},`)]);
    expect(out).not.toContain('hundredths');
  });

  test.each([
    ['price: 19.00\nunitAmountCents: 1900', 'Cannot use "price" beside "unitAmountCents"'],
    ['price: 5.50\ncurrency: jpy', 'Cannot use "5.50" as "price"'],
    ['price: 1e2', 'Cannot use "1e2" as "price"'],
    ['price: -5', 'Cannot use "-5" as "price"'],
    ['price: 19 GBP', 'Cannot use "19 GBP" as "price"'],
    ['price:', 'Cannot use a blank "price"'],
    ['currency: EUR', 'Cannot find the key "unitAmountCents"'],
  ])('%j is refused, and never free', async (lines, sentence) => {
    const { code, out } = await check(book('fens', lines));
    expect([code, out]).toEqual([1, expect.stringContaining(sentence)]);
    expect(out).not.toMatch(/Free|"unitAmountCents", and|Cannot read the key "price"/);
  });
});

test('a bundle has the currency of "defaults" and a price as people type it, and names items of other currencies', async () => {
  const stall = `defaults: {currency: EUR}
bundles: [{slug: both, title: Both, items: [fens, bogs, moss], price: 49}]
`;
  const items = { ...book('fens', 'price: 19'), ...book('moss', 'price: 0\ncurrency: gbp') };
  const mixed = await check({ 'stall.yaml': stall, ...items, ...book('bogs', 'price: 19\ncurrency: usd') });
  expect([mixed.code, mixed.out]).toEqual([
    1,
    expect.stringContaining(
      `Cannot sell "bogs" in the bundle "both": its price is in USD, the bundle's in EUR`,
    ),
  ]);
  expect(mixed.out.match(/Cannot sell/g)).toHaveLength(1);
  const same = await check({ 'stall.yaml': stall, ...items, ...book('bogs', 'price: 19') });
  expect([same.code, same.out]).toEqual([0, expect.stringContaining('€19')]);
});
