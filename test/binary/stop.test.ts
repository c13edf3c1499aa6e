import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { itemYaml, skillMd, writeFiles } from '../helpers/harness.ts';
import { addReader, buildProgram, run, type Served, serve, stallDirectory } from './program.ts';

await buildProgram();

/** One that is kept in memory and one that is streamed; both more than the sockets between us hold for a reader who waits. */
const SIZES = { kept: 7 << 20, streamed: 40 << 20 };

function openRequest({ url }: Served, ...head: readonly string[]): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`${head.join('\r\n')}\r\nHost: stall\r\nConnection: close\r\n\r\n`);
  return socket;
}

/** The body of an answer, taken apart where it is chunked (RFC 9112 §7.1). */
async function readBody(socket: Socket, first: Buffer = Buffer.alloc(0)): Promise<Buffer> {
  const chunks = [first];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const answer = Buffer.concat(chunks);
  const start = answer.indexOf('\r\n\r\n') + 4;
  const body = answer.subarray(start);
  if (!/^transfer-encoding: chunked/im.test(answer.subarray(0, start).toString('latin1'))) return body;
  const parts: Buffer[] = [];
  for (let at = 0, size = -1; size !== 0; at += size + 2) {
    const end = body.indexOf('\r\n', at);
    if (end === -1) throw new Error('The answer was cut');
    size = Number.parseInt(body.subarray(at, end).toString('latin1'), 16);
    at = end + 2;
    parts.push(body.subarray(at, at + size));
  }
  return Buffer.concat(parts);
}

/** A download whose reader has taken the first of it and then waits. */
async function openDownload(stall: Served, slug: string): Promise<{ socket: Socket; first: Buffer }> {
  const socket = openRequest(stall, `GET /api/install/${slug} HTTP/1.1`);
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  socket.once('data', (chunk: Buffer) => {
    socket.pause();
    resolve(chunk);
  });
  return { socket, first: await promise };
}

const directory = stallDirectory();
for (const [slug, size] of Object.entries(SIZES)) {
  writeFiles(join(directory, 'content/skills', slug), {
    'item.yaml': itemYaml(),
    'SKILL.md': skillMd(slug),
    'noise.bin': randomBytes(size),
  });
}
const serveLarge = () => serve(directory, ['--budget', 'off']);

test('SIGTERM lets running answers end, says 503 at /readyz meanwhile, writes all rows and exits 0', async () => {
  const stall = await serveLarge();
  const { key } = await addReader(stall, 'ann@example.org');
  const downloads = [await openDownload(stall, 'kept'), await openDownload(stall, 'streamed')];
  const question = JSON.stringify({ book_id: 'free-id', query: 'Why does the heron stand on one leg?' });
  const asking = openRequest(
    stall,
    'POST /api/agent/fetch HTTP/1.1',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${question.length}`,
  );
  await Bun.sleep(100);

  expect((await stall.fetch('/readyz')).status).toBe(200);
  stall.kill('SIGTERM');
  await stall.err.until('"event":"stopping"');
  expect((await stall.fetch('/readyz')).status).toBe(503);
  expect((await stall.fetch('/livez')).status).toBe(200);

  asking.write(question);
  expect((await readBody(asking)).toString()).toContain('\nevent: done\n');
  for (const { socket, first } of downloads) {
    const tar = gunzipSync(await readBody(socket, first));
    expect(tar.length).toBeGreaterThan(SIZES.kept);
  }
  expect(await stall.exited).toBe(0);
  expect(stall.err.text()).toContain('"event":"stopped"');

  const asked = await run(['logs', '--json'], { cwd: directory });
  expect(JSON.parse(asked.out)).toMatchObject({ account: 'ann@example.org', outcome: 'quoted' });
  const taken = await run(['logs', '--kind', 'download', '--json'], { cwd: directory });
  expect(
    taken.out
      .trim()
      .split('\n')
      .map((line): string => JSON.parse(line).slug)
      .toSorted(),
  ).toEqual(['kept', 'streamed']);
});

test.each([
  ['SIGTERM', 'kept'],
  ['SIGINT', 'streamed'],
] as const)(
  '%s a second time ends the program at once, in the midst of a %s download',
  async (signal, slug) => {
    const stall = await serveLarge();
    const { socket } = await openDownload(stall, slug);
    stall.kill(signal);
    await stall.err.until('"event":"stopping"');
    await Bun.sleep(200);
    expect((await stall.fetch('/livez')).status).toBe(200);
    stall.kill(signal);
    expect(await stall.exited).toBe(1);
    expect(stall.err.text()).toMatch(/"route":"\/livez","status":200.*\n.*"event":"stopped-at-once"/);
    socket.destroy();
  },
);

test('a stop leaves no write-ahead log behind', async () => {
  const quiet = stallDirectory();
  const stall = await serve(quiet);
  await addReader(stall, 'ann@example.org', 'paid-book');
  await (await stall.fetch('/api/install/free-book')).bytes();
  expect(await stall.stop()).toBe(0);
  expect(Bun.file(join(quiet, 'data/bookstall.db-wal')).size).toBe(0);
});
