import { describe, expect, test } from 'bun:test';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { checkProof, QUOTES_NAMESPACE } from '../../src/catalog/quote-proof.rule.ts';
import { mintPublishKey } from '../../src/platform/base/key.ts';
import { verifySshSignature } from '../../src/catalog/ssh-signature.rule.ts';
import { createSigner, signItem, signQuotes } from '../catalog/signing.ts';
import { parseNetworks } from '../../src/platform/http/address.ts';
import { itemYaml, openStall, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { type } from '../platform/cli/type.ts';

const moe = createSigner('ssh-ed25519');
const other = createSigner('ssh-ed25519');
const TEXT = `# Nets\n\nA net of rope lasts “forty” years in salt water. ${'It dries in the wind. '.repeat(40)}\n`;
const QUOTE = 'lasts “forty” years';
const START = TEXT.indexOf(QUOTE);
const place = (start = START, end = START + QUOTE.length, path = '01.md') =>
  `path=${path}&start=${start}&end=${end}`;

function prepare(price = 0): string {
  const directory = temporaryDirectory();
  writeFiles(join(directory, 'content'), {
    'books/net/item.yaml': itemYaml({
      id: 'net-id',
      version: '1.0',
      unitAmountCents: price,
      ...(price > 0 ? { currency: 'eur', sample: '[02.md]' } : {}),
    }),
    'books/net/01.md': TEXT,
    'books/net/02.md': '# Knots\n\nA bowline holds.\n',
  });
  signQuotes(join(directory, 'content'), 'books/net', moe);
  return directory;
}
async function ask(stall: Awaited<ReturnType<typeof openStall>>, question: string): Promise<string> {
  const headers = await stall.signIn('ann@example.org');
  const form = await (await stall.fetch('/books/net/ask', { headers })).text();
  const [, token = ''] = /name="token" value="([^"]+)"/.exec(form) ?? [];
  const body = new URLSearchParams({ token, question });
  const sent = { method: 'POST', headers: { ...headers, Origin: stall.url }, body };
  return (await stall.fetch('/books/net/ask', sent)).text();
}

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest();
const check = (json: string) => checkProof(json, { sha256, verify: verifySshSignature });

describe('GET /api/books/<id>/proof', () => {
  test('gives a proof that shows the quote, the edition and the key', async () => {
    const stall = await openStall({ files: {}, directory: prepare() });
    const answer = await stall.fetch(`/api/books/net-id/proof?${place()}`);
    expect(answer.headers.get('content-disposition')).toContain(
      `attachment; filename="proof-net-1.0-01-${START}-${START + QUOTE.length}.json"`,
    );
    expect(await check(await answer.text())).toMatchObject({
      slug: 'net',
      version: '1.0',
      path: '01.md',
      quote: QUOTE,
      key: moe.fingerprint,
    });
    await stall.close();
  });

  test.each([
    ['words that are not there', place(100_000, 100_010)],
    ['no words', place(START, START)],
    ['half a character', `path=01.md&start=${START}&end=`],
    ['a file that is not there', place(0, 5, '99.md')],
    ['too many words', place(0, 4001)],
  ])('refuses %s', async (_, query) => {
    const stall = await openStall({ files: {}, directory: prepare() });
    expect((await stall.fetch(`/api/books/net-id/proof?${query}`)).status).toBe(400);
    await stall.close();
  });

  test('of a paid book is for its readers, 60 words at a time and 60 an hour', async () => {
    const stall = await openStall({ files: {}, directory: prepare(900) });
    const proof = (query: string, key?: string) =>
      stall.fetch(
        `/api/books/net-id/proof?${query}`,
        key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } },
      );
    expect((await proof(place())).status).toBe(401);
    expect((await proof(place(0, 7, '02.md'))).status, 'a sample is for everybody').toBe(200);
    const { accounts, keys, grants } = stall.app.admin;
    await accounts.add('ann@example.org');
    const { key } = await keys.create('ann@example.org', 'laptop', 'never');
    expect((await proof(place(), key)).status).toBe(403);
    await grants.add({ email: 'ann@example.org', slug: 'net' });
    expect((await proof(place(0, TEXT.length), key)).status).toBe(400);
    const statuses = [];
    for (let n = 0; n < 61; n++) statuses.push((await proof(place(), key)).status);
    expect([statuses.slice(0, 60), statuses[60]]).toEqual([Array.from({ length: 60 }, () => 200), 429]);
    expect((await proof(place(0, 7, '02.md'), key)).status, 'a sample counts nothing').toBe(200);
    await stall.close();
  });

  test('says of an unsigned book that its quotes are not signed', async () => {
    const directory = prepare();
    for (const name of ['item.quotes', 'item.quotes.sig']) rmSync(join(directory, 'content/books/net', name));
    const stall = await openStall({ files: {}, directory });
    const answer = await stall.fetch(`/api/books/net-id/proof?${place()}`);
    expect([answer.status, await answer.text()]).toEqual([
      404,
      expect.stringContaining('has not signed them'),
    ]);
    await stall.close();
  });
});

