import { expect, test } from 'bun:test';
import { assetUrl, awningUrl, iconUrl } from '../../../src/platform/site/assets.ts';
import { openStall } from '../../helpers/harness.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { LOOKS } from '../../../src/words/looks.ts';
import { awningSheet, contrast } from '../../../src/platform/site/awning.ts';
import { runs } from '../../helpers/runs.ts';

const stall = await openStall({ files: {} });

const ASSETS: readonly (readonly [name: string, url: string, type: string, part: string])[] = [
  ['style sheet', assetUrl('site.css'), 'text/css; charset=utf-8', '--paper'],
  ['script', assetUrl('site.js'), 'text/javascript; charset=utf-8', 'DOMContentLoaded'],
  ['awning', awningUrl('#7a1f2b') ?? '', 'text/css; charset=utf-8', '--awning:light-dark(#7a1f2b,'],
  ['icon', iconUrl(null), 'image/svg+xml', 'fill="#a5341f"'],
  ["publisher's icon", iconUrl('#7a1f2b'), 'image/svg+xml', 'fill="#7a1f2b"'],
];

test.each(ASSETS)('the %s is served immutable, with its own type and nosniff', async (_, url, type, part) => {
  const answer = await stall.fetch(url, { headers: { 'Accept-Encoding': 'identity' } });
  const text = await answer.text();
  expect(answer.status).toBe(200);
  expect(text).toContain(part);
  expect(answer.headers.get('content-type')).toBe(type);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('content-security-policy')).toStartWith("default-src 'none'");
  expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
});

test.each(ASSETS)('the %s answers HEAD, and 304 for a known ETag', async (_, url) => {
  const head = await stall.fetch(url, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const etag = head.headers.get('etag') ?? '';
  const again = await stall.fetch(url, { headers: { 'If-None-Match': etag } });
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
});

test.each([
  'site.css',
  'site-000000000000.css',
  'awning-7A1F2B.css',
  'awning-7a1f2.css',
  'awning-7a1f2b.svg',
  'icon-<script>.svg',
  'constructor',
  '__proto__',
  '..%2fserver.ts',
  '..%2f..%2f..%2fpackage.json',
])('nothing is served as "%s"', async (name) => {
  expect((await stall.fetch(`/assets/${name}`)).status).toBe(404);
});

test('the style sheet comes packed to those who can unpack it', async () => {
  const plain = await stall.fetch(assetUrl('site.css'), { headers: { 'Accept-Encoding': 'identity' } });
  const packed = await stall.fetch(assetUrl('site.css'), { headers: { 'Accept-Encoding': 'gzip, br' } });
  expect(
    [plain, packed].map(({ headers }) => [headers.get('content-encoding'), headers.get('vary')]),
  ).toEqual([
    [null, 'Accept-Encoding'],
    ['gzip', 'Accept-Encoding'],
  ]);
  const text = await plain.text();
  expect(await packed.text()).toBe(text);
  expect(Number(packed.headers.get('content-length'))).toBeLessThan(text.length / 3);
  expect(packed.headers.get('etag')).not.toBe(plain.headers.get('etag'));
});

test("an asset's name changes with its content", async () => {
  const css = await (await stall.fetch(assetUrl('site.css'))).bytes();
  const hash = new Bun.CryptoHasher('sha256').update(css).digest('base64url');
  expect(assetUrl('site.css')).toBe(`/assets/site-${hash.slice(0, 12)}.css`);
});

test('the style sheet loads nothing from other hosts', async () => {
  const css = await (await stall.fetch(assetUrl('site.css'))).text();
  expect(css).not.toMatch(/@import|url\((?!\/assets\/)|https?:/);
});

test('the fonts are served immutable, named by their bytes, and a page in Latin takes 160 KB of them at the most', async () => {
  const css = await (await stall.fetch(assetUrl('site.css'))).text();
  const urls = Array.from(css.matchAll(/url\((\/assets\/[^)]+)\)/g), ([, url = '']) => url);
  expect(urls.length).toBe(29);
  let latin = 0;
  for (const url of urls) {
    const answer = await stall.fetch(url);
    expect(answer.headers.get('content-type')).toBe('font/woff2');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const bytes = await answer.bytes();
    expect(Buffer.from(bytes.subarray(0, 4)).toString()).toBe('wOF2');
    expect(url).toEndWith(`-${Bun.SHA256.hash(bytes, 'hex').slice(0, 12)}.woff2`);
    if (/-latin-wght/.test(url)) latin += bytes.length;
  }
  expect(latin).toBeWithin(100_000, 160_000);
  const page = await (await stall.fetch('/')).text();
  const preloaded = [...page.matchAll(/rel="preload" href="([^"]+)"/g)].map(([, url]) => url ?? '');
  expect(preloaded.length).toBe(2);
  expect(urls).toEqual(expect.arrayContaining(preloaded));
});

const styleFile = (name: string) =>
  readFileSync(join(import.meta.dir, '../../../src/platform/site/style', name), 'utf8');
const TOKENS = styleFile('tokens.css');

/** A token's colours in the light and in the dark theme. */
function token(name: string, sheet = TOKENS): readonly [light: string, dark: string] {
  const [, light = '', dark = ''] =
    new RegExp(`--${name}: ?light-dark\\((#[0-9a-f]{6}), ?(#[0-9a-f]{6})\\)`).exec(sheet) ?? [];
  return [light, dark];
}

/** The worst contrast of a token on any background in either theme. */
function worst(name: string, grounds: readonly string[], sheet = TOKENS): number {
  const ratios = [0, 1].flatMap((theme) =>
    grounds.map((ground) => contrast(token(name, sheet)[theme] ?? '', token(ground)[theme] ?? '')),
  );
  return Math.min(...ratios);
}

test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#a5341f', '#a5341f', 1],
  ['#0000ff', '#ffffff', 8.59],
])('the contrast of %s on %s is %d', (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 2);
  expect(contrast(other, one)).toBeCloseTo(ratio, 2);
});

