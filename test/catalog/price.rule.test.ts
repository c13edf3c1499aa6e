import { expect, test } from 'bun:test';
import { formatMoney, majorUnits, readPrice } from '../../src/catalog/price.rule.ts';

test.each([
  [1950, 'usd', '$19.50', '19.50'],
  [500, 'jpy', '¥500', '500'],
  [1950, '', '1,950', '1950'],
  [1950, '__proto__', '1,950', '1950'],
  [0, 'us', '0', '0'],
])('%d of the currency %j is %s', (amount, currency, money, major) => {
  expect(formatMoney(amount, currency)).toBe(money);
  expect(majorUnits(amount, currency)).toBe(major);
});

test.each([
  ['19', 'usd', 1900],
  ['19.00', 'usd', 1900],
  ['19.5', 'usd', 1950],
  ['0', 'usd', 0],
  ['$19', 'usd', 1900],
  ['19,00 €', 'eur', 1900],
  ['19,00 eur', 'eur', 1900],
  ['EUR 19', 'eur', 1900],
  ['500', 'jpy', 500],
  ['¥500', 'jpy', 500],
  ['1.500', 'kwd', 1500],
  ['9999999.99', 'usd', 999_999_999],
  ['10000000', 'usd', null],
  ['999999999', 'usd', null],
  ['500.00', 'jpy', null],
  ['19 EUR', 'usd', null],
  ['$19', 'eur', null],
  ['1,900', 'usd', null],
  ['1.900,00', 'usd', null],
  ['1 900', 'usd', null],
  ['19.', 'usd', null],
  ['-19', 'usd', null],
  ['1e3', 'usd', null],
  ['1$9', 'usd', null],
  ['nineteen', 'usd', null],
  ['', 'usd', null],
  ['１９', 'usd', null],
])('%p in %s is %p minor units', (text, currency, amount) => {
  expect(readPrice(text, currency)).toBe(amount);
});
