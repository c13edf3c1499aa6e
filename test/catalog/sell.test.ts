import { describe, expect, test } from 'bun:test';
import { parseManifest } from '../../src/catalog/manifest.rule.ts';
import { parseStallManifest } from '../../src/catalog/stall-manifest.rule.ts';

const UUID = '7c2d3f80-1b2c-4d3e-8f90-0123456789ab';

const item = (sell: string, cents = 1900) =>
  parseManifest({
    kind: 'book',
    slug: 'field-notes',
    yaml: `id: n\ntitle: N\ndescription: N\npublisher: A\nunitAmountCents: ${cents}\nsell:${sell}\n`,
  });
const codesOf = ({ problems }: { problems: readonly { code: string }[] }) => problems.map(({ code }) => code);

test('ids of every provider are read, and least in minor units', () => {
  const { manifest, problems } = item(
    `\n  stripe: [plink_1Ab, price_1Cd]\n  polar: [${UUID.toUpperCase()}]\n  lemonsqueezy: 510001\n  gumroad: ["Ex4mple=="]\n  least: {usd: 500, jpy: 0}`,
  );
  expect(problems).toEqual([]);
  expect(manifest?.sell).toEqual({
    stripe: ['plink_1Ab', 'price_1Cd'],
    polar: [UUID],
    lemonsqueezy: ['510001'],
    gumroad: ['Ex4mple=='],
    least: { usd: 500, jpy: 0 },
  });
});

describe('a wrong "sell" is an error of item.yaml', () => {
  test.each([
    ['', 'not-a-mapping', 'as in "sell: {stripe: [plink_1Ab]}"'],
    [' plink_1Ab', 'not-a-mapping', ''],
    [' {strip: [plink_1Ab]}', 'unknown-key', 'Did you mean "stripe"?'],
    [' {least: {usd: 500}}', 'no-sell-id', 'Name the id'],
    [' {stripe: []}', 'bad-sell-ids', '1 to 100'],
    [' {stripe: ["https://buy.stripe.com/test_1"]}', 'bad-sell-id', 'begins with "plink_"'],
    [' {stripe: [prod_1Ab]}', 'bad-sell-id', 'begins with "price_"'],
    [' {stripe: ["plink_1Ab\\nx"]}', 'control-character', ''],
    [' {stripe: [plink_1Ab, plink_1Ab]}', 'repeated-entry', 'Keep one'],
    [' {polar: [my-product]}', 'bad-sell-id', 'id of the product'],
    [' {lemonsqueezy: [0x1]}', 'bad-sell-id', 'a number'],
    [' {gumroad: ["https://a.gumroad.com/l/x"]}', 'bad-sell-id', 'Ex4mple=='],
    [' {stripe: [plink_1Ab], least: 500}', 'bad-least', 'usd: 500'],
    [' {stripe: [plink_1Ab], least: {US: 500}}', 'bad-currency', 'ISO 4217'],
    [' {stripe: [plink_1Ab], least: {usd: 5.00}}', 'bad-price', 'minor units'],
  ])('sell:%s', (written, code, remedy) => {
    const { manifest, problems } = item(written);
    expect(manifest).toBeNull();
    expect(problems.map((one) => [one.code, one.path])).toContainEqual([code, 'item.yaml']);
    expect(problems.find((one) => one.code === code)?.remedy).toContain(remedy);
  });
});

test('a free item is not sold', () => {
  const free = item(' {stripe: [plink_1Ab]}', 0);
  expect(free.manifest).toBeNull();
  expect(free.problems).toMatchObject([{ code: 'free-sell', path: 'item.yaml' }]);
});

test.each([
  ['500', '1900', null],
  ['50', '50', null],
  ['500', '499', 'Let the price be the least'],
  ['49', '1900', '50 or more'],
  ['0', '1900', 'the item is free'],
])('a price of %s may suggest %s: %p', (least, suggested, remedy) => {
  const { manifest, problems } = item(
    ` {stripe: [plink_1Ab]}\nsuggestedAmountCents: ${suggested}`,
    Number(least),
  );
  const errors = problems.filter(({ code }) => code === 'bad-suggestion');
  expect(errors.map((one) => one.remedy)).toEqual(remedy === null ? [] : [expect.stringContaining(remedy)]);
  if (remedy === null) expect(manifest).toMatchObject({ suggestedAmountCents: Number(suggested) });
});

const BUNDLE = 'slug: both\n    title: Both\n    items: [herons, egrets]\n    unitAmountCents: 2900';
const stall = (entry: string) => parseStallManifest(`bundles:\n  - ${entry}\n`);

test('a bundle is read with its defaults, and ids that are not ours', () => {
  const { stall: read, problems } = parseStallManifest(
    `bundles:\n  - ${BUNDLE}\n    sell: {stripe: [plink_2]}\nnotOurs: [plink_9, "77"]\n`,
  );
  expect(problems).toEqual([]);
  expect(read.notOurs).toEqual(['plink_9', '77']);
  expect(read.bundles).toEqual([
    {
      slug: 'both',
      title: 'Both',
      description: '',
      items: ['herons', 'egrets'],
      unitAmountCents: 2900,
      currency: 'usd',
      checkoutUrl: null,
      sell: { stripe: ['plink_2'], polar: [], lemonsqueezy: [], gumroad: [], least: null },
    },
  ]);
});

describe('a wrong bundle is an error of stall.yaml, and none is read', () => {
  test.each([
    ['both', 'not-a-mapping'],
    ['slug: Both', 'bad-bundle-slug'],
    ['title: Both', 'blank-value'],
    ['slug: both', 'blank-value'],
    [BUNDLE.replace('2900', '0'), 'free-bundle'],
    [BUNDLE.replace('2900', '29.00'), 'bad-price'],
    [BUNDLE.replace(', egrets', ''), 'bad-bundle-items'],
    [BUNDLE.replace('egrets', 'herons'), 'repeated-entry'],
    [`${BUNDLE}\n    prise: 5`, 'unknown-key'],
    [`${BUNDLE}\n    checkoutUrl: http://a.example`, 'bad-url'],
    [`${BUNDLE}\n    sell: {stripe: [x]}`, 'bad-sell-id'],
    [`${BUNDLE}\n  - ${BUNDLE}`, 'repeated-entry'],
  ])('%p is %s', (entry, code) => {
    const read = stall(entry);
    expect(codesOf(read)).toContain(code);
    expect(read.problems.every(({ path, severity }) => path === 'stall.yaml' && severity === 'error')).toBe(
      true,
    );
  });
});
