import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { itemYaml, skillMd } from '../helpers/harness.ts';
import { openTinyWindows } from '../helpers/tiny-windows.ts';
import { addReader, buildProgram, serve, stallDirectory } from './program.ts';

/** The largest file whose record in the file JSON still fits in memory. */
const picture = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), new Uint8Array(6_200_000)]);

const skill = (slug: string, size: number) => ({
  [`skills/${slug}/item.yaml`]: itemYaml(),
  [`skills/${slug}/SKILL.md`]: skillMd(slug),
  [`skills/${slug}/noise.bin`]: randomBytes(size),
});

await buildProgram();
const directory = stallDirectory({
  ...skill('small', 100_000),
  ...skill('large', 6_000_000),
  'books/album/item.yaml': itemYaml({ id: 'album' }),
  'books/album/picture.png': picture,
});
const stall = await serve(directory, ['--trusted-proxies', '127.0.0.1']);
const { headers } = await addReader(stall, 'anna@example.org');

/** Lets an address ask so many times for the picture, and take nothing of it. */
async function holdPictures(address: string, count: number) {
  const windows = await openTinyWindows(new URL(stall.url).port, count, '/books/album/files/picture.png', [
    `X-Forwarded-For: ${address}`,
  ]);
  // The stall reads what waits at its sockets in turns: after some of them it has read these requests.
  for (let turn = 0; turn < 10; turn++) await stall.fetch('/livez');
  return windows;
}

test('eight addresses that take nothing of what they ask for leave the installs of others as they are', async () => {
  const storm = [];
  for (const [at, count] of [10, 10, 10, 5, 3, 2, 1, 1].entries())
    storm.push(await holdPictures(`203.0.113.${at}`, count));
  const others = [
    ['another address', { 'X-Forwarded-For': '198.51.100.9' }],
    ['a key holder', { ...headers, 'X-Forwarded-For': '198.51.100.10' }],
    ['a key holder at an address that holds much', { ...headers, 'X-Forwarded-For': '203.0.113.1' }],
  ] as const;
  for (const [who, from] of others)
    for (const [slug, size] of [
      ['small', 100_000],
      ['large', 6_000_000],
    ] as const) {
      const response = await stall.fetch(`/api/install/${slug}`, { headers: from });
      expect([who, slug, response.status]).toEqual([who, slug, 200]);
      const tar = Bun.gunzipSync(await response.arrayBuffer());
      expect(tar.length).toBeGreaterThan(size);
    }
  const held = await Promise.all(storm.map(({ leave }) => leave()));
  expect(held.reduce((sum, { 200: count = 0 }) => sum + count, 0)).toBeGreaterThan(36);
});
