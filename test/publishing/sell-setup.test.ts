import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STRIPE_EVENTS } from '../../src/selling/providers/stripe.ts';
import { lockDataDirectory } from '../../src/platform/store/server-note.ts';
import { type Files, itemYaml, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { openStripeAccount } from '../selling/providers/stripe-account.ts';
import { type } from '../platform/cli/type.ts';

const BASE = 'https://stall.example.org';
const KEY = 'rk_live_hush';
const SECRET = 'BOOKSTALL_STRIPE_WEBHOOK_SECRET';
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
  const flags = ['--content', path(''), '--data', join(directory, 'data'), '--base-url', BASE];
  return {
    directory,
    environment,
    flags,
    secretFile: environment.BOOKSTALL_STRIPE_WEBHOOK_SECRET_FILE,
    read: (name: string) => readFileSync(path(name), 'utf8'),
    edit(name: string, from: string | RegExp, to: string) {
      writeFileSync(path(name), readFileSync(path(name), 'utf8').replace(from, to));
    },
    path,
    /** Types the command; counts the writes it made. */
    async setup(words: readonly string[] = [], more: Readonly<Record<string, string>> = {}) {
      const before = account.writes().length;
      const said = await type(['sell', 'setup', 'stripe', ...flags, ...words], { ...environment, ...more });
      expect(said.out + said.err).not.toMatch(/rk_live_|sk_test_|whsec_/);
      return { ...said, writes: account.writes().slice(before) };
    },
  };
}

test('a first run makes webhook, product, price and link, and writes their ids; a second writes nothing', async () => {
  const account = await openStripeAccount();
  const stall = stallWith(account);
  const first = await stall.setup();
  expect(first.out).toContain('Next: start the server: ');
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
  const modes = [stall.secretFile, stall.path('books/herons/item.yaml')].map(
    (file) => statSync(file).mode & 0o777,
  );
  expect(modes).toEqual([0o600, 0o644]);
  const second = await stall.setup();
  expect(second.out).toContain('Nothing changed');
  expect(second.writes).toEqual([]);
});

const BOOK = 'books/herons/item.yaml';
const linesFor = (link: Readonly<Record<string, unknown>>, ...former: readonly string[]) =>
  `checkoutUrl: ${String(link['url'])}\nsell: {stripe: [${[String(link['id']), ...former].join(', ')}]}`;
const onSale = (account: Account) => account.list('payment_links').filter(({ active }) => active === true);

/** An account and a stall that is set up there; `book` is the link of "herons". */
async function setUp(files?: Files) {
  const account = await openStripeAccount();
  const stall = stallWith(account, files);
  expect((await stall.setup()).code).toBe(0);
  const book = account
    .list('payment_links')
    .find(({ metadata }) => JSON.stringify(metadata).includes('herons'))!;
  return { account, stall, book: String(book['id']) };
}

test.each([
  ['price', '1900', '2900 # dearer'],
  ['currency', '1900', '1900\ncurrency: eur'],
])(
  'another %s makes another link of the same product, and switches the former off; both ids stay',
  async (_, from, to) => {
    const { account, stall, book } = await setUp();
    Object.assign(account.find(book), { allow_promotion_codes: true });
    stall.edit(BOOK, from, to);
    const changed = await stall.setup();
    expect(changed.out).toContain(`Switched off the payment link ${book}`);
    expect(changed.out).toContain(
      `Next: bookstall serve --base-url ${BASE}, or bookstall reindex if it runs\n`,
    );
    const [link] = account.list('payment_links');
    expect(link).toMatchObject({ active: true, allow_promotion_codes: true });
    expect(stall.read(BOOK)).toContain(linesFor(link!, book).split('\n')[1]!);
    expect(stall.read(BOOK)).toContain(String(link!['url']));
    expect(onSale(account)).toHaveLength(2);
    expect(account.find(book)['active']).toBeFalse();
    expect(account.list('products')).toHaveLength(2);
    expect((await stall.setup()).writes).toEqual([]);
  },
);

