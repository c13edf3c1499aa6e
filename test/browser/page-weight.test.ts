import { expect } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openStall } from '../helpers/harness.ts';
import { testPages, withPages } from './chromium.ts';

const CONTENT = join(import.meta.dir, '../../content');

const stall = await openStall({
  files: Object.fromEntries(
    readdirSync(CONTENT, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(CONTENT.length + 1), new Uint8Array(readFileSync(path))]),
  ),
});

/** 1.6 Mbit/s, in bytes a second, and a delay of 150 ms. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };

/** How much the parts of a loaded page have shifted, as the browser itself says. */
const SEEN = `document.fonts.ready.then(() => new Promise((resolve) => {
  const seen = { shift: 0 };
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { seen.shift += value; })).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(seen))));
}))`;

const PAINTED = `new Promise((resolve) => {
  new PerformanceObserver(() => requestAnimationFrame(() => setTimeout(resolve))).observe({ type: 'paint', buffered: true });
})`;

/** Opens a page over the slow line, until it has as many fonts: what it shows, and how many bytes came. */
async function measure(page: Page, path: string, fonts: number) {
  const line = await page.context().newCDPSession(page);
  const urls = new Map<string, string>();
  let bytes = 0;
  const { promise: isLoaded, resolve } = Promise.withResolvers<void>();
  line.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url));
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength;
    if (urls.get(requestId)?.endsWith('.woff2')) fonts -= 1;
    if (fonts <= 0) resolve();
  });
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', LINE);
  await page.goto(path, { waitUntil: 'load' });
  await isLoaded;
  const seen = await page.evaluate<{ shift: number }>(SEEN);
  await line.detach();
  return { ...seen, bytes };
}

testPages.each([
  ['phone', '/', '/books/the-sky-before-rain'],
  ['phone', '/books/the-sky-before-rain', '/'],
  ['desktop', '/', '/books/the-sky-before-rain'],
] as const)(
  'on a slow line and a %s, %s is light at the first view, and then %s needs little more',
  withPages(async (open, width, first, then) => {
    const page = await open(stall.url, { width });
    const view = await measure(page, first, 4);
    expect(view.bytes).toBeWithin(100_000, 260_000);
    expect(view.shift).toBeLessThanOrEqual(0.02);
    const later = await measure(page, then, 0);
    expect(later.bytes).toBeWithin(1, 40_000);
    expect(later.shift).toBe(0);
  }),
);

testPages.each([
  ['phone', '/'],
  ['phone', '/books/the-sky-before-rain'],
  ['desktop', '/books/the-sky-before-rain/read/01-what-a-cloud-says.md'],
] as const)(
  'on a %s, %s hardly moves when its letters come late',
  withPages(async (open, width, path) => {
    const page = await open(stall.url, { width });
    const line = await page.context().newCDPSession(page);
    const { promise: isPainted, resolve } = Promise.withResolvers<void>();
    line.on('Fetch.requestPaused', async ({ requestId }) => {
      await isPainted;
      await line.send('Fetch.continueRequest', { requestId });
    });
    await line.send('Fetch.enable', { patterns: [{ urlPattern: '*.woff2' }] });
    await page.goto(path, { waitUntil: 'commit' });
    await page.evaluate(PAINTED);
    resolve();
    await page.waitForLoadState('load');
    const { shift } = await page.evaluate<{ shift: number }>(SEEN);
    expect(
      await page.evaluate(
        "[...document.fonts].filter((font) => font.status === 'loaded' && font.family.includes('Variable')).length",
      ),
    ).toBeGreaterThanOrEqual(2);
    expect(shift).toBeLessThanOrEqual(0.02);
  }),
);
