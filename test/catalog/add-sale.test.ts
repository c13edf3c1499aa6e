import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { addSale } from '../../src/catalog/manifest.rule.ts';

const URL = 'https://buy.stripe.com/a?b=c';
const add = (
  yaml: string,
  id: string | null = 'plink_1',
  url: string | null = URL,
  bundle: string | null = null,
) => addSale(yaml, { bundle, provider: 'stripe', id, checkoutUrl: url });

describe('a sale is written into item.yaml, and every other byte stays', () => {
  test.each([
    [
      'after the price',
      '# A\nid:  h\nunitAmountCents:   1900 # net\n\n# B\nlanguage: en\n',
      `# A\nid:  h\nunitAmountCents:   1900 # net\ncheckoutUrl: ${URL}\nsell: {stripe: [plink_1]}\n\n# B\nlanguage: en\n`,
    ],
    [
      'without a last line break',
      'unitAmountCents: 1900',
      `unitAmountCents: 1900\ncheckoutUrl: ${URL}\nsell: {stripe: [plink_1]}`,
    ],
    [
      'with the line breaks of Windows',
      'unitAmountCents: 1900\r\nid: h\r\n',
      `unitAmountCents: 1900\r\ncheckoutUrl: ${URL}\r\nsell: {stripe: [plink_1]}\r\nid: h\r\n`,
    ],
    [
      'beside another provider',
      `checkoutUrl: "x" # old\nunitAmountCents: 1\nsell:\n    # there\n    gumroad: ["a=="]\n`,
      `checkoutUrl: ${URL} # old\nunitAmountCents: 1\nsell:\n    # there\n    stripe: [plink_1]\n    gumroad: ["a=="]\n`,
    ],
    [
      'into a flow mapping',
      'unitAmountCents: 1\nsell: { least: {usd: 5}}\ncheckoutUrl: x',
      `unitAmountCents: 1\nsell: { stripe: [plink_1], least: {usd: 5}}\ncheckoutUrl: ${URL}`,
    ],
    [
      'before other ids',
      "checkoutUrl: 'x'\nsell: {stripe: [ plink_0,  price_0 ]}\nunitAmountCents: 1\n",
      `checkoutUrl: ${URL}\nsell: {stripe: [ plink_1, plink_0,  price_0 ]}\nunitAmountCents: 1\n`,
    ],
    [
      'before ids a line each',
      'sell:\n  stripe:\n    - plink_0  # old\n    - price_0\nunitAmountCents: 1\ncheckoutUrl: x\n',
      `sell:\n  stripe:\n    - plink_1\n    - plink_0  # old\n    - price_0\nunitAmountCents: 1\ncheckoutUrl: ${URL}\n`,
    ],
    [
      'before one id',
      'sell: {stripe: plink_0} # x\ncheckoutUrl: x\nunitAmountCents: 1\n',
      `sell: {stripe: [plink_1, plink_0]} # x\ncheckoutUrl: ${URL}\nunitAmountCents: 1\n`,
    ],
    [
      'after a byte order mark',
      '\uFEFFunitAmountCents: 1\nid: h\n',
      `\uFEFFunitAmountCents: 1\ncheckoutUrl: ${URL}\nsell: {stripe: [plink_1]}\nid: h\n`,
    ],
    [
      'into JSON',
      '{"unitAmountCents": 1900, "id": "h"}\n',
      `{"unitAmountCents": 1900, checkoutUrl: ${URL}, sell: {stripe: [plink_1]}, "id": "h"}\n`,
    ],
  ])('%s', (_, yaml, written) => {
    expect(add(yaml)).toBe(written);
  });
  test('a rare way of writing is left alone', () => {
    expect(() => add('? unitAmountCents\n: 1\nid: h\n')).toThrow('by hand');
  });
  test('a bundle gets its own', () => {
    const yaml =
      'bundles:\n- {slug: a, unitAmountCents: 1}\n-   slug: b\n    unitAmountCents: 2\n    title: B\n';
    expect(add(yaml, 'plink_1', null, 'b')).toBe(yaml.replace('2\n', '2\n    sell: {stripe: [plink_1]}\n'));
    expect(add(yaml, 'plink_1', null, 'a')).toBe(yaml.replace('1}', '1, sell: {stripe: [plink_1]}}'));
  });
});

test('any item.yaml says the same as before, and the sale', () => {
  const blank = fc.constantFrom('', '\n', '# a: b\n', '   \n');
  const ids = fc.constantFrom(
    '[plink_0, "price_0"]',
    "'plink_0'",
    '\n    - plink_0\n    # c\n    - "x" # d',
    '\n  - plink_0',
    '[\n    plink_0\n  ]',
  );
  const sell = ids.chain((list) =>
    fc.constantFrom(
      '',
      `sell:\n  stripe: ${list}\n`,
      `sell:\n  gumroad: a\n  # c\n  stripe: ${list}\n`,
      'sell:   {polar: b}  # e\n',
      'sell:\n   polar: b\n',
    ),
  );
  const button = fc.constantFrom(
    '',
    'checkoutUrl: "https://a#b" # c\n',
    'checkoutUrl: >-\n  https://a\n',
    'checkoutUrl:\n  https://a\n',
  );
  const price = fc.constantFrom(
    'unitAmountCents: 1900\n',
    'unitAmountCents:   "1900"   # x\n',
    '"unitAmountCents":\n  1900\n',
  );
  const other = fc.constantFrom(
    'title: |\n  A\n   B\n',
    'title: A\n  B\n',
    "title: 'it''s'\n",
    'tags: [a,\n  b]\n',
  );
  const file = fc
    .tuple(price, sell, button, other)
    .chain((parts) =>
      fc.tuple(fc.shuffledSubarray(parts, { minLength: 4 }), fc.array(blank, { minLength: 5, maxLength: 5 })),
    );
  fc.assert(
    fc.property(file, fc.boolean(), fc.boolean(), ([parts, blanks], hasId, hasUrl) => {
      const yaml = blanks[4] + parts.map((part, n) => part + blanks[n]).join('');
      const read = (text: string) => parse(text, { schema: 'failsafe' }) as Record<string, unknown>;
      const expected = read(yaml);
      const changed = read(add(yaml, hasId ? 'plink_1' : null, hasUrl ? URL : null));
      if (hasUrl) expected['checkoutUrl'] = URL;
      if (hasId) {
        const before = (expected['sell'] ?? {}) as Record<string, unknown>;
        const former = before['stripe'] === undefined ? [] : [before['stripe']].flat();
        expected['sell'] = { ...before, stripe: ['plink_1', ...former] };
      }
      expect(changed).toEqual(expected);
    }),
  );
});
