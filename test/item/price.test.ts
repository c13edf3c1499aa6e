import { expect, test } from 'bun:test';
import { formatMoney, majorUnits } from '../../src/item/price.ts';

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