test('a price that comes back gets a link of its own: the former ones stay off', async () => {
  const { account, stall, book } = await setUp();
  for (const price of ['2900', '1900']) {
    stall.edit(BOOK, /Cents: \d+/, `Cents: ${price}`);
    expect((await stall.setup()).code).toBe(0);
  }
  const [third, second] = account.list('payment_links').map(({ id }) => String(id));
  expect(stall.read(BOOK)).toContain(`sell: {stripe: [${third}, ${second}, ${book}]}`);
  expect([third, second, book].map((id) => account.find(id!)['active'])).toEqual([true, false, false]);
});

test.each<[string, (account: Account, book: string) => void]>([
  ['a link that was switched off', (account, book) => Object.assign(account.find(book), { active: false })],
  [
    'a link that ends elsewhere',
    (account, book) =>
      Object.assign(account.find(book), { after_completion: { type: 'hosted_confirmation' } }),
  ],
  [
    'a webhook that was switched off',
    (account) => Object.assign(account.list('webhook_endpoints')[0]!, { status: 'disabled' }),
  ],
  [
    'a webhook of other events',
    (account) => Object.assign(account.list('webhook_endpoints')[0]!, { enabled_events: ['*'] }),
  ],
])('%s is mended by one write', async (_, spoil) => {
  const { account, stall, book } = await setUp();
  const before = structuredClone(account.state());
  const yaml = stall.read(BOOK);
  spoil(account, book);
  const { code, writes } = await stall.setup();
  expect([code, writes.length]).toEqual([0, 1]);
  expect(account.state()).toEqual(before);
  expect(stall.read(BOOK)).toBe(yaml);
  expect((await stall.setup()).writes).toEqual([]);
});

describe('what was made by hand', () => {
  const sold = (sell: string, more = {}) =>
    ({
      [BOOK]: itemYaml({
        id: 'h',
        unitAmountCents: 1900,
        checkoutUrl: 'https://buy.stripe.com/x?locale=en',
        sell,
        ...more,
      }),
      'books/herons/a.md': '# A\n',
    }) as Files;
  async function withHandMade(amount: number, recurring: unknown = null) {
    const account = await openStripeAccount();
    const product = account.create('products', { id: 'prod_hand', name: 'By hand' });
    const price = account.create('prices', { product: product['id'], unit_amount: amount, currency: 'usd' });
    Object.assign(price, { recurring });
    account.create('payment_links', {
      id: 'plink_hand',
      line_items: [{ price: price['id'], quantity: 1 }],
      url: 'https://buy.stripe.com/x',
    });
    return { account, stall: stallWith(account, sold('{stripe: [plink_hand]}')) };
  }

  test('a link of the same price is kept, and sends its buyers back', async () => {
    const { account, stall } = await withHandMade(1900);
    const yaml = stall.read(BOOK);
    expect((await stall.setup()).code).toBe(0);
    expect(account.list('payment_links')).toHaveLength(1);
    expect(account.find('plink_hand')['after_completion']).toMatchObject({ type: 'redirect' });
    expect(stall.read(BOOK)).toBe(yaml);
  });

  test('a link of another price is replaced by one of its product', async () => {
    const { account, stall } = await withHandMade(900);
    Object.assign(account.find('plink_hand'), { url: 'https://buy.stripe.com/x' });
    expect((await stall.setup()).code).toBe(0);
    const [link] = account.list('payment_links');
    expect(stall.read(BOOK)).toContain(linesFor(link!, 'plink_hand'));
    expect(account.list('products')).toHaveLength(1);
    expect(onSale(account)).toEqual([link!]);
  });

  test.each([
    ['a subscription link', '{stripe: [plink_hand]}', { interval: 'month' }],
    ['a price', '{stripe: price_1}', null],
  ])('%s is left alone, and said so', async (_, sell, recurring) => {
    const { account } = await withHandMade(900, recurring);
    const stall = stallWith(account, sold(sell));
    const yaml = stall.read(BOOK);
    const { code, out } = await stall.setup();
    expect(code).toBe(0);
    expect(out).toContain('By hand: ');
    expect(stall.read(BOOK)).toBe(yaml);
    expect(account.list('payment_links')).toHaveLength(1);
  });

  test('what is sold elsewhere stays so, unless it is named', async () => {
    const account = await openStripeAccount();
    const stall = stallWith(account, sold('{gumroad: ["a=="]} # there'));
    const yaml = stall.read(BOOK);
    expect((await stall.setup()).out).toContain('By hand: "herons" is sold at https://buy.stripe.com/x');
    expect(stall.read(BOOK)).toBe(yaml);
    expect((await stall.setup(['herons'])).code).toBe(0);
    const [link] = account.list('payment_links');
    expect(stall.read(BOOK)).toContain(
      `checkoutUrl: ${String(link!['url'])}\nsell: {stripe: [${String(link!['id'])}], gumroad: ["a=="]} # there\n`,
    );
  });
});

