import { describe, expect, test } from 'bun:test';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { SHOWN_PICTURES } from '../../src/catalog/picture.rule.ts';
import { check } from '../../src/publishing/publishing-session.ts';
import { createSmallCovers } from '../../src/catalog/small-covers.ts';
import { type Files, itemYaml, openStall, temporaryDirectory, writeFiles } from '../helpers/harness.ts';

function chunk(name: string, content: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(name), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG in RGBA, of a slope with a little noise, or with no more pixels than `rows` of its rows. */
function png(width: number, height: number, rows = height, extra: readonly Uint8Array[] = []): Uint8Array {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6], 8);
  const pixels = Buffer.alloc(rows * (width * 4 + 1));
  for (let at = 0, seed = 1; at < pixels.length; at++) {
    const x = at % (width * 4 + 1);
    seed = (seed * 1_103_515_245 + 12_345) % 0x7fffffff;
    pixels[at] = x === 0 ? 0 : x % 4 === 0 ? 255 : (x >> 5) + (seed % 8);
  }
  return Buffer.concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', head),
    ...extra,
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', new Uint8Array()),
  ]);
}

const large = png(900, 1350);
// Bytes by chance, which look like the scans of a JPEG.
const likeScans = png(900, 1350, 1350, [chunk('teSt', Buffer.from('ffda'.repeat(100), 'hex'))]);
const decoded = new Bun.Image(large);
const jpeg = await decoded.jpeg({ progressive: true }).bytes();
const webp = await new Bun.Image(large).webp().bytes();

/** The JPEG with its smallest scan a hundred times more. */
function manyScans(): Uint8Array {
  const bytes = Buffer.from(jpeg);
  const starts: number[] = [];
  const marker = Buffer.of(0xff, 0xda);
  for (let at = bytes.indexOf(marker); at !== -1; at = bytes.indexOf(marker, at + 2)) starts.push(at);
  const last = bytes.subarray(starts.at(-2), starts.at(-1));
  return Buffer.concat([bytes.subarray(0, -2), ...Array<Buffer>(100).fill(last), bytes.subarray(-2)]);
}

/** Images that cannot be resized: they are shown as they are. */
const HOSTILE: Readonly<Record<string, readonly [extension: string, bytes: Uint8Array]>> = {
  'sixty-thousand-square': ['png', png(60_000, 60_000, 1)],
  'twenty-five-million': ['png', png(5000, 5001, 1)],
  'a-colour-profile-of-half-a-gigabyte': [
    'png',
    png(10, 10, 10, [
      chunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(500_000_000))])),
    ]),
  ],
  'no-pixels': ['png', png(0, 0)],
  'cut-off': ['png', large.slice(0, large.length / 3)],
  'one-pixel-wide': ['png', png(1, 200_000)],
  'not-an-image': ['png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff)],
  text: ['jpg', Buffer.from('hello')],
  'a-hundred-scans': ['jpg', manyScans()],
  'an-animation-cut-off': ['webp', webp.slice(0, 40)],
  'a-script': ['gif', Buffer.from('GIF89a<script>alert(1)</script>\xff', 'latin1')],
};

const UNKNOWN = Uint8Array.of(1, 2, 0xff);

const withCover = (slug: string, extension: string, bytes: Uint8Array, keys = {}): Files => ({
  [`books/${slug}/item.yaml`]: itemYaml({ id: slug, cover: `front.${extension}`, ...keys }),
  [`books/${slug}/front.${extension}`]: bytes,
  [`books/${slug}/01.md`]: 'Words.\n',
});

const stall = await openStall({
  files: Object.assign(
    {},
    withCover('png-book', 'png', large),
    withCover('noisy-book', 'png', likeScans),
    withCover('jpeg-book', 'JPG', jpeg),
    withCover('webp-book', 'webp', webp),
    withCover('tiny-book', 'png', png(4, 6)),
    ...SHOWN_PICTURES.map(({ endings: [first] }) => withCover(`${first}-unknown`, first, UNKNOWN)),
    withCover('draft-book', 'png', large, { status: 'draft' }),
    ...Object.entries(HOSTILE).map(([slug, [extension, bytes]]) => withCover(slug, extension, bytes)),
  ) as Files,
});
await stall.app.admin.accounts.add('owner@example.org', true);
const owner = await stall.signIn('owner@example.org');

/** The address of the cover that an item's page shows, and that of the image which other sites show. */
async function coversOf(slug: string, headers = {}): Promise<{ shown: string; preview: string }> {
  const page = await (await stall.fetch(`/books/${slug}`, { headers })).text();
  return {
    shown: /<img class="cover" src="([^"]+)"/.exec(page)?.[1] ?? '',
    preview: /og:image" content="[^"]*?(\/(?:covers|assets)\/[^"]+)"/.exec(page)?.[1] ?? '',
  };
}

const sizeOf = async (bytes: Uint8Array) => {
  const { width, height, format } = await new Bun.Image(bytes).metadata();
  return [width, height, format];
};

