import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { itemYaml, openStall, skillMd } from '../../helpers/harness.ts';

const stall = await openStall({
  files: {
    'skills/archive/item.yaml': itemYaml(),
    'skills/archive/SKILL.md': skillMd('archive'),
    'skills/archive/noise.png': randomBytes(50_000),
  },
});

/** Everything that comes for these requests, sent at once by a client that then closes its side. */
async function sendAndClose(...targets: readonly string[]): Promise<Buffer> {
  const socket = connect({ port: Number(new URL(stall.url).port), host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.end(targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  socket.on('end', () => socket.destroy());
  await closed;
  return Buffer.concat(chunks);
}

test.each([
  ['/api/items', 1],
  ['/api/install/archive', 50_000],
  ['/api/skills/archive/download', 50_000],
  ['/skills/archive/files/noise.png', 50_000],
])('a client that has closed its side gets %s whole if it is small', async (target, least) => {
  // An answer read from disk makes Bun wait, and it closes a half-closed connection that waits.
  await (await stall.fetch(target)).bytes();
  const received = await sendAndClose(target);
  const end = received.indexOf('\r\n\r\n') + 4;
  const length = Number(/content-length: (\d+)/i.exec(received.subarray(0, end).toString())?.[1]);
  expect(length).toBeGreaterThanOrEqual(least);
  expect(received.length - end).toBe(length);
});

test('small answers to requests sent at once come whole and in order', async () => {
  const received = (await sendAndClose('/api/items', '/livez', '/api/items')).toString();
  expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  expect(received.indexOf('alive')).toBeLessThan(received.lastIndexOf('HTTP/1.1'));
});
