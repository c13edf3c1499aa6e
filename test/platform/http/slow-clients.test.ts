import { afterAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { itemYaml, openStall, skillMd } from '../../helpers/harness.ts';
import { openTinyWindows } from '../../helpers/tiny-windows.ts';

const CLIENTS = 100;
const MB = 1024 * 1024;

const png = (size: number): Uint8Array =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(size - 8)]);

const stall = await openStall({
  files: {
    'books/picture/item.yaml': itemYaml({ id: 'picture', cover: 'cover.png' }),
    'books/picture/cover.png': png(2_000_000),
    'books/album/item.yaml': itemYaml({ id: 'album' }),
    'books/album/pic.png': png(6_000_000),
    'books/film/item.yaml': itemYaml({ id: 'film' }),
    'books/film/film.bin': randomBytes(20_000_000),
    'books/long/item.yaml': itemYaml({ id: 'long' }),
    'books/long/a.txt': 'A heron stands on one leg.\n'.repeat(36_000),
    'skills/archive/item.yaml': itemYaml(),
    'skills/archive/SKILL.md': skillMd('archive'),
    'skills/archive/noise.bin': randomBytes(7_500_000),
  },
});
afterAll(() => stall.close());
const [cover = ''] = /\/covers\/[^"]+/.exec(await (await stall.fetch('/books/picture')).text()) ?? [];

const rss = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;

describe.each([
  ['a cover', cover],
  ['an image', '/books/album/files/pic.png'],
  ['a long file', '/books/film/files/film.bin'],
  ['a text of 1 MB', '/books/long/read/a.txt'],
  ['an install', '/api/install/archive'],
  ['a zip', '/api/skills/archive/download'],
])(`${CLIENTS} clients that take nothing of %s`, (_, path) => {
  test('cost less than a megabyte each, and nothing once they have left', async () => {
    await (await stall.fetch(path)).bytes();
    Bun.gc(true);
    const before = rss();
    const { leave } = await openTinyWindows(new URL(stall.url).port, CLIENTS, path);
    // Until what they were sent has stopped growing.
    for (let last = 0, now = rss(); Math.abs(now - last) > MB; now = rss()) {
      last = now;
      await Bun.sleep(300);
    }
    Bun.gc(true);
    const held = rss() - before;
    expect((await stall.fetch('/livez')).status).toBe(200);
    expect(await leave()).toEqual({ 200: CLIENTS });
    expect(held).toBeLessThan(CLIENTS * 0.6 * MB);
    for (Bun.gc(true); rss() - before > 40 * MB; Bun.gc(true)) await Bun.sleep(100);
  });
});
