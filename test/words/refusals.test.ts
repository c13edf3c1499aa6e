import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mintCode } from '../../src/selling/redeem-code.rule.ts';
import { DAY } from '../../src/platform/base/duration.ts';
import type { Say } from '../../src/platform/base/told.ts';
import { wordsIn } from '../../src/words/words.ts';
import { openStall, PASSWORD, SHELF } from '../helpers/harness.ts';
import { chosen, openBrowser, openClaimStall, secretOf } from '../selling/claim-stall.ts';
import { dispute } from '../selling/providers/stripe-events.ts';

const YAML = 'name: The Heron Stall\nlanguages: [de, en]\n';
const FILES = { ...SHELF, 'stall.yaml': YAML };
const [DE, EN] = [wordsIn('de'), wordsIn('en')];

const stall = await openClaimStall({ yaml: YAML });
const demo = openBrowser((await openStall({ files: FILES, config: { demo: true } })).fetch);
const narrow = await openStall({ files: FILES, config: { routeBudget: { limit: 1, seconds: 60 } } });
const plain = await openStall({ files: FILES, config: { baseUrl: 'http://stall.example' } });
// Not its configured origin.
const atPlain = openBrowser((path, init) =>
  fetch(`http://127.0.0.1:${plain.app.server.server?.port}${path}`, init),
);

const REQUEST = { slug: 'paid-book', bundles: [], count: 1, uses: 1, note: '', orderId: null };
const codes = stall.app.admin.codes;
const make = async (until: string | null = null): Promise<string> =>
  (await codes.create({ ...REQUEST, until })).codes[0] ?? '';
const late = await make(new Date(stall.now() + DAY).toISOString());
stall.pass(DAY);

const stranger = stall.browser();

async function signedIn(email: string) {
  await stall.app.admin.accounts.add(email);
  const browser = stall.browser();
  const [name = '', value = ''] = (await stall.signIn(email)).Cookie.split('=');
  browser.cookies.set(name, value);
  return browser;
}
const ann = await signedIn('ann@example.org');
const bob = await signedIn('bob@example.org');
await signedIn('cut@example.org');
await stall.app.admin.accounts.disable('cut@example.org');

const revoked = await make();
await codes.revoke(codes.list()[0]?.id ?? 0);
const [good, used] = [await make(), await make()];
await ann.post('/redeem', { code: used });

/** A purchase's reference and the secret of its mail. */
async function buy(name: string, email: string) {
  const order = stall.store.findOrder(await stall.buy(name, email));
  const { text } = await stall.server.waitFor(email);
  return { ref: order?.ref ?? '', secret: secretOf(text) };
}
const back = await buy('back0001', 'back@example.org');
await stall.giveBack('back0001');
const disputed = await buy('disp0001', 'disputed@example.org');
await stall.deliver(dispute('created', 'disp0001', DAY / 1000 + 60, 'needs_response'));
const held = await buy('held0001', 'held@example.org');
await ann.post('/claim', { code: held.secret });
const given = await buy('give0001', 'given@example.org');
const giver = stall.browser();
await giver.comeBack('give0001');
await giver.post('/claim/present');

type Answer = { readonly status: number; readonly html: string };

const LONG = 'x'.repeat(300);
const signIn = (email: string) => stranger.post('/sign-in', { email, ...chosen(PASSWORD) });
const redeem = (code: string) => stranger.post('/redeem', { code });
const join1 = (email: string) => stranger.post('/redeem/account', { code: good, email });
await stall.app.admin.accounts.add('cy@example.org');
const invite = await stall.app.admin.links.create('cy@example.org', 'invite', stall.url);
const choose = (password: string) => stranger.post('/invite', { code: secretOf(invite.url), password });
const claim = ({ secret }: { readonly secret: string }) =>
  stranger.post('/claim', { code: secret, ...chosen() });
/** A form as only another site or a program sends it. */
async function send(headers: Readonly<Record<string, string>>, body: string): Promise<Answer> {
  const init = { method: 'POST', headers: { Accept: 'text/html', ...headers }, body };
  const response = await stall.fetch('/sign-in', init);
  return { status: response.status, html: await response.text() };
}
const OWN = { 'Sec-Fetch-Site': 'same-origin' };
const FORM = { ...OWN, 'Content-Type': 'application/x-www-form-urlencoded' };
const EMAIL = '/dashboard/account/email';

