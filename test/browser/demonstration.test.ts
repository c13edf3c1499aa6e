import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { openStall } from '../harness.ts';
import { testPages, type Theme, type Width, withPages } from './chromium.ts';
import { demonstration, demonstrationCover, PAGES } from './demonstration.tsx';
import { faultsOf } from './page-rules.ts';
import { picture } from './picture.ts';

const stall = await openStall();

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const LOOKS: readonly (readonly [width: Width, theme: Theme])[] = [
  ['phone', 'light'],
  ['phone', 'dark'],
  ['desktop', 'light'],
  ['desktop', 'dark'],
];

/** The stall itself serves the assets; the pages are put in at an address of its own. */
async function open(page: Page, name: string, awning: string | null = null): Promise<void> {
  await page.route('**/demonstration/**', (route) => {
    const path = new URL(route.request().url()).pathname;
    return path.endsWith('.svg')
      ? route.fulfill({ contentType: 'image/svg+xml', body: demonstrationCover(path) })
      : route.fulfill({
          contentType: 'text/html; charset=utf-8',
          headers: { 'Content-Security-Policy': POLICY },
          body: demonstration(path.split('/').at(-1) ?? '', awning),
        });
  });
  await page.goto(`/demonstration/${name}`);
}

testPages.each(
  Object.keys(PAGES).flatMap((name) => LOOKS.map(([width, theme]) => [name, width, theme] as const)),
)(
  'the page "%s" keeps every rule on a %s in %s colours',
  withPages(async (openPage, name, width, theme) => {
    const page = await openPage(stall.url, { width, theme });
    await open(page, name);
    await picture(page, `demonstration-${name}-${width}-${theme}`);
    expect(await faultsOf(page)).toEqual([]);
  }),
);
