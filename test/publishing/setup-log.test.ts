import { describe, expect, test } from 'bun:test';
import { NO_SALES } from '../../src/platform/config/sales.ts';
import { itemYaml, openStall, writeFiles } from '../helpers/harness.ts';
import { examineHealth } from '../../src/office/server-start.ts';

const secret = { live: ['whsec_hush'], test: [] };
const ON = { ...NO_SALES, isOn: true };
const STRIPE = { ...ON, secrets: { ...ON.secrets, stripe: secret } };
const API_KEY = { ...ON, secrets: { ...ON.secrets, stripe: { live: ['sk_live_hush'], test: [] } } };
const TESTS_ONLY = { ...ON, secrets: { ...ON.secrets, stripe: { live: [], test: ['whsec_hush'] } } };
const book = (sell?: string) => ({
  'books/herons/item.yaml': itemYaml({
    id: 'h',
    unitAmountCents: 1900,
    ...(sell === undefined ? {} : { sell }),
  }),
  'books/herons/a.md': '# A\n',
});
const SOLD = '{stripe: [plink_1]}';

describe('a stall that starts, and its office, say what keeps sales from making grants', () => {
  test.each([
    ['no secret', ON, SOLD, 'Items name ids of Stripe, but BOOKSTALL_STRIPE_WEBHOOK_SECRET is not set'],
    ['test secrets alone', TESTS_ONLY, SOLD, 'Only test sales of Stripe are verified'],
    ['sales switched off', NO_SALES, SOLD, 'Items name ids of Stripe, but sales are switched off'],
    ['a secret without ids', STRIPE, undefined, 'is set, but no item names an id of Stripe'],
    [
      'an API key for a secret',
      API_KEY,
      SOLD,
      'BOOKSTALL_STRIPE_WEBHOOK_SECRET does not begin with "whsec_"',
    ],
    ['nothing', STRIPE, SOLD, null],
    ['nothing', ON, undefined, null],
  ])('%s', async (_, sales, sell, sentence) => {
    const stall = await openStall({ files: book(sell), config: { sales } });
    const said = stall.log
      .filter(({ event }) => event === 'sale-setup')
      .map(({ message }) => String(message));
    await stall.app.salesSettled();
    const [check] = (await examineHealth(stall.app.stall)).filter((one) => one.check === 'sales');
    if (sentence === null) expect([said, check?.status]).toEqual([[], 'ok']);
    else {
      expect(said).toEqual([expect.stringContaining(sentence)]);
      expect(check).toMatchObject({ status: 'warn', sentence: expect.stringContaining(sentence) });
    }
    expect(JSON.stringify([stall.log, check])).not.toContain('hush');
  });
});

test('it is said once, and again when a publish changes it', async () => {
  const stall = await openStall({ files: book(), config: { sales: ON } });
  const said = () => stall.log.filter(({ event }) => event === 'sale-setup').length;
  await stall.app.publish();
  expect(said()).toBe(0);
  writeFiles(stall.content, book(SOLD));
  await stall.app.publish();
  await stall.app.publish();
  expect(said()).toBe(1);
});
