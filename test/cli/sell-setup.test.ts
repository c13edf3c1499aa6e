import { expect, test } from 'bun:test';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STRIPE_EVENTS } from '../../src/sales/stripe.ts';
import { type Files, itemYaml, temporaryDirectory, writeFiles } from '../harness.ts';
import { openStripeAccount } from '../providers/stripe-account.ts';
import { type } from './type.ts';

const BASE = 'https://stall.example.org';
const KEY = 'rk_live_hush';
const CONTENT: Files = {
  'stall.yaml':
    '# My stall\nname: Herons & Co\n\nbundles:\n  - slug: both\n    title: Both\n    items: [herons, egrets]\n    unitAmountCents: 2900 # cheaper\n',
  'books/herons/item.yaml': `# The book\n${itemYaml({ id: 'h', unitAmountCents: 1900 })}\n# For agents\nlanguage:   en\n`,
  'books/herons/a.md': '# A\n',
  'books/egrets/item.yaml': itemYaml({ id: 'e', unitAmountCents: 1500, status: 'draft' }),
  'books/egrets/a.md': '# B\n',
  'books/gulls/item.yaml': itemYaml({ id: 'g', unitAmountCents: 0 }),
  'books/gulls/a.md': '# C\n',
};

type Account = Awaited<ReturnType<typeof openStripeAccount>>;

/** A stall's directory, and `sell setup stripe` typed there. */
function stallWith(account: Account, files: Files = CONTENT) {
  const directory = temporaryDirectory();
  writeFiles(join(directory, 'content'), files);
  const path = (name: string) => join(directory, 'content', name);
  const environment = {
    BOOKSTALL_STRIPE_SETUP_KEY: KEY,
    BOOKSTALL_STRIPE_API_URL: account.url,
    BOOKSTALL_STRIPE_WEBHOOK_SECRET_FILE: join(directory, 'secrets/stripe'),
  };
  return {
    directory,
    environment,
    secretFile: environment.BOOKSTALL_STRIPE_WEBHOOK_SECRET_FILE,
    read: (name: string) => readFileSync(path(name), 'utf8'),
    edit(name: string, from: string | RegExp, to: string) {
      writeFileSync(path(name), readFileSync(path(name), 'utf8').replace(from, to));
    },
    path,
    /** Types the command; counts the writes it made. */
    async setup(words: readonly string[] = [], more: Readonly<Record<string, string>> = {}) {
      const before = account.writes().length;
      const flags = ['--content', path(''), '--data', join(directory, 'data'), '--base-url', BASE];
      const said = await type(['sell', 'setup', 'stripe', ...words, ...flags], { ...environment, ...more });
      expect(said.out + said.err).not.toMatch(/rk_live_|sk_test_|whsec_/);
      return { ...said, writes: account.writes().slice(before) };
    },
  };
}

test('a first run makes webhook, product, price and link, and writes their ids; a second writes nothing', async () => {
  const account = await openStripeAccount();
  const stall = stallWith(account);
  const first = await stall.setup();
  expect(first.out).toContain('Next: Restart the server');
  expect(first.code).toBe(0);
  expect(account.list('payment_links')).toHaveLength(2);
  const [bundle, book] = account.list('payment_links');
  expect(book).toMatchObject({
    after_completion: {
      type: 'redirect',
      redirect: { url: `${BASE}/claim/stripe?id={CHECKOUT_SESSION_ID}` },
    },
    currency: 'usd',
  });
  expect(stall.read('books/herons/item.yaml')).toBe(
    String(CONTENT['books/herons/item.yaml']).replace(
      'Cents: 1900\n',
      `Cents: 1900\ncheckoutUrl: ${book!['url']}\nsell: {stripe: [${book!['id']}]}\n`,
    ),
  );
  expect(stall.read('stall.yaml')).toBe(
    `${CONTENT['stall.yaml']}    checkoutUrl: ${bundle!['url']}\n    sell: {stripe: [${bundle!['id']}]}\n`,
  );
  const [webhook] = account.list('webhook_endpoints');
  expect(webhook).toMatchObject({ url: `${BASE}/webhooks/stripe`, enabled_events: [...STRIPE_EVENTS] });
  expect(readFileSync(stall.secretFile, 'utf8')).toBe(String(webhook!['secret']));
  expect(statSync(stall.secretFile).mode & 0o777).toBe(0o600);
  const second = await stall.setup();
  expect(second.out).toContain('Nothing changed');
  expect(second.writes).toEqual([]);
});