test('a proof waits behind one of another client, not behind all of them', async () => {
  const directory = prepare();
  // Each proof of a long text holds copies of it, so that one is made at a time.
  writeFileSync(join(directory, 'content/books/net/01.md'), `${TEXT}${'It dries. '.repeat(200_000)}\n`);
  signQuotes(join(directory, 'content'), 'books/net', moe);
  const trustedProxies = parseNetworks('127.0.0.1');
  const stall = await openStall({ files: {}, directory, config: { trustedProxies } });
  const ended: string[] = [];
  const prove = async (client: string) => {
    const headers = { 'X-Forwarded-For': client };
    await (await stall.fetch(`/api/books/net-id/proof?${place()}`, { headers })).bytes();
    ended.push(client);
  };
  await prove('192.0.2.1');
  await Promise.all([...Array.from({ length: 20 }, () => prove('192.0.2.1')), prove('192.0.2.2')]);
  expect(ended.indexOf('192.0.2.2')).toBeLessThan(12);
  await stall.close();
});

test('the page shows what a proof discloses, and an answer leads to it', async () => {
  const stall = await openStall({ files: {}, directory: prepare() });
  const page = await (await stall.fetch(`/books/net/proof?${place()}`)).text();
  expect(page).toContain(`<b>${QUOTE}</b>`);
  expect(page).toContain(`href="/api/books/net-id/proof?path=01.md&amp;start=${START}`);
  const whole = await (await stall.fetch(`/books/net/proof?${place(0, START + QUOTE.length)}`)).text();
  expect(whole).toContain('<b>Nets\n\nA net of rope lasts');
  expect(whole).toContain(`<code>${stall.url}/check-quote</code>`);
  expect(whole).toContain('<a href="/books/net/read/01.md">Nets</a>');
  const signIn = await (await stall.fetch('/sign-in?next=/books/net/ask')).text();
  expect(signIn).toContain('anyone with an account here can ask “');
  expect(signIn).toContain('<a href="/books/net">');
  await stall.app.admin.accounts.add('ann@example.org');
  const answer = await ask(stall, 'How long does a net of rope last?');
  expect(answer).toContain('href="/books/net/proof?path=01.md&amp;start=');
  await stall.close();
});

test.each([
  ['all marked sentences', 'so that nobody sees it', true],
  ['each of marked sentences that are too many words together', 'and so on '.repeat(12), false],
])('the proofs beside an excerpt cover %s', async (_, more, isWhole) => {
  const directory = prepare(900);
  const text = `# Foxes\n\nThe fox sleeps in a den ${more}.\n\nNobody knows more.\n\nThe den of the fox is dry ${more}.\n`;
  writeFiles(join(directory, 'content/books/net'), { '01.md': text });
  signQuotes(join(directory, 'content'), 'books/net', moe);
  const stall = await openStall({ files: {}, directory });
  await stall.app.admin.accounts.add('ann@example.org');
  await stall.app.admin.grants.add({ email: 'ann@example.org', slug: 'net' });
  const answer = await ask(stall, 'Where is the den of the fox?');
  const marks = [...answer.matchAll(/<mark[^>]*>([^<]+)/g)].map(([, words = '']) => words);
  expect(marks).toHaveLength(2);
  const places = [...answer.matchAll(/proof\?path=01.md&amp;start=(\d+)&amp;end=(\d+)/g)];
  const proven = places.map(([, start, end]) => text.slice(Number(start), Number(end)));
  const between = (first: string, last: string) =>
    text.slice(text.indexOf(first), text.indexOf(last) + last.length);
  expect(proven).toEqual(isWhole ? [between(marks[0]!, marks[1]!)] : marks.map((one) => between(one, one)));
  await stall.close();
});