describe('a cover', () => {
  test.each(['png-book', 'noisy-book', 'jpeg-book', 'webp-book'])(
    'of %s is shown 480 pixels wide, as WebP',
    async (slug) => {
      const { shown } = await coversOf(slug);
      expect(shown).toMatch(/-480\.webp$/);
      const response = await stall.fetch(shown);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      const bytes = await response.bytes();
      // A JPEG is decoded at an eighth of its size or a multiple of it.
      const [width, height, format] = await sizeOf(bytes);
      expect([width, Math.round(Number(height) / 10), format]).toEqual([480, 72, 'webp']);
      expect(bytes.length).toBeLessThan(large.length / 10);
      const etag = response.headers.get('etag') ?? '';
      expect((await stall.fetch(shown, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    },
  );

  test('is the same on the window', async () => {
    const { shown } = await coversOf('png-book');
    expect(await (await stall.fetch('/')).text()).toContain(`src="${shown}"`);
  });

  test.each([
    ['png-book', /^\/covers\/png-book-[0-9a-f]{16}\.png$/],
    ['jpeg-book', /^\/covers\/jpeg-book-[0-9a-f]{16}\.jpg$/],
    ['webp-book', /^\/assets\/preview-[\w-]+\.png$/],
  ])('of %s is a PNG or JPEG for other sites', async (slug, pattern) => {
    const { preview } = await coversOf(slug);
    expect(preview).toMatch(pattern);
    const response = await stall.fetch(preview);
    expect(response.headers.get('content-type')).toMatch(/^image\/(png|jpeg)$/);
    expect(['png', 'jpeg']).toContain(String((await sizeOf(await response.bytes()))[2]));
  });

  test('that is small is not made larger', async () => {
    const { shown } = await coversOf('tiny-book');
    const bytes = await (await stall.fetch(shown)).bytes();
    expect((await sizeOf(bytes)).slice(0, 2)).toEqual([4, 6]);
  });

  test.each(SHOWN_PICTURES.map(({ endings: [first], ...kind }) => [first, kind] as const))(
    'that ends with .%s and cannot be read is shown as it is, by its ending',
    async (ending, { type, page, small }) => {
      const { shown } = await coversOf(`${ending}-unknown`);
      expect(shown).toEndWith(small ? '-480.webp' : `.${ending}`);
      const response = await stall.fetch(shown);
      expect(response.headers.get('content-type')).toBe(type);
      expect(response.headers.get('content-disposition')).toBe(page === 'drawing' ? 'attachment' : null);
      expect(await response.bytes()).toEqual(UNKNOWN);
    },
  );

  test('of a draft is for the owner alone, and no cache keeps it', async () => {
    const { shown } = await coversOf('draft-book', owner);
    expect((await stall.fetch(shown)).status).toBe(404);
    const response = await stall.fetch(shown, { headers: owner });
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
  });
});

describe('an image that cannot be resized', () => {
  test.each(Object.keys(HOSTILE))('is shown as it is: %s', async (slug) => {
    const [extension, bytes] = HOSTILE[slug]!;
    const { shown } = await coversOf(slug);
    const response = await stall.fetch(shown);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(
      extension === 'jpg' ? 'image/jpeg' : `image/${extension}`,
    );
    expect(await response.bytes()).toEqual(new Uint8Array(bytes));
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('leaves the stall as it was', async () => {
    expect((await stall.fetch('/')).status).toBe(200);
  });
});

test('an image that takes too long is shown as it is for a while, and later tried again', async () => {
  const edition = stall.app.catalog().bySlug.get('png-book')!;
  const file = edition.files.find(({ path }) => path === 'front.png')!;
  const start = () => new Worker(new URL('../../src/renderer.ts', import.meta.url));
  const open = (limit: number) => {
    let started = 0;
    const covers = createSmallCovers(stall.data, () => (started++, start()), {
      verify: async () => {},
      times: { limit, idle: 1000 },
    });
    return { ...covers, started: () => started };
  };
  rmSync(join(stall.data, 'covers'), { recursive: true, force: true });
  const hasty = open(0);
  // A start must not wait for a Worker.
  expect(hasty.started()).toBe(0);
  expect(await hasty.open(edition, file)).toEqual({ image: null, isFinal: false });
  expect(await hasty.open(edition, file)).toEqual({ image: null, isFinal: false });
  expect(hasty.started()).toBe(1);
  hasty.close();
  const patient = open(60_000);
  const [one, other] = await Promise.all([patient.open(edition, file), patient.open(edition, file)]);
  expect(one?.image?.size).toBeGreaterThan(0);
  expect(other).toBe(one);
  expect(patient.started()).toBe(1);
  patient.close();
});

describe('check', () => {
  test.each([
    [1024 * 1024, []],
    [
      1_992_294,
      [
        {
          severity: 'warning',
          path: 'front.png',
          sentence: 'The cover "front.png" has 1.9 MB',
          remedy: 'Save it smaller: 1,200 pixels in width and 1 MB are enough',
        },
      ],
    ],
  ])('of a cover of %d bytes finds %j', async (size, expected) => {
    const directory = temporaryDirectory();
    // One large chunk and the last one, without which a PNG counts as cut short.
    const bytes = Buffer.alloc(size, 0xff);
    bytes.write('89504e470d0a1a0a', 'hex');
    bytes.writeUInt32BE(size - 8 - 12 - 12, 8);
    bytes.write('IDAT', 12);
    bytes.write('0000000049454e44ae426082', size - 12, 'hex');
    writeFiles(directory, withCover('a-book', 'png', bytes));
    const [entry] = await check(directory);
    expect(entry?.problems).toMatchObject(expected);
    expect(entry?.problems).toHaveLength(expected.length);
  });
});

describe('a resized cover', () => {
  test('is made once, and made again if its file is lost', async () => {
    const folder = join(stall.data, 'covers');
    const { shown } = await coversOf('png-book');
    await stall.fetch(shown);
    const files = (): string[] =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.webp'));
    const before = files();
    expect(before.length).toBeGreaterThan(0);
    for (const name of before) expect(statSync(join(folder, name)).mode & 0o77).toBe(0);
    await (await stall.fetch(shown)).bytes();
    expect(files()).toEqual(before);
    rmSync(folder, { recursive: true });
    await stall.close();
    const other = await openStall({ directory: stall.directory, files: {} });
    expect((await new Bun.Image(await (await other.fetch(shown)).bytes()).metadata()).width).toBe(480);
  });
});
