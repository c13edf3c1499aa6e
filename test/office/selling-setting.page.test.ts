import { describe, expect, test } from 'bun:test';
import { Database } from 'bun:sqlite';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_SALES } from '../../src/platform/config/sales.ts';
import { itemYaml } from '../helpers/harness.ts';
import { type } from '../platform/cli/type.ts';
import { openMailServer } from '../mailing/mail-server.ts';
import { openStripeAccount } from '../selling/providers/stripe-account.ts';
import { openAdmin, wordsOf } from './visit.ts';

const PATH = '/admin/settings/selling';
const KEY = 'rk_live_very_secret_4242';
const BASE = 'https://stall.example.org';
const textOf = ({ html }: { readonly html: string }): string => wordsOf(html);
const files = (sell: string) => ({
  'books/herons/item.yaml': itemYaml({ id: 'h', title: 'Herons', unitAmountCents: 1900, sell }),
  'books/herons/a.md': '# A\n',
});

describe('Stripe', async () => {
  const account = await openStripeAccount();
  const mail = await openMailServer();
  const { stall, open, send, cookie } = await openAdmin({
    files: files('{stripe: [plink_9]}'),
    config: {
      baseUrl: BASE,
      sales: { ...NO_SALES, isOn: true },
      given: { BOOKSTALL_STRIPE_API_URL: account.url },
      mail: {
        host: 'localhost',
        port: mail.port,
        encryption: 'none',
        login: null,
        from: 'stall@example.org',
        tellsSales: false,
        pause: 0,
      },
    },
  });
  const connect = (key = KEY) => send(PATH, { setting: 'stripe', key });
  const held = () => stall.app.stall.config.sales;

  test('is connected by its key: the webhook is made, and takes sales from the next request', async () => {
    expect(textOf(await open(PATH))).toContain('Stripe Not connected.');
    expect((await open('/admin/codes')).html).not.toContain('dashboard.stripe.com/coupons');
    expect((await stall.fetch('/webhooks/stripe', { method: 'POST', body: '{}' })).status).toBe(404);
    const done = textOf(await connect());
    expect(done).toContain('Stripe is connected for live sales.');
    expect(done).toContain('Made the webhook');
    expect(account.list('webhook_endpoints')).toMatchObject([{ url: `${BASE}/webhooks/stripe` }]);
    expect(held().secrets.stripe.live).toHaveLength(1);
    expect(held().apis.stripe).toMatchObject({ key: KEY });
    expect((await stall.fetch('/webhooks/stripe', { method: 'POST', body: '{}' })).status).toBe(401);
    const { html } = await open(PATH);
    expect(textOf({ html })).toContain('Connected for live sales');
    expect((await open('/admin/codes')).html).toContain('href="https://dashboard.stripe.com/coupons"');
    // Enter in the field of the key presses the first button of its form.
    const [, form = ''] = html.split('id="stripe"');
    expect(/<button type="submit".*?<\/button>/s.exec(form)?.[0]).toContain('Connect Stripe again');
    expect(html).toContain('data-confirm="Sales at Stripe open nothing here until you connect it again."');
  });

  test('is connected again without another webhook, and with one whose secret was lost', async () => {
    const [secret] = held().secrets.stripe.live;
    await connect();
    expect([account.list('webhook_endpoints').length, held().secrets.stripe.live[0]]).toEqual([1, secret]);
    await send(PATH, { setting: 'stripe', act: 'disconnect' });
    expect(held().secrets.stripe.live).toEqual([]);
    expect(textOf(await connect())).not.toMatch(/bookstall |restart/);
    expect(account.list('webhook_endpoints')).toHaveLength(1);
    expect(held().secrets.stripe.live[0]).not.toBe(secret);
  });

  test('a played sale goes to order, item and mail, is told step by step, and leaves nothing', async () => {
    const played = textOf(await send(PATH, { setting: 'stripe', act: 'play' }));
    expect(played).toMatch(/The webhook of Stripe was taken: order .* is paid/);
    expect(played).toContain('It opens herons.');
    expect(played).toMatch(/The mail “\w+” is sent/);
    expect(mail.received.at(-1)).toMatchObject({ to: ['owner@example.org'] });
    expect(played).toContain('It counts nowhere'.slice(3));
    const db = new Database(join(stall.data, 'bookstall.db'), { readonly: true });
    expect(db.query('SELECT count(*) AS paid FROM orders WHERE state = ?').get('paid')).toEqual({ paid: 0 });
    expect(textOf(await open(PATH))).toContain('Last event: checkout.session.completed, live');
  });

  test('is known to the commands beside the server, which need no variable then', async () => {
    const beside = ['--content', stall.content, '--data', stall.data, '--base-url', BASE];
    const environment = { BOOKSTALL_STRIPE_API_URL: account.url };
    const checked = await type(['sell', 'check', ...beside], environment);
    expect(checked.out).toMatch(/Secret +set /);
    expect(checked.out).toMatch(/API key +set /);
    const asked = await type(['orders', 'reconcile', '--dry-run', '--data', stall.data], environment);
    expect(asked.out + asked.err).not.toContain('No provider can be asked');
    const sold = await type(['sell', 'test', 'stripe', 'herons', '--email', 'b@example.org', ...beside], {});
    expect(sold.out).toContain('of b@example.org is paid.');
    const seen = await type(['doctor', '--json', '--content', stall.content, '--data', stall.data], {});
    expect(seen.out).toContain('"Sales of Stripe make grants');
  });

  test('an item that was added in the office is made there by one button, and has its Buy button', async () => {
    const headers = { ...cookie, 'Sec-Fetch-Site': 'same-origin' };
    const body = new FormData();
    body.set('file', new File(['# Egrets\n\nWhite birds.\n'], 'egrets.md'));
    await stall.fetch('/admin/add', { method: 'POST', headers, body });
    const edit = '/admin/items/egrets/edit';
    const hash = async () => /name="hash" value="([0-9a-f]{64})"/.exec((await open(edit)).html)?.[1] ?? '';
    const words = new FormData();
    for (const [name, value] of Object.entries({
      ...{ title: 'Egrets', description: 'White birds', publisher: 'Quince Press', price: '15' },
      ...{ currency: 'usd', status: 'published', hash: await hash() },
    }))
      words.set(name, value);
    await stall.fetch(edit, { method: 'POST', headers, body: words });
    expect(textOf(await open(edit))).toContain('Nobody can buy it yet.');
    expect(textOf(await send('/admin/items/egrets/sell', { provider: 'stripe', hash: 'old' }))).toContain(
      'this item was changed in the meantime',
    );
    const made = textOf(await send('/admin/items/egrets/sell', { provider: 'stripe', hash: await hash() }));
    expect(made).toContain('It is at Stripe.');
    const [link] = account.list('payment_links');
    expect(made).toContain(`its Buy button leads to ${String(link!['url'])}`);
    expect(await (await stall.fetch('/books/egrets')).text()).toContain(String(link!['url']));
    const links = account.list('payment_links').length;
    expect(
      textOf(await send('/admin/items/egrets/sell', { provider: 'stripe', hash: await hash() })),
    ).toContain('Nothing had to change.');
    expect(account.list('payment_links')).toHaveLength(links);
  });

  test('a key with too few rights is refused beside its field, with the rights it needs', async () => {
    account.faults.answer = () => ({
      status: 403,
      body: JSON.stringify({ error: { message: 'No rights' } }),
    });
    const { status, html } = await connect('rk_live_other');
    expect(status).toBe(400);
    const field = html.slice(html.indexOf('name="key"')).split('</form>')[0]!;
    expect(wordsOf(field)).toContain(
      'let the key write Products, Prices, Payment Links and Webhook Endpoints',
    );
    account.faults.answer = null;
    for (const key of ['', 'a b'])
      expect(textOf(await connect(key))).toMatch(/Type the key|it contains spaces/);
    expect(held().apis.stripe).toMatchObject({ key: KEY });
  });

  test('neither key nor secret is on a page, in a file or in a log', async () => {
    const pages = await Promise.all(
      [PATH, '/admin', '/admin/audit'].map(async (path) => (await open(path)).html),
    );
    const names = ['bookstall.db', 'bookstall.db-wal'];
    const stored = names.map((name) => readFileSync(join(stall.data, name), 'latin1'));
    for (const text of [...pages, ...stored, JSON.stringify(stall.log)])
      for (const hidden of [KEY, held().secrets.stripe.live[0] ?? '']) expect(text).not.toContain(hidden);
    expect(pages[0]).toContain('ends with 4242');
  });

  test('with a key of its test mode takes test sales alone', async () => {
    const trial = await openStripeAccount({ isTest: true });
    const other = await openAdmin({
      files: files('{stripe: [plink_9]}'),
      config: {
        baseUrl: BASE,
        sales: { ...NO_SALES, isOn: true },
        given: { BOOKSTALL_STRIPE_API_URL: trial.url },
      },
    });
    expect(textOf(await other.send(PATH, { setting: 'stripe', key: 'rk_test_1' }))).toContain(
      'Stripe is connected for its test mode, whose sales open nothing.',
    );
    expect(other.stall.app.stall.config.sales.secrets.stripe).toMatchObject({
      live: [],
      test: [expect.any(String)],
    });
    expect(textOf(await other.send(PATH, { setting: 'stripe', act: 'play' }))).toContain(
      'connect a live key first',
    );
  });
});

test('a stall that no provider can reach says so, and what variables set is shown fixed', async () => {
  const sales = {
    ...NO_SALES,
    isOn: true,
    secrets: { ...NO_SALES.secrets, polar: { live: ['secret-1'], test: [] } },
  };
  const given = { BOOKSTALL_POLAR_WEBHOOK_SECRET: 'secret-1' };
  const { open, send } = await openAdmin({ config: { sales, given } });
  const page = textOf(await open(PATH));
  expect(page).toContain('They need a public https address: set BOOKSTALL_BASE_URL to it.');
  expect(page).toContain('Set by BOOKSTALL_POLAR_WEBHOOK_SECRET, and changed there.');
  expect(textOf(await send(PATH, { setting: 'stripe', key: KEY }))).toContain(
    'They need a public https address',
  );
});