describe('a signed root', () => {
  test.each<[string, (folder: string, content: string) => void, string]>([
    [
      'over other words',
      (_, content) => signQuotes(content, 'books/net', moe, (facts) => ({ ...facts, root: 'ab'.repeat(32) })),
      'does not name the quotes of these files',
    ],
    [
      'with another number of pieces',
      (_, content) =>
        signQuotes(content, 'books/net', moe, (facts) => ({ ...facts, leaves: facts.leaves + 1 })),
      'does not name the quotes',
    ],
    [
      'of another edition',
      (_, content) => signQuotes(content, 'books/net', moe, (facts) => ({ ...facts, version: '0.9' })),
      'is of another edition than "item.sig"',
    ],
    [
      'by another key than the edition',
      (_, content) => signItem(content, 'books/net', other),
      'is of another edition than "item.sig"',
    ],
    [
      'without a signature of the edition',
      (folder) => ['item.sig', 'item.signed'].forEach((name) => rmSync(join(folder, name))),
      'is of another edition than "item.sig"',
    ],
    [
      'that is damaged',
      (folder) => writeFileSync(join(folder, 'item.quotes'), 'bookstall quotes 1\n'),
      'Cannot verify the signature in "item.quotes.sig"',
    ],
  ])('%s is an error of check', async (_, change, sentence) => {
    const content = join(prepare(), 'content');
    change(join(content, 'books/net'), content);
    const { code, out } = await type(['check', '--content', content]);
    expect([code, out]).toEqual([1, expect.stringContaining(sentence)]);
  });

  test('is in no archive, is kept with its edition after a rollback, and is checked by the installing client', async () => {
    const directory = prepare();
    const stall = await openStall({ files: {}, directory });
    const folder = temporaryDirectory();
    const home = { BOOKSTALL_URL: stall.url, BOOKSTALL_HOME: temporaryDirectory() };
    expect(await type(['install', 'net', '--dir', folder], home)).toMatchObject({ code: 0 });
    expect(await Array.fromAsync(new Bun.Glob('**/item.*').scan({ cwd: folder, dot: true }))).toEqual([]);
    writeFiles(stall.content, {
      'books/net/item.yaml': itemYaml({ id: 'net-id', version: '2.0' }),
      'books/net/01.md': '# Other\n\nNothing about nets.\n',
    });
    signQuotes(stall.content, 'books/net', moe);
    await stall.app.publish();
    await stall.app.admin.editions.rollBack('net', '1.0');
    await stall.app.publish();
    const json = await (await stall.fetch(`/api/books/net-id/proof?${place()}`)).text();
    expect(await check(json)).toMatchObject({ version: '1.0', quote: QUOTE });

    const file = join(folder, 'proof.json');
    writeFileSync(file, json);
    expect(await type(['check-quote', file], home)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`»${QUOTE}«`),
    });
    const alone = { ...home, BOOKSTALL_HOME: temporaryDirectory() };
    expect(await type(['check-quote', file], alone)).toMatchObject({
      code: 1,
      err: expect.stringContaining('whose key this is'),
    });
    expect(await type(['check-quote', file, '--signer', moe.fingerprint], alone)).toMatchObject({ code: 0 });
    expect(await type(['check-quote', file, '--signer', other.fingerprint], home)).toMatchObject({ code: 1 });
    writeFileSync(file, json.replace('forty', 'fifty'));
    expect(await type(['check-quote', file], home)).toMatchObject({
      code: 1,
      err: expect.stringContaining('the proof fails, since it was changed'),
    });
    writeFileSync(file, moe.sign('words', { namespace: QUOTES_NAMESPACE }));
    expect(await type(['check-quote', file], home)).toMatchObject({
      code: 1,
      err: expect.stringContaining('it is no proof of a quote; a proof is'),
    });
    await stall.close();
  });
});

test('the installing client refuses a root that its signer made up', async () => {
  const stall = await openStall({ files: {}, directory: prepare() });
  const { editions } = (await (await stall.fetch('/api/items/net/editions')).json()) as {
    editions: { quotes: { signed: string } }[];
  };
  const signed = editions[0]!.quotes.signed.replace(/sha256:[^ ]+ /, `sha256:${'ab'.repeat(32)} `);
  const quotes = { signed, signature: moe.sign(signed, { namespace: QUOTES_NAMESPACE }) };
  const between = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      return pathname.endsWith('/editions')
        ? Response.json({ editions: editions.map((one) => ({ ...one, quotes })) })
        : fetch(`${stall.url}${pathname}${search}`, { headers: request.headers, decompress: false });
    },
  });
  const folder = temporaryDirectory();
  const home = { BOOKSTALL_URL: between.url.origin, BOOKSTALL_HOME: temporaryDirectory() };
  const { code, err } = await type(['install', 'net', '--dir', folder], home);
  expect([code, err]).toEqual([1, expect.stringContaining('the signed quotes are not those of its files')]);
  expect(readdirSync(folder)).toEqual([]);
  await between.stop(true);
  await stall.close();
});

test('a push to a stall that knows no signed quotes leaves them out', async () => {
  const sent: string[] = [];
  const old = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (request.method === 'GET')
        return Response.json({ error: 'none', code: 'NOT_FOUND' }, { status: 404 });
      const tar = Buffer.from(gunzipSync(await request.bytes())).toString('latin1');
      sent.push(tar);
      const finding = {
        severity: 'error',
        code: 'stale-signature',
        path: 'item.sig',
        sentence: 'Old',
        remedy: 'Sign',
      };
      return tar.includes('item.quotes')
        ? Response.json({ error: 'errors', code: 'INVALID_REQUEST', findings: [finding] }, { status: 400 })
        : Response.json({
            hash: 'ab',
            served: true,
            status: 'published',
            changes: {},
            dropped: [],
            findings: [],
          });
    },
  });
  const folder = join(prepare(), 'content/books/net');
  const { code, out } = await type(['push', folder, '--url', old.url.origin], {
    BOOKSTALL_PUBLISH_KEY: mintPublishKey(),
  });
  expect([code, out]).toEqual([0, expect.stringContaining('books/net: served')]);
  expect(sent.map((tar) => [tar.includes('item.quotes'), tar.includes('item.sig')])).toEqual([
    [true, true],
    [false, true],
  ]);
  await old.stop(true);
});
