import { Database } from 'bun:sqlite';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'bun:test';
import { MOST_DOCUMENTS } from '../../src/reading/device-place.sql.ts';
import { openStall } from '../helpers/harness.ts';
import { createVisitor, hidden } from '../platform/site/visitor.ts';

const DEVICES = '/dashboard/devices';
const DOCUMENT = 'd41d8cd98f00b204e9800998ecf8427e';

let now = Date.UTC(2026, 10, 29);
const stall = await openStall({ now: () => now });
const anna = await openReader('anna@example.org');
const ben = await openReader('ben@example.org');

async function openReader(email: string) {
  await stall.reader(email, 'paid-book');
  const visitor = createVisitor(stall, await stall.signIn(email));
  return { ...visitor, email, key: await keyOf(visitor) };
}

async function keyOf(visitor: Pick<ReturnType<typeof createVisitor>, 'open' | 'send'>): Promise<string> {
  const once = hidden((await visitor.open(DEVICES)).html, 'once');
  const { status, text } = await visitor.send(DEVICES, { once });
  expect(status).toBe(200);
  return /\b([a-z2-7]{16})\b/.exec(text)?.[1] ?? '';
}

const md5 = (key: string): string => createHash('md5').update(key).digest('hex');

/** Sends a request as KOReader's plugin does. */
async function kosync(key: string, path: string, method = 'GET', body?: string | Uint8Array) {
  const headers = {
    accept: 'application/vnd.koreader.v1+json',
    'x-auth-user': 'anyone',
    'x-auth-key': key,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const answer = await stall.fetch(`/kosync${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  return { status: answer.status, type: answer.headers.get('content-type'), body: JSON.parse(text) };
}

const PLACE = {
  document: DOCUMENT,
  progress: '/body/DocFragment[7]/body/p[3]/text().0',
  percentage: 0.4217,
  device: 'Kobo_nova',
  device_id: 'A1B2',
};
const put = (key: string, place: object) => kosync(key, '/syncs/progress', 'PUT', JSON.stringify(place));
const get = (key: string, document = DOCUMENT) => kosync(key, `/syncs/progress/${document}`);

describe('a device key', () => {
  test('opens the places of e-readers by its MD5, and nothing else', async () => {
    const sent = md5(anna.key);
    expect(await kosync(sent, '/users/auth')).toEqual({
      status: 200,
      type: 'application/json',
      body: { authorized: 'OK' },
    });
    for (const secret of [anna.key, sent])
      for (const path of ['/api/cli/library', '/api/holdings', '/api/notes'])
        expect(
          (await stall.fetch(path, { headers: { Authorization: `Bearer ${secret}`, 'x-auth-key': sent } }))
            .status,
        ).toBe(401);
    expect((await stall.fetch(DEVICES, { headers: { 'x-auth-key': sent }, redirect: 'manual' })).status).toBe(
      401,
    );
  });

  test.each([
    '',
    'x',
    anna.key,
    md5(anna.key).toUpperCase(),
    md5('another'),
    `${md5(anna.key)}, ${md5(anna.key)}`,
  ])('is refused as %p, with a sentence', async (sent) => {
    for (const [path, method] of [
      ['/users/auth', 'GET'],
      [`/syncs/progress/${DOCUMENT}`, 'GET'],
      ['/syncs/progress', 'PUT'],
    ] as const) {
      const { status, body } = await kosync(sent, path, method, method === 'PUT' ? '{' : undefined);
      expect([status, body.code, body.message]).toEqual([
        401,
        2001,
        expect.stringContaining('/dashboard/devices'),
      ]);
    }
  });

  test('is not stored, in its own form or as it is sent', () => {
    const db = new Database(join(stall.data, 'bookstall.db'), { readonly: true });
    const rows = JSON.stringify(db.query('SELECT *, hex(hash) AS hash FROM device_keys').all()).toLowerCase();
    db.close();
    for (const secret of [anna.key, md5(anna.key), Buffer.from(anna.key).toString('hex')])
      expect(rows).not.toContain(secret);
  });

  test('is made once by a form, is listed, and ends when its reader ends it', async () => {
    const cleo = createVisitor(
      stall,
      await stall.signIn((await stall.reader('cleo@example.org', 'paid-book')).email),
    );
    const once = hidden((await cleo.open(DEVICES)).html, 'once');
    const made = await cleo.send(DEVICES, { once });
    const key = /\b([a-z2-7]{16})\b/.exec(made.text)?.[1] ?? '';
    expect((await cleo.send(DEVICES, { once })).status).toBe(303);
    await put(md5(key), { ...PLACE, device: '<b>PocketBook' });
    const { html } = await cleo.open(DEVICES);
    expect(html).toContain('&lt;b>PocketBook');
    expect(html).not.toContain(key);
    const id = /name="end" value="(\d+)"/.exec(html)?.[1] ?? '';
    await ben.send(DEVICES, { end: id });
    expect((await kosync(md5(key), '/users/auth')).status).toBe(200);
    await cleo.send(DEVICES, { end: id });
    expect((await kosync(md5(key), '/users/auth')).status).toBe(401);
  });

  test('opens nothing while its account is disabled', async () => {
    const dora = createVisitor(
      stall,
      await stall.signIn((await stall.reader('dora@example.org', 'paid-book')).email),
    );
    const key = md5(await keyOf(dora));
    await stall.app.admin.accounts.disable('dora@example.org');
    expect((await kosync(key, '/users/auth')).status).toBe(401);
    await stall.app.admin.accounts.enable('dora@example.org');
    expect((await kosync(key, '/users/auth')).status).toBe(200);
  });
});

describe('a place', () => {
  test('is kept as it comes, for its account alone', async () => {
    const sent = md5(anna.key);
    expect((await get(sent, 'unknown')).body).toEqual({});
    const kept = await put(sent, { ...PLACE, metadata: { title: 'A book', authors: 'Nobody' } });
    expect([kept.status, kept.body]).toEqual([200, { document: DOCUMENT, timestamp: now / 1000 }]);
    expect(await get(sent)).toEqual({
      status: 200,
      type: 'application/json',
      body: { ...PLACE, timestamp: now / 1000 },
    });
    expect((await get(md5(ben.key))).body).toEqual({});
  });

  test('is replaced by the one received last, even if it is further back', async () => {
    const sent = md5(anna.key);
    now += 60_000;
    await put(sent, {
      ...PLACE,
      percentage: 0.1,
      progress: '/body/DocFragment[3]/body/p[1].0',
      device: 'phone',
    });
    expect((await get(sent)).body).toMatchObject({ percentage: 0.1, device: 'phone', timestamp: now / 1000 });
  });

  test.each([
    [9, 1],
    [-3, 0],
    [1.0000001, 1],
    [0, 0],
  ])('with the percentage %p has %p', async (given, kept) => {
    await put(md5(anna.key), { ...PLACE, percentage: given });
    expect((await get(md5(anna.key))).body.percentage).toBe(kept);
  });

  const valid = JSON.stringify(PLACE);
  test.each([
    ['nothing', '', 400],
    ['half an object', valid.slice(0, 40), 400],
    ['an array', '[]', 400],
    ['null', 'null', 400],
    ['a number', '9', 400],
    ['no object at all', '\0\xff\xfe', 400],
    ['NaN as percentage', valid.replace('0.4217', 'NaN'), 400],
    ['an endless percentage', valid.replace('0.4217', '1e999'), 400],
    ['a text as percentage', valid.replace('0.4217', '"0.4"'), 400],
    ['no percentage', valid.replace('"percentage":0.4217,', ''), 400],
    ['no document', valid.replace('"document"', '"file"'), 400],
    ['a number as document', valid.replace(`"${DOCUMENT}"`, '12'), 400],
    ['an empty document', valid.replace(DOCUMENT, ' '), 400],
    ['a long document', valid.replace(DOCUMENT, 'd'.repeat(65)), 400],
    ['a long pointer', valid.replace('/body/', `/${'body/'.repeat(500)}`), 400],
    ['an object as pointer', valid.replace(/"progress":"[^"]*"/, '"progress":{}'), 400],
    ['a name of 201 characters', valid.replace('Kobo_nova', 'K'.repeat(201)), 400],
    ['too deep', `${'['.repeat(5000)}${']'.repeat(5000)}`, 400],
    ['65 KiB', `${valid}${' '.repeat(65 * 1024)}`, 413],
    ['two MiB', ' '.repeat(2 * 1024 * 1024), 413],
  ])('is refused with a sentence if it is %s', async (_, body, status) => {
    const before = (await get(md5(anna.key))).body;
    const answer = await kosync(md5(anna.key), '/syncs/progress', 'PUT', body);
    expect([answer.status, answer.body.code]).toEqual([status, 2003]);
    expect(answer.body.message).toMatch(/^Cannot [^:]+: ./);
    expect((await get(md5(anna.key))).body).toEqual(before);
  });

  test(`of a document beyond ${MOST_DOCUMENTS} drops the oldest`, async () => {
    const sent = md5(ben.key);
    const documents = Array.from({ length: MOST_DOCUMENTS + 1 }, (_, n) => md5(String(n)));
    for (const document of documents) {
      now += 1000;
      await put(sent, { ...PLACE, document });
    }
    expect((await get(sent, documents[0])).body).toEqual({});
    expect((await get(sent, documents[1])).body.document).toBe(documents[1]);
    expect((await get(sent, documents.at(-1))).body.document).toBe(documents.at(-1));
  });
});

test('nobody opens an account from an e-reader', async () => {
  const { status, body } = await kosync('', '/users/create', 'POST', '{"username":"anna","password":"x"}');
  expect([status, body.code, body.message]).toEqual([402, 2005, expect.stringContaining(DEVICES)]);
});
