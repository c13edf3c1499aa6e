import { afterAll, expect, test } from 'bun:test';
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPieces } from '../../../src/platform/base/file-slice.ts';
import { createConnections } from '../../../src/platform/http/budget.ts';
import { answerFailure, failureResponse } from '../../../src/platform/http/failure.ts';
import { createRequestLog } from '../../../src/platform/http/request-log.ts';
import { type Bounds, createSender } from '../../../src/platform/http/sender.ts';
import { temporaryDirectory, until } from '../../helpers/harness.ts';
import { openTinyWindows } from '../../helpers/tiny-windows.ts';
import { openSocket } from './raw-socket.ts';

/** More than what sockets hold. */
const SIZE = 12_000_000;

const file = join(temporaryDirectory(), 'large');
writeFileSync(file, Buffer.alloc(SIZE, 7));

/**
 * The bytes a body may hand to the kernel at once, the bytes of all in one turn, and how often clients who
 * left are looked for, in milliseconds.
 */
const AT_ONCE = 128 * 1024;
const SHARE = 2 * 1024 * 1024;
const LOOK = 50;

/** A server that sends a file to those who ask for `/whole`, and pieces of it to others. */
function serve(bounds: Bounds) {
  /** How often the server was asked for a connection's peer, and the most bytes that bodies began with in one turn. */
  const seen = { looks: 0, most: 0 };
  let inTurn = 0;
  const begins = (length: number): void => {
    if (inTurn === 0) setImmediate(() => (inTurn = 0));
    inTurn += length;
    seen.most = Math.max(seen.most, inTurn);
  };
  const requestLog = createRequestLog(() => {});
  const addressOf = (request: Request) => ({ key: request.headers.get('from') ?? 'a', coarseKey: '' });
  const { peerOf, allowSilence } = createConnections(() => server);
  const counted = (request: Request) => {
    seen.looks++;
    return peerOf(request);
  };
  const sender = createSender({ addressOf }, { peerOf: counted, allowSilence }, requestLog, bounds);
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      requestLog.of(request).account = request.headers.get('account');
      function* pieces() {
        for (const piece of readPieces({ file, start: 0, end: SIZE })) {
          begins(piece.length);
          yield piece;
        }
      }
      const check = () => {};
      try {
        if (new URL(request.url).pathname !== '/whole')
          return await sender.pieces(request, { route: '/', length: SIZE, check, pieces }, { headers: {} });
        const response = await sender.whole(request, Bun.file(file).slice(0, SIZE), { headers: {} });
        begins(SHARE);
        return response;
      } catch (error) {
        return failureResponse(answerFailure(error, requestLog.of(request), () => {}));
      }
    },
  });
  afterAll(() => server.stop(true));
  /** Takes the first bytes of an answer and no more; gives its status. */
  const ask = async (path: string, ...lines: readonly string[]) => {
    const socket = openSocket(server.url.href, [`GET ${path} HTTP/1.1`, 'Host: x', ...lines]);
    afterAll(() => void socket.destroy());
    const status = await new Promise<string>((resolve) =>
      socket.once('data', (data) => {
        socket.pause();
        resolve(String(data).slice(9, 12));
      }),
    );
    return { status, socket };
  };
  return { url: server.url.href, ask, seen };
}

const openFiles = (): number =>
  readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === file;
    } catch {
      return false;
    }
  }).length;

test.each(['/whole', '/pieces'])(
  'beyond the places of its address a client gets 503 of %s, and one again once it has left one',
  async (path) => {
    const { url, ask } = serve({ perClient: 2, anonymous: 100, total: 100 });
    const [first, second] = [await ask(path, 'From: a'), await ask(path, 'From: a')];
    const refused = await fetch(`${url}${path}`, { headers: { From: 'a' } });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toEqual({ error: expect.stringContaining('Cannot'), code: 'OVERLOADED' });
    const other = await ask(path, 'From: b');
    expect([first.status, second.status, other.status]).toEqual(['200', '200', '200']);
    first.socket.destroy();
    await until(() => openFiles() === 2);
    await Bun.sleep(LOOK);
    const next = await ask(path, 'From: a');
    expect(next.status).toBe('200');
    for (const { socket } of [second, other, next]) socket.destroy();
    await until(() => openFiles() === 0);
  },
);

test('one who takes everything leaves its place', async () => {
  const { url } = serve({ perClient: 1, anonymous: 1, total: 1 });
  for (const path of ['/whole', '/pieces', '/whole'])
    expect((await (await fetch(`${url}${path.slice(1)}`)).bytes()).length).toBe(SIZE);
});

test('addresses that take nothing leave room for accounts', async () => {
  const { ask } = serve({ perClient: 10, anonymous: 16, total: 32 });
  const statuses = [];
  for (const [n, address] of [...'aaaaaaaabbbbccdde'].entries())
    statuses.push((await ask(n % 2 === 0 ? '/whole' : '/pieces', `From: ${address}`)).status);
  expect(statuses.map((status) => status === '200').lastIndexOf(true)).toBe(15);
  expect((await ask('/whole', 'From: a', 'Account: anna')).status).toBe('200');
});

test.each(['/whole', '/pieces'])(
  'a crowd that asks for %s at once begins a share of it a turn',
  async (path) => {
    const { url, seen } = serve({ perClient: 200, anonymous: 200, total: 200 });
    const coming = openTinyWindows(new URL(url).port, 100, path);
    // All of them wait at the socket when the server looks again.
    Bun.sleepSync(1000);
    const { leave } = await coming;
    expect(await leave()).toEqual({ 200: 100 });
    // Two shares may lie between two looks of this test.
    expect(seen.most).toBeWithin(AT_ONCE, 2 * (SHARE + AT_ONCE));
  },
);

test('a crowd that is refused has the server look who left once in an interval', async () => {
  const { url, ask, seen } = serve({ perClient: 20, anonymous: 20, total: 20 });
  for (let n = 0; n < 20; n++) await ask('/whole');
  const since = performance.now();
  for (let n = 0; n < 50; n++) expect((await fetch(`${url}whole`)).status).toBe(503);
  expect(seen.looks).toBeLessThanOrEqual(20 * Math.ceil((performance.now() - since) / LOOK));
});