/** The refusals that pages around accounts, purchases and requests can show, and how a reader meets them. */
const REFUSED: readonly (readonly [status: number, say: Say, meet: () => Promise<Answer>])[] = [
  [403, (r) => r.account.disabled, () => signIn('cut@example.org')],
  [401, (r) => r.account.wrongSignIn, () => signIn('nobody@example.org')],
  [429, (r) => r.account.signInLater({ seconds: 1 }), () => signIn('nobody@example.org')],
  [403, (r) => r.account.overPlainHttp, () => atPlain.post('/sign-in', { email: 'ann@example.org' })],
  [400, (r) => r.account.notAnEmail({ text: 'x' }), () => stranger.post('/forgot', { email: 'x' })],
  [404, (r) => r.account.cannotMailLink, () => atPlain.open('/forgot')],
  [404, (r) => r.account.cannotSignUp, () => stranger.open('/sign-up')],
  [404, (r) => r.account.linkUnusable, () => stranger.post('/reset', { code: 'x', ...chosen() })],
  [404, (r) => r.account.linkUnusable, () => stranger.post('/email', { code: 'x', password: 'y' })],
  [404, (r) => r.account.cannotEndNews, () => stranger.post('/unsubscribe/x')],

  [400, (r) => r.account.emailIsYours({ email: 'Ann@example.org' }), () => moveTo('Ann@example.org', ann)],
  [400, (r) => r.account.emailUnmailable({ email: 'a,b@example.org' }), () => moveTo('a,b@example.org', bob)],
  [401, (r) => r.account.emailWrongPassword, () => moveTo('ben@example.org', bob)],
  [404, (r) => r.account.noSession, () => ann.post('/dashboard/account/sessions/x/end')],
  [401, (r) => r.account.wrongCurrent, () => ann.post('/dashboard/account/password', { current: 'x' })],

  [400, (r) => r.account.codeEmpty, () => redeem(' ')],
  [404, (r) => r.account.code.unknown, () => redeem(mintCode())],
  [404, (r) => r.account.code.revoked, () => redeem(revoked)],
  [404, (r) => r.account.code.late, () => redeem(late)],
  [404, (r) => r.account.code.used, () => redeem(used)],
  [400, (r) => r.account.codeNeedsEmail, () => join1('a,b@example.org')],
  [400, (r) => r.account.codeOfAccount, () => join1('ann@example.org')],
  [400, (r) => r.account.passwordBlank, () => choose('   ')],
  [400, (r) => r.account.passwordShort({ count: 1, fewest: 8 }), () => choose('x')],
  [400, (r) => r.account.passwordLong({ count: 300, most: 256 }), () => choose(LONG)],
  [400, (r) => r.account.passwordIsName, () => choose('the heron stall')],
  [400, (r) => r.account.passwordIsCommon, () => choose('password1')],

  [400, (r) => r.account.purchaseForgotten, () => stranger.post('/claim/present')],
  [400, (r) => r.account.cannotClaim, () => giver.post('/claim/add')],
  [400, (r) => r.account.notYourPresent, () => giver.post('/claim/present')],
  [404, (r) => r.account.orderGivenBack(back), () => claim(back)],
  [404, (r) => r.account.orderDisputed(disputed), () => claim(disputed)],
  [404, (r) => r.account.orderIsPresent(given), () => claim(given)],
  [
    404,
    (r) => r.account.heldByOther({ ...held, holder: 'a…@e…' }),
    () => bob.post('/claim', { code: held.secret }),
  ],
  [404, (r) => r.account.notForSale({ slug: 'x' }), () => demo.open('/demo/buy/x')],
  [404, (r) => r.account.noOrder({ provider: 'demo', key: 'x' }), () => demo.open('/demo/receipt/x')],

  [404, (r) => r.request.noPage, () => stranger.open('/nothing')],
  [404, (r) => r.request.notFound({ name: 'nothing' }), () => stranger.open('/books/nothing')],
  [404, (r) => r.request.noFile, () => stranger.open('/assets/nothing.css')],
  [405, (r) => r.request.otherMethod({ method: 'GET', allow: 'POST' }), () => stranger.open('/sign-out')],
  [401, (r) => r.request.signIn, () => stranger.post('/dashboard/account/sessions/end-others')],
  [400, (r) => r.request.keyInQuery, () => stranger.open(`/?key=svc_${'a'.repeat(38)}`)],
  [403, (r) => r.request.foreignForm({ origin: stall.app.origin }), () => send({}, '')],
  [415, (r) => r.request.noForm, () => send(OWN, 'x')],
  [413, (r) => r.request.tooLarge({ kib: 64 }), () => send(FORM, 'x'.repeat(65 * 1024))],
];

