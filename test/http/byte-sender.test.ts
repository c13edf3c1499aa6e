import { afterAll, expect, test } from 'bun:test';
import { createByteSender, type Delivery } from '../../src/http/byte-sender.ts';
import { createConnections } from '../../src/http/connection.ts';
import { failureResponse, answerFailure } from '../../src/http/failure.ts';
import { type Pieces, piecesOf } from '../../src/http/pieces.ts';
import { createRequestLog } from '../../src/http/request-log.ts';
import { openSocket } from './raw-socket.ts';

const KB = 1024;

/** A server that answers every request with a delivery, within bounds of a few pieces; `logged` settles with the first line. */
function serve(
  perClient: number,
  deliver: () => Delivery,
  { anonymous, shared }: Readonly<Record<'anonymous' | 'shared', number>> = {
    anonymous: 10_000 * KB,
    shared: 10_000 * KB,
  },
) {
  const logged = Promise.withResolvers<void>();
  const requestLog = createRequestLog(() => logged.resolve());
  const sender = createByteSender({
    budgets: { addressOf: (request) => ({ key: request.headers.get('from') ?? 'a', coarseKey: '' }) },
    connections: createConnections(() => server),
    requestLog,
    bounds: { perClient, anonymous, total: 2 * anonymous, shared },
  });
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      requestLog.of(request).account = request.headers.get('account');
      try {
        return await sender.send(request, deliver(), { headers: {} });
      } catch (error) {
        return failureResponse(answerFailure(error, requestLog.of(request), () => {}));
      }
    },
  });
  afterAll(() => server.stop(true));
  return { url: server.url.href, logged: logged.promise };
}

const common = { route: '/', check: async () => {}, whole: null };
const ENDLESS: Pieces = { next: () => new Promise(() => {}), close: () => {} };

test('beyond the bound of its address a client gets 503 and Retry-After, and others are served', async () => {
  const { url } = serve(130 * KB, () => ({ ...common, length: 1e6, pieces: async () => ENDLESS }));
  const ask = (from: string) => {
    const socket = openSocket(url, ['GET / HTTP/1.1', 'Host: x', `From: ${from}`]);
    return {
      socket,
      status: new Promise<string>((resolve) =>
        socket.once('data', (data) => resolve(String(data).slice(9, 12))),
      ),
    };
  };
  const held = [ask('a'), ask('a')];
  await Bun.sleep(100);
  const refused = await fetch(url, { headers: { From: 'a' } });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await refused.json()).toEqual({ error: expect.stringContaining('Cannot'), code: 'OVERLOADED' });
  held[0]!.socket.destroy();
  await Bun.sleep(50);
  const next = ask('a');
  const other = ask('b');
  await Bun.sleep(50);
  expect((await fetch(url, { headers: { From: 'a' } })).status).toBe(503);
  for (const { socket } of [...held, next, other]) socket.destroy();
});

test('what would be copied has a Content-Length while there is room for copies, and is sent in pieces without it', async () => {
  const parts = [
    new Uint8Array(100 * KB).fill(1),
    new Blob([new Uint8Array(70 * KB).fill(2)]),
    new Uint8Array(8),
  ];
  const length = 170 * KB + 8;
  const fetchWith = async (perClient: number) => {
    const { url } = serve(perClient, () => ({
      ...common,
      length,
      whole: { parts: () => parts },
      pieces: async () => piecesOf(parts),
    }));
    const response = await fetch(url);
    return [
      response.headers.get('content-length'),
      new Bun.CryptoHasher('md5').update(await response.bytes()).digest('hex'),
    ];
  };
  const [whole, pieces] = [await fetchWith(1000 * KB), await fetchWith(200 * KB)];
  expect(whole[0]).toBe(String(length));
  expect(pieces[0]).toBeNull();
  expect(pieces[1]).toBe(whole[1]);
});

test('a client that leaves while the artefact is being opened leaves no file open', async () => {
  const [asked, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<Pieces>()];
  const pieces = (): Promise<Pieces> => {
    asked.resolve();
    return opened.promise;
  };
  const { url, logged } = serve(1e9, () => ({ ...common, length: 9, pieces }));
  const socket = openSocket(url, ['GET / HTTP/1.1', 'Host: x']);
  await asked.promise;
  socket.destroy();
  await Bun.sleep(20);
  let closed = 0;
  opened.resolve({ ...ENDLESS, close: () => void closed++ });
  await logged;
  expect(closed).toBe(1);
});

test('addresses that take nothing leave room for accounts, and are cut in half a minute', async () => {
  const bounds = { anonymous: 1024 * KB, shared: 0 };
  const startThenNothing = (): Pieces => {
    const [first] = [piecesOf([new Uint8Array(10)])];
    return { next: async () => (await first.next()) ?? ENDLESS.next(), close: () => {} };
  };
  const deliver = () => ({ ...common, length: 1e6, pieces: async () => startThenNothing() });
  const { url } = serve(640 * KB, deliver, bounds);
  const closed: string[] = [];
  const ask = async (name: string, ...lines: readonly string[]): Promise<string> => {
    const socket = openSocket(url, ['GET / HTTP/1.1', 'Host: x', ...lines]);
    afterAll(() => void socket.destroy());
    socket.once('close', () => closed.push(name));
    let start = '';
    for await (const data of socket.iterator({ destroyOnReturn: false })) {
      start += String(data);
      if (start.length >= 'HTTP/1.1 200'.length) break;
    }
    return start.slice(9, 12);
  };
  const statuses = [];
  for (const address of 'aaaaaaaabbbbccdde') statuses.push(await ask(address, `From: ${address}`));
  expect(statuses.map((status) => status === '200').lastIndexOf(true)).toBe(14);
  expect(await ask('anna', 'From: a', 'Account: anna')).toBe('200');
  while (closed.length < 14) await Bun.sleep(100);
  expect(closed.toSorted().join('')).toBe('aaaaaaaabbbbcc');
  expect(await ask('e', 'From: e')).toBe('200');
});

test('shared memory beyond its bound is not kept for a reader, who is sent pieces instead', async () => {
  const bytes = new Uint8Array(300 * KB).fill(3);
  const blob = new Blob([bytes]);
  const fetchWith = async (shared: number) => {
    const whole = { blob: () => blob, shared: { memory: blob, bytes: blob.size } };
    const deliver = () => ({ ...common, length: blob.size, whole, pieces: async () => piecesOf([bytes]) });
    const response = await fetch(serve(1e9, deliver, { anonymous: 1e9, shared }).url);
    return [response.status, response.headers.get('content-length'), (await response.bytes()).length];
  };
  expect(await fetchWith(300 * KB)).toEqual([200, String(300 * KB), 300 * KB]);
  expect(await fetchWith(299 * KB)).toEqual([200, null, 300 * KB]);
});
