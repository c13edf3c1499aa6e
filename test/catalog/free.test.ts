import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { isFree } from '../../src/catalog/item.rule.ts';

test('a private item is never free, whatever its price', () => {
  for (const status of ['published', 'archived', 'draft'] as const)
    expect([isFree({ status, unitAmountCents: 0 }), isFree({ status, unitAmountCents: 1 })]).toEqual([
      true,
      false,
    ]);
  for (const unitAmountCents of [0, 1, null])
    expect(isFree({ status: 'private', unitAmountCents })).toBe(false);
});

/** Files that write amounts of money, or weigh those of bundles and public offers; none decides who may have an item. */
const OF_MONEY = [
  'src/catalog/bundle.ts',
  'src/catalog/item.rule.ts',
  'src/catalog/price.rule.ts',
  'src/catalog/item-words.ts',
  'src/installing/client/library.cli.ts',
  'src/publishing/provider-connection.ts',
  'src/publishing/sell-check.ts',
];

test('isFree is the one question asked of a price', () => {
  const compares = /(?:unitAmountCents|price)\b[^;\n]{0,12}(?:[!=]==?|[<>]=?) 0\b/i;
  const found = [...new Bun.Glob('src/**/*.{ts,tsx}').scanSync()].filter((file) =>
    compares.test(readFileSync(file, 'utf8')),
  );
  expect(found.filter((file) => !OF_MONEY.includes(file))).toEqual([]);
});