const moveTo = (email: string, browser: typeof ann) => browser.post(EMAIL, { email, current: 'wrong' });

/** A page's text, with the characters that HTML escapes. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

describe('on a German page', () => {
  for (const [status, say, meet] of REFUSED)
    test(`"${say(EN.refusals, EN.locale)}" is in German`, async () => {
      const answer = await meet();
      const text = textOf(answer.html);
      expect(text).toContain(say(DE.refusals, DE.locale));
      expect(text).not.toMatch(/\b(?:Cannot|the|your)\b/);
      expect(answer.status).toBe(status);
    });

  test('too many requests and an error of ours are told in German', async () => {
    const late = openBrowser(narrow.fetch);
    await late.open('/sign-in');
    const { text } = await late.open('/sign-in');
    expect(text).toMatch(/Von dieser Adresse kamen mehr als 1 Anfragen in 60 s\. Warten Sie \d+ s\./);
    const database = new Database(join(plain.data, 'bookstall.db'));
    database.run('DROP TABLE codes');
    database.close();
    const internal = await atPlain.post('/redeem', { code: mintCode() });
    expect([internal.status, internal.text]).toEqual([
      500,
      expect.stringContaining('Ein interner Fehler ist aufgetreten.'),
    ]);
  });
});

test('the ways around a missing page vary with the language, in a stall of several', async () => {
  const one = openBrowser((await openStall()).fetch);
  for (const path of ['/dashboard', '/nothing']) {
    expect((await stranger.open(path)).headers.get('vary')).toBe('Accept-Language, Cookie');
    expect((await one.open(path)).headers.get('vary')).toBe(path === '/nothing' ? 'Cookie' : null);
  }
});

test('a form’s result is told in the language of the page that shows it', async () => {
  const said = (word: string) => ann.open(`/dashboard/account?said=${word}`);
  expect((await said('session-ended')).text).toContain('Sitzung beendet.');
  expect((await said('Free+money')).text).not.toContain('Free');
});

test('pages of readers refuse nothing in English alone', async () => {
  const src = join(import.meta.dir, '../../src');
  const read = (path: string) => readFileSync(join(src, path), 'utf8');
  const paths = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(src)].filter(
    (path) =>
      /\.(?:page|part)\.tsx?$|^platform\/site\//.test(path) &&
      // The acts of the office are asked for in English.
      !path.startsWith('office/') &&
      !read(path).includes("/office.part.tsx'"),
  );
  expect(paths.length).toBeGreaterThan(30);
  const thrown = paths.filter((path) =>
    /\bRefusal(?:\.\w+)?\(\s*(?:'[\w-]+',\s*)?['"`][A-Z]/.test(read(path).replaceAll('ToldRefusal', '')),
  );
  expect(thrown).toEqual([]);
});

test('every refusal has a German sentence of its own', () => {
  const leaves = (value: unknown, name = ''): readonly (readonly [string, string])[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, one]) => leaves(one, `${name}.${key}`))
      : [[name, typeof value === 'string' ? value : String(value)]];
  const german = leaves(DE.refusals);
  const english = new Map(leaves(EN.refusals));
  expect(german.length).toBe(english.size);
  expect(german.filter(([name, text]) => english.get(name) === text)).toEqual([]);
});
