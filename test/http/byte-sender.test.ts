import { expect, test } from 'bun:test';
import { createByteSender } from '../../src/http/byte-sender.ts';
import { createConnections } from '../../src/http/connection.ts';
import type { Pieces } from '../../src/http/pieces.ts';
import { createRequestLog } from '../../src/http/request-log.ts';
import { openSocket } from './raw-socket.ts';

test('a client that leaves while the artefact is being opened leaves no file open', async () => {
  const [asked, opened, ended] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<Pieces>(),
    Promise.withResolvers<void>(),
  ];
  const sender = createByteSender({
    budgets: { addressOf: () => ({ key: '127.0.0.1', coarseKey: '127.0' }) },
    connections: createConnections(() => server),
    requestLog: createRequestLog(() => ended.resolve()),
  });
  const pieces = (): Promise<Pieces> => {
    asked.resolve();
    return opened.promise;
  };
  const delivery = { route: '/', length: 9, shared: null, check: async () => {}, pieces };
  using server = Bun.serve({ port: 0, fetch: (request) => sender.send(request, delivery, { headers: {} }) });
  const socket = openSocket(server.url.href, ['GET / HTTP/1.1', 'Host: x']);
  await asked.promise;
  socket.destroy();
  await Bun.sleep(20);
  let closed = 0;
  opened.resolve({ next: () => new Promise(() => {}), close: () => void closed++ });
  await ended.promise;
  expect(closed).toBe(1);
});
