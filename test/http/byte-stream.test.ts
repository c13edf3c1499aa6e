import { expect, test } from 'bun:test';
import { createByteStream } from '../../src/http/byte-stream.ts';
import type { BlockReader } from '../../src/catalog/block-reader.ts';
import { openSocket } from './raw-socket.ts';

test('a reader who leaves while the artefact is being opened leaves no file open', async () => {
  const [asked, opened, ended] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<BlockReader>(),
    Promise.withResolvers<void>(),
  ];
  const open = (): Promise<BlockReader> => {
    asked.resolve();
    return opened.promise;
  };
  const watcher = { sent: () => {}, end: () => ended.resolve() };
  using server = Bun.serve({
    port: 0,
    fetch: () => new Response(createByteStream({ open, start: 0, end: 9 }, watcher)),
  });
  const socket = openSocket(server.url.href, ['GET / HTTP/1.1', 'Host: x']);
  await asked.promise;
  socket.destroy();
  await ended.promise;
  let closed = 0;
  opened.resolve({ read: () => new Promise(() => {}), close: () => void closed++ });
  await Bun.sleep(20);
  expect(closed).toBe(1);
});
