import { expect, test } from 'bun:test';
import { assetUrl, awningUrl, iconUrl } from '../../../../src/http/site/frame/assets.ts';
import { openStall } from '../../../harness.ts';

const stall = await openStall({ files: {} });

const ASSETS: readonly (readonly [name: string, url: string, type: string, part: string])[] = [
  ['style sheet', assetUrl('site.css'), 'text/css; charset=utf-8', '--paper'],
  ['script', assetUrl('site.js'), 'text/javascript; charset=utf-8', 'DOMContentLoaded'],
  ['awning', awningUrl('#7a1f2b') ?? '', 'text/css; charset=utf-8', '--awning:light-dark(#7a1f2b,'],
  ['icon', iconUrl(null), 'image/svg+xml', 'fill="#a5341f"'],
  ["publisher's icon", iconUrl('#7a1f2b'), 'image/svg+xml', 'fill="#7a1f2b"'],
];

test.each(ASSETS)('the %s is served immutable, with its own type and nosniff', async (_, url, type, part) => {
  const answer = await stall.fetch(url);
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

test("an asset's name changes with its content", async () => {
  const css = await (await stall.fetch(assetUrl('site.css'))).bytes();
  const hash = new Bun.CryptoHasher('sha256').update(css).digest('base64url');
  expect(assetUrl('site.css')).toBe(`/assets/site-${hash.slice(0, 12)}.css`);
});

test('the style sheet loads nothing from other hosts', async () => {
  const css = await (await stall.fetch(assetUrl('site.css'))).text();
  expect(css).not.toMatch(/@import|url\(|https?:/);
});