test.each([
  ['ink', 7],
  ['quiet', 4.5],
  ['link', 4.5],
  ['good', 4.5],
  ['bad', 4.5],
  ['warn', 4.5],
  ['awning', 3],
  ['edge', 3],
])("the stall's own %s keeps %d:1 on paper", (name, least) => {
  expect(worst(name, ['paper', 'sunk'])).toBeGreaterThanOrEqual(least);
});

test("words on the stall's own awning and on the marker can be read", () => {
  for (const theme of [0, 1]) {
    expect(contrast(token('on-awning')[theme] ?? '', token('awning')[theme] ?? '')).toBeGreaterThanOrEqual(
      4.5,
    );
    expect(contrast(token('on-mark')[theme] ?? '', token('mark')[theme] ?? '')).toBeGreaterThanOrEqual(7);
  }
});

test('any awning is visible, and its links and words readable, in both themes', () => {
  const colour = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(colour, (awning) => {
      const sheet = awningSheet(awning);
      expect(worst('link', ['paper', 'sunk'], sheet)).toBeGreaterThanOrEqual(4.5);
      expect(worst('awning', ['paper', 'sunk'], sheet)).toBeGreaterThanOrEqual(3);
      for (const theme of [0, 1])
        expect(
          contrast(token('on-awning', sheet)[theme] ?? '', token('awning', sheet)[theme] ?? ''),
        ).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: runs(2000) },
  );
});

test('an awning that is visible on paper keeps its colour', () => {
  expect(token('awning', awningSheet('#7a1f2b'))[0]).toBe('#7a1f2b');
  expect(token('link', awningSheet('#7a1f2b'))[0]).toBe('#7a1f2b');
  expect(token('awning', awningSheet('#ffee00'))[1]).toBe('#ffee00');
});

test.each(Object.entries(LOOKS))(
  'each %s that readers choose is marked, and has its style',
  (name, values) => {
    const [usual, ...others] = values;
    const css = TOKENS + styleFile('reader.css');
    const wanted = others.flatMap((value) => [
      `[data-${name}='${value}'] .look .${value}`,
      `:root[data-${name}='${value}'] `,
    ]);
    const marks = [`:root:not([data-${name}]) .look .${usual}`, ...wanted];
    expect(marks.filter((rule) => !css.includes(rule))).toEqual([]);
  },
);

test("a publisher's awning is mixed for the backgrounds of the style sheet", () => {
  const source = readFileSync(join(import.meta.dir, '../../../src/platform/site/awning.ts'), 'utf8');
  for (const [theme, name] of ['LIGHT', 'DARK'].entries()) {
    const [paper, sunk, ink] = ['paper', 'sunk', 'ink'].map((colour) => token(colour)[theme]);
    expect(source).toContain(`const ${name}: Theme = { paper: '${paper}', sunk: '${sunk}', ink: '${ink}' };`);
  }
});
