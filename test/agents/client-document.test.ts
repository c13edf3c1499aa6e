// Clients whose id is the address of a document about them, at a real server with a certificate of its own authority.
import { describe, expect, test } from 'bun:test';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { DAY, HOUR, MINUTE } from '../../src/platform/base/duration.ts';
import { createClientDocuments } from '../../src/agents/client-document.ts';
import { isPublic } from '../../src/platform/http/address.ts';
import { openStall } from '../helpers/harness.ts';
import { visitAs, wordsOf } from '../office/visit.ts';
import { type Answer, canServe, documentOf, HOST, openNetwork, PUBLIC, send } from './document-network.ts';
import {
  connect,
  consent,
  isGood,
  type Json,
  openReader,
  queryOf,
  REDIRECT,
  refresh,
  verifierOf,
} from './assistant.ts';

const UNREAD = 'Who the program is could not be read';

async function open(now: () => number = Date.now) {
  const net = await openNetwork();
  const reader = await openReader(now, { network: net.network });
  net.said.answer = send(documentOf(net.id));
  const page = (id = net.id) => reader.browser.open(`/authorize?${queryOf(id, verifierOf())}`);
  return { ...net, page, reader: { ...reader, client: net.id } };
}

describe.if(canServe)('a client with a document', async () => {
  let now = Date.now();
  const { reader, id, seen, said, page, network } = await open(() => now);
  const { stall } = reader;

  test('is told of in the metadata, and not where the setting is off', async () => {
    const tells = async (one: typeof stall) =>
      ((await (await one.fetch('/.well-known/oauth-authorization-server')).json()) as Json)[
        'client_id_metadata_document_supported'
      ];
    const off = await openStall({ config: { oauthDocuments: false } });
    expect([await tells(stall), await tells(off)]).toEqual([true, false]);
    await off.reader('ada@example.org');
    const { status, html } = await visitAs(off, await off.signIn('ada@example.org')).open(
      `/authorize?${queryOf(id, verifierOf())}`,
    );
    expect([status, html.includes(UNREAD), seen.asked]).toEqual([400, false, 0]);
  });

  test('is read for nobody who is not signed in', async () => {
    const answer = await stall.fetch(`/authorize?${queryOf(id, verifierOf())}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/sign-in\?/),
    ]);
    expect([seen.resolved, seen.asked]).toEqual([0, 0]);
  });

  test('connects, and is read once, without credentials; a token request reads nothing', async () => {
    const { html } = await page();
    expect(wordsOf(html)).toContain(
      `Claude asks to read your library here. ${new URL(id).host} says who it is.`,
    );
    const { body } = await (await connect(reader)).exchange();
    expect(await isGood(reader, body['access_token'])).toBeTrue();
    expect((await refresh(reader, body['refresh_token'])).status).toBe(200);
    expect([seen.asked, seen.resolved, seen.dialled.every((one) => one === PUBLIC)]).toEqual([1, 1, true]);
    expect(seen.headers[0]).not.toContainAnyKeys(['authorization', 'cookie', 'referer']);
    const other = { ...reader, client: `${id}?other` };
    expect((await refresh(other, body['refresh_token'])).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('is read again after an hour, and its change of mind counts; else the last good copy serves 7 days', async () => {
    const find = createClientDocuments(() => now, network);
    const redirects = async () => (await find(id, 'ada'))?.redirects ?? null;
    const other = 'https://a.example/cb';
    const before = seen.asked;
    expect(await redirects()).toEqual([REDIRECT]);
    said.answer = (response) => response.writeHead(503).end();
    now += HOUR - 1000;
    expect([await redirects(), seen.asked - before]).toEqual([[REDIRECT], 1]);
    now += 7 * DAY - HOUR;
    expect([await redirects(), seen.asked - before]).toEqual([[REDIRECT], 2]);
    now += 1000;
    expect(await redirects()).toBeNull();
    said.answer = send(documentOf(id, { redirect_uris: [other] }), {
      'Cache-Control': 'public, max-age=999999',
    });
    now += MINUTE;
    expect(await redirects()).toEqual([other]);
    said.answer = send(documentOf(id));
    now += DAY - 1000;
    expect(await redirects()).toEqual([other]);
    now += 1000;
    expect(await redirects()).toEqual([REDIRECT]);
    said.answer = send(documentOf('https://other.example/x'));
    now += HOUR;
    expect(await redirects()).toBeNull();
    said.answer = (response) => response.destroy();
    expect(await redirects()).toBeNull();
  });
});

describe.if(canServe)('a document', async () => {
  let now = Date.now();
  const { reader, id, seen, said, page, network, tls } = await open(() => now);
  /** Opens the page with another address of a client, and returns whether it asks for consent. */
  let count = 0;
  const asks = async (answer: (id: string) => Answer): Promise<boolean> => {
    now += 2 * MINUTE;
    const own = `${id}?${count++}`;
    said.answer = answer(own);
    const { status, html } = await page(own);
    return status === 200 && html.includes('name="token"');
  };

  test.each([
    ['without a method', {}, true],
    ['for none', { token_endpoint_auth_method: 'none' }, true],
    [
      'with none among others',
      {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
      },
      true,
    ],
    ['that needs a key', { token_endpoint_auth_method: 'private_key_jwt' }, false],
    ['of another client', { client_id: 'https://other.example/client' }, false],
    ['without redirects', { redirect_uris: [] }, false],
    ['without a name', { client_name: undefined }, false],
    ['with a redirect by plain http', { redirect_uris: ['http://a.example/cb'] }, false],
  ])('%s: %j', async (_, more, isGoodOne) => {
    expect(await asks((own) => send(documentOf(own, more)))).toBe(isGoodOne);
  });

  test.each([
    ['a redirect', () => (r) => r.writeHead(302, { Location: id }).end()],
    ['an error', () => (r) => r.writeHead(404).end(documentOf(id))],
    ['no JSON', () => send('<html>')],
    ['JSON that is no object', () => send('7')],
    ['more than 5 KB', (own) => send(documentOf(own, { x: 'x'.repeat(5_000) }))],
    [
      'an answer that is compressed',
      (own) => send(Bun.gzipSync(documentOf(own)).toString(), { 'Content-Encoding': 'gzip' }),
    ],
    ['an answer that breaks', () => (r) => void r.writeHead(200).write('{', () => r.destroy())],
  ] satisfies readonly (readonly [string, (own: string) => Answer])[])(
    'as %s is refused',
    async (_, answer) => {
      const before = seen.asked;
      expect([await asks(answer), seen.asked]).toEqual([false, before + 1]);
    },
  );

  test.each([
    ['', true],
    ['HTTP/1.1 103 Early Hints\r\n\r\n', false],
  ])('that comes a moment after the interim answer %j is read: %p', async (interim, isRead) => {
    let own = '';
    const server = createServer(tls, (socket) => {
      const [body, type] = [documentOf(own), 'Content-Type: application/json'];
      const whole = `HTTP/1.1 200 OK\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      socket
        .on('error', () => {})
        .once('data', async () => {
          socket.write(interim);
          await Bun.sleep(100);
          socket.end(whole);
        });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    own = `https://${HOST}:${(server.address() as AddressInfo).port}/client.json`;
    const found = await createClientDocuments(() => now, network)(own, 'ada');
    expect(found !== null).toBe(isRead);
    server.close();
  });

  test('of 1 GB is left after its first bytes', async () => {
    let sent = 0;
    const ended = Promise.withResolvers<void>();
    const isUsed = await asks(() => (response) => {
      response.writeHead(200, { 'Content-Length': String(1e9) }).on('close', ended.resolve);
      const chunk = Buffer.alloc(16_384, 32);
      const more = (): void => {
        while (sent < 1e9 && !response.destroyed)
          if (((sent += chunk.length), !response.write(chunk))) return;
      };
      response.on('drain', more);
      more();
    });
    await ended.promise;
    expect([isUsed, sent < 5e7]).toEqual([false, true]);
  });

  test('of a byte a second is left after three seconds', async () => {
    const ended = Promise.withResolvers<void>();
    const isUsed = await asks(() => (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 1000);
      response.on('close', () => (clearInterval(timer), ended.resolve()));
    });
    await ended.promise;
    expect(isUsed).toBeFalse();
  });

  test.each([
    [['127.0.0.1']],
    [[PUBLIC, '10.0.0.1']],
    [['::ffff:169.254.169.254']],
    [['fd00::1', PUBLIC]],
    [[]],
  ])('at %j is not asked for', async (addresses) => {
    const before = [seen.asked, seen.dialled.length];
    said.addresses = addresses;
    expect(await asks((own) => send(documentOf(own)))).toBeFalse();
    said.addresses = [PUBLIC];
    expect([seen.asked, seen.dialled.length]).toEqual(before);
  });

  test('whose name leads elsewhere the second time is asked for where it was checked', async () => {
    const before = seen.resolved;
    seen.dialled.length = 0;
    expect(
      await asks((own) => {
        said.addresses = ['127.0.0.1'];
        return send(documentOf(own));
      }),
    ).toBeFalse();
    said.addresses = [PUBLIC];
    expect(await asks((own) => send(documentOf(own)))).toBeTrue();
    expect([seen.resolved - before, new Set(seen.dialled)]).toEqual([2, new Set([PUBLIC])]);
  });

  test('of a host that the certificate does not name is refused', async () => {
    now += 2 * MINUTE;
    const before = seen.asked;
    expect(wordsOf((await page(id.replace(HOST, 'other.example'))).html)).toContain(UNREAD);
    expect(seen.asked).toBe(before);
  });

  test.each([
    'http://client.example/x',
    'https://client.example/',
    'https://u@client.example/x',
    'https://client.example/x#y',
    'https://client.example/a/../x',
    'https://CLIENT.example/x',
  ])('at %s is no client', async (address) => {
    const before = seen.resolved;
    const { status, html } = await page(address);
    expect([status, html.includes(UNREAD), seen.resolved]).toEqual([400, false, before]);
  });

  test('is read three times a minute for a reader, and ten times for all', async () => {
    now += 10 * MINUTE;
    const before = seen.asked;
    for (let n = 0; n < 5; n++) await page(`${id}?reader${n}`);
    expect(seen.asked - before).toBe(3);
    for (let m = 0; m < 4; m++) {
      await reader.stall.reader(`r${m}@example.org`);
      const other = visitAs(reader.stall, await reader.stall.signIn(`r${m}@example.org`));
      for (let n = 0; n < 3; n++) await other.open(`/authorize?${queryOf(`${id}?${m}of${n}`, verifierOf())}`);
    }
    expect(seen.asked - before).toBe(10);
    said.answer = send(documentOf(id));
    now += MINUTE;
    expect((await consent(reader, queryOf(id, verifierOf()))).status).toBe(303);
  });
});

test.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['::ffff:8.8.8.8', true],
  ...(
    '0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 192.0.0.8 192.168.0.1 198.18.0.1 224.0.0.1 240.0.0.1 ' +
    '255.255.255.255 :: ::1 ::7f00:1 ::ffff:10.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: 2001::1 fc00::1 fe80::1 fec0::1 ff02::1 x'
  )
    .split(' ')
    .map((address) => [address, false] as const),
])('%s is public: %p', (address, expected) => {
  expect(isPublic(address)).toBe(expected);
});