test('a draft is set up when it is named, and nothing beside it', async () => {
  const account = await openStripeAccount();
  const stall = stallWith(account);
  await stall.setup(['egrets']);
  expect(stall.read('books/egrets/item.yaml')).toContain('sell: {stripe: [plink_');
  expect(stall.read(BOOK)).toBe(String(CONTENT[BOOK]));
  expect(account.list('payment_links')).toHaveLength(1);
  expect(await stall.setup(['egrets', 'herons'])).toMatchObject({ code: 0, err: '' });
  expect(account.list('payment_links')).toHaveLength(2);
});

test('Stripe shows a secret only once: a lost one is said, and --new-secret makes another', async () => {
  const { account, stall } = await setUp();
  rmSync(stall.secretFile);
  const lost = await stall.setup();
  expect(lost.out).toContain('or give --new-secret');
  expect(lost.writes).toEqual([]);
  expect(existsSync(stall.secretFile)).toBeFalse();
  expect((await stall.setup(['--new-secret'])).code).toBe(0);
  const [webhook, ...others] = account.list('webhook_endpoints');
  expect(others).toEqual([]);
  expect(readFileSync(stall.secretFile, 'utf8')).toBe(String(webhook!['secret']));
  expect((await stall.setup()).writes).toEqual([]);
});

test('a secret in the environment is enough; a new one gets a file, which takes its place', async () => {
  const { account, stall } = await setUp();
  const more = { BOOKSTALL_STRIPE_WEBHOOK_SECRET_FILE: '', BOOKSTALL_STRIPE_WEBHOOK_SECRET: 'whsec_of_env' };
  expect((await stall.setup([], more)).writes).toEqual([]);
  const { out } = await stall.setup(['--new-secret'], more);
  const file = join(stall.directory, 'data/stripe-webhook-secret');
  const line = `${SECRET}= ${SECRET}_FILE=${file}`;
  expect(out).toContain(`start the server: ${line} bookstall serve`);
  const server = lockDataDirectory(join(stall.directory, 'data'));
  const said = await stall.setup(['--new-secret'], more);
  server.release();
  expect(said.out).toContain(`Next: set ${line} where the server has its settings, and restart it\n`);
  expect(readFileSync(file, 'utf8')).toBe(String(account.list('webhook_endpoints')[0]!['secret']));
});

describe('without a variable the secret is kept beside the data, and each line names its file', () => {
  const UNSET = { [`${SECRET}_FILE`]: '' };

  test('a second run keeps it and makes no second webhook; sell check without the variable does not find it', async () => {
    const account = await openStripeAccount();
    const stall = stallWith(account);
    const file = join(stall.directory, 'data/stripe-webhook-secret');
    const serve = `${SECRET}_FILE=${file} bookstall serve --base-url ${BASE}`;
    const said = await stall.setup([], UNSET);
    expect(said.out).toContain(`Next: start the server: ${serve}\n`);
    const [webhook] = account.list('webhook_endpoints');
    expect(readFileSync(file, 'utf8')).toBe(String(webhook!['secret']));
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const second = await stall.setup([], UNSET);
    expect(second.writes).toEqual([]);
    expect(second.out).toContain(`Next: ${SECRET}_FILE=${file} bookstall sell check (`);
    stall.edit(BOOK, '1900', '2900');
    expect((await stall.setup([], UNSET)).out).toContain(`Next: ${serve}, or bookstall reindex if it runs`);
    expect(account.list('webhook_endpoints')).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toBe(String(webhook!['secret']));

    const check = (more = {}) => type(['sell', 'check', ...stall.flags], more);
    expect((await check()).out).toContain(`${SECRET} is not set: its sales make no grants`);
    expect(await check({ [`${SECRET}_FILE`]: file })).toMatchObject({ code: 0, err: 'Sales can begin\n' });
  });

  test("quoted if a shell would not read its path as it is, with those of another provider's run", async () => {
    const stall = stallWith(await openStripeAccount());
    const data = join(stall.directory, "Ann's data");
    mkdirSync(data);
    writeFileSync(join(data, 'polar-webhook-secret'), 'polar_whs_kept');
    const { out } = await stall.setup(['--data', data], UNSET);
    const line = / (BOOKSTALL_.*) bookstall serve/.exec(out)?.[1] ?? '';
    const shell = Bun.spawnSync(['sh', '-c', `${line} env`], { env: { PATH: process.env['PATH'] ?? '' } });
    const lines = String(shell.stdout).split('\n');
    expect(lines).toContain(`${SECRET}_FILE=${join(data, 'stripe-webhook-secret')}`);
    expect(lines).toContain(`BOOKSTALL_POLAR_WEBHOOK_SECRET_FILE=${join(data, 'polar-webhook-secret')}`);
  });
});

test('a test key makes its own, twice the same, and leaves item.yaml and the live secret alone', async () => {
  const account = await openStripeAccount({ isTest: true });
  const stall = stallWith(account);
  const testKey = { BOOKSTALL_STRIPE_SETUP_KEY: 'sk_test_hush' };
  const refused = await stall.setup([], testKey);
  expect([refused.code, refused.err, account.asked]).toEqual([1, expect.stringContaining('add --test'), []]);
  expect((await stall.setup(['--test'])).err).toContain('leave out --test');
  const { code, out } = await stall.setup(['--test'], testKey);
  expect(code).toBe(0);
  expect(out).toContain(String(account.list('payment_links')[0]!['url']));
  expect(stall.read(BOOK)).toBe(String(CONTENT[BOOK]));
  expect(existsSync(stall.secretFile)).toBeFalse();
  expect(readFileSync(join(stall.directory, 'data/stripe-webhook-secret-test'), 'utf8')).toStartWith(
    'whsec_',
  );
  expect((await stall.setup(['--test'], testKey)).writes).toEqual([]);
});

test('a dry run shows each request, and writes nowhere', async () => {
  const account = await openStripeAccount();
  const stall = stallWith(account);
  const { out, writes } = await stall.setup(['--dry-run']);
  expect(out).toContain(`POST /v1/webhook_endpoints {"url":"${BASE}/webhooks/stripe"`);
  expect(out).toContain(
    'POST /v1/payment_links {"line_items":[{"price_data":{"product_data":{"name":"A title"}',
  );
  expect(writes).toEqual([]);
  expect(existsSync(stall.secretFile)).toBeFalse();
  expect(stall.read(BOOK)).toBe(String(CONTENT[BOOK]));
  await stall.setup();
  stall.edit(BOOK, '1900', '2900');
  expect((await stall.setup(['--dry-run'])).out).toContain('POST /v1/payment_links/plink_2 {"active":false}');
});

test('a dry run without a network says that it asks the provider what is there', async () => {
  const stall = stallWith(await openStripeAccount());
  const { code, err } = await stall.setup(['--dry-run'], { BOOKSTALL_STRIPE_API_URL: 'http://127.0.0.1:9' });
  expect([code, err]).toEqual([1, expect.stringContaining('a dry run asks what is there already, too')]);
});

describe('a run that ends at any write is completed by the next, and nothing is there twice', () => {
  const SITUATIONS: readonly (readonly [
    string,
    number,
    (stall: ReturnType<typeof stallWith>) => unknown,
    ...string[],
  ])[] = [
    ['the first run', 3, () => {}],
    [
      'another price',
      2,
      async (stall) => {
        await stall.setup();
        stall.edit(BOOK, '1900', '2900');
      },
    ],
    ['--new-secret', 2, (stall) => stall.setup(), '--new-secret'],
  ];
  const rows = SITUATIONS.flatMap(([name, count, prepare, ...words]) =>
    Array.from({ length: count }, (_, n) => n + 1).flatMap((write) =>
      [false, true].map((isDone) => ({ name, count, write, isDone, prepare, words })),
    ),
  );

  /** The state of a stall and an account, whatever the numbers in their ids. */
  const stateOf = (account: Account, stall: ReturnType<typeof stallWith>) => {
    const [webhook, ...others] = account.list('webhook_endpoints');
    return {
      webhooks: others.length,
      isSecretKept: readFileSync(stall.secretFile, 'utf8') === webhook!['secret'],
      links: account.list('payment_links').map(({ active }) => active),
      objects: [account.list('prices').length, account.list('products').length],
      sold: onSale(account).every(({ id }) =>
        [BOOK, 'stall.yaml'].some((file) => stall.read(file).includes(`[${String(id)}`)),
      ),
      yaml: stall.read(BOOK).replaceAll(/_\d+/g, '_N'),
    };
  };

  test.each(rows)(
    '$name, write $write, done there: $isDone',
    async ({ name, count, write, isDone, prepare, words }) => {
      const [account, whole] = [await openStripeAccount(), await openStripeAccount()];
      const [stall, other] = [stallWith(account), stallWith(whole)];
      await prepare(stall);
      await prepare(other);
      expect((await other.setup(words)).writes).toHaveLength(count);
      account.faults.cut = { write: account.writes().length + write, isDone };
      expect((await stall.setup(words)).code).toBe(1);
      account.faults.cut = null;
      account.forget();
      expect((await stall.setup(words)).code).toBe(0);
      expect(stateOf(account, stall)).toEqual(stateOf(whole, other));
      expect(stateOf(account, stall)).toMatchObject({ webhooks: 0, isSecretKept: true, sold: true });
      expect(name === '--new-secret' ? [] : (await stall.setup()).writes).toEqual([]);
    },
  );
});

describe('it refuses', () => {
  test.each([
    [
      'an address that nobody reaches',
      ['--base-url', 'http://127.0.0.1:7070'],
      {},
      'name a public https address with --base-url',
    ],
    ['a slug that has no price', ['gulls'], {}, 'run "bookstall check"'],
    [
      'no key',
      [],
      { BOOKSTALL_STRIPE_SETUP_KEY: '' },
      'BOOKSTALL_STRIPE_SETUP_KEY: Cannot set up Stripe without a key',
    ],
    [
      'a weak key',
      [],
      { BOOKSTALL_STRIPE_SETUP_KEY: 'rk_live_weak' },
      'does not have the required permissions"; let the key write Products, Prices, Payment Links and Webhook Endpoints',
    ],
    [
      'a directory that is none',
      [],
      { BOOKSTALL_STRIPE_WEBHOOK_SECRET_FILE: '/dev/null/secret' },
      'make it writable',
    ],
  ])('%s', async (_, words, more, sentence) => {
    const account = await openStripeAccount();
    const stall = stallWith(account);
    const { code, err } = await stall.setup(words, more);
    expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
    expect(account.state()).toMatchObject({ webhook_endpoints: [], payment_links: [] });
    expect(stall.read(BOOK)).toBe(String(CONTENT[BOOK]));
  });

  test.each([
    ['no JSON', '<html>', 'an answer that is not JSON'],
    ['a huge answer', ' '.repeat(5 << 20), 'an answer of more than'],
    ['an answer without an id', '{}', 'it answers without an id'],
    [
      'hostile names',
      '{"id":"x\\ny: 1","url":"https://a\\nevil: 1","secret":"whsec_x"}',
      'cannot be written',
    ],
  ])('%s, and item.yaml stays readable', async (_, body, sentence) => {
    const account = await openStripeAccount();
    const stall = stallWith(account);
    account.faults.answer = () => ({ status: 200, body });
    const { code, err } = await stall.setup();
    expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
    expect(stall.read(BOOK)).toBe(String(CONTENT[BOOK]));
    account.faults.answer = null;
    expect((await stall.setup()).code).toBe(0);
  });

  test('in a sentence without the secret, whatever the provider says', async () => {
    const { account, stall } = await setUp();
    const secret = readFileSync(stall.secretFile, 'utf8');
    const body = JSON.stringify({ error: { message: `No ${KEY}, no ${secret}` } });
    account.faults.answer = () => ({ status: 400, body });
    expect((await stall.setup()).err).toContain('it answered 400 and says "No …, no …"; let the key');
    // A sentence that is cut must not be cut within a secret.
    const long = JSON.stringify({ error: { message: `${'No '.repeat(98)}${secret} or ${KEY}` } });
    account.faults.answer = () => ({ status: 400, body: long });
    expect((await stall.setup()).err).not.toContain(secret.slice(0, 5));
  });

  test('a link of another account', async () => {
    const account = await openStripeAccount();
    const stall = stallWith(account, {
      [BOOK]: itemYaml({ id: 'h', unitAmountCents: 1900, sell: '{stripe: plink_other}' }),
      'books/herons/a.md': '# A\n',
    });
    expect((await stall.setup()).err).toContain('Stripe does not know plink_other; correct the id');
  });

  test('to write over a file that changed while it ran, or cannot be written; the next run finds what was made', async () => {
    const account = await openStripeAccount();
    const stall = stallWith(account);
    account.faults.answer = ({ method, path }) => {
      if (method === 'POST' && path === '/v1/payment_links') stall.edit(BOOK, 'The book', 'The whole book');
      return null;
    };
    expect((await stall.setup(['herons'])).err).toContain(
      'it changed while this command ran; run the command again',
    );
    account.faults.answer = null;
    mkdirSync(stall.path('books/herons/.#item.yaml.new'));
    expect((await stall.setup(['herons'])).err).toContain('Cannot write books/herons/item.yaml: ');
    rmSync(stall.path('books/herons/.#item.yaml.new'), { recursive: true });
    expect((await stall.setup(['herons'])).code).toBe(0);
    expect(account.list('payment_links')).toHaveLength(1);
    expect(stall.read(BOOK)).toStartWith('# The whole book\n');
  });

  test('to lose a secret: one that could not be written is replaced by the next run', async () => {
    const account = await openStripeAccount();
    const stall = stallWith(account);
    const unfinished = join(stall.directory, 'secrets/.#stripe.new');
    account.faults.answer = ({ path, method }) => {
      if (method === 'POST' && path === '/v1/webhook_endpoints') mkdirSync(unfinished);
      return null;
    };
    expect((await stall.setup()).err).toContain(`Cannot write ${stall.secretFile}: `);
    expect(account.list('webhook_endpoints')).toHaveLength(1);
    rmSync(unfinished, { recursive: true });
    account.faults.answer = null;
    expect((await stall.setup()).code).toBe(0);
    const [webhook, ...others] = account.list('webhook_endpoints');
    expect([others, readFileSync(stall.secretFile, 'utf8')]).toEqual([[], String(webhook!['secret'])]);
  });
});
