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

const WIDTHS: readonly Width[] = ['phone', 'desktop'];
const THEMES: readonly Theme[] = ['light', 'dark'];

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

const ROWS = Object.keys(PAGES).flatMap((name) => WIDTHS.map((width) => [name, width] as const));

testPages.each(ROWS)(
  'the page "%s" keeps every rule on a %s, in both themes',
  withPages(async (openPage, name, width) => {
    const page = await openPage(stall.url, { width });
    await open(page, name);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await picture(page, `demonstration-${name}-${width}-${colorScheme}`);
    }
    expect(await faultsOf(page)).toEqual([]);
  }),
);

testPages.each(['#ffee00', '#0b1a4a', '#808080'])(
  'a page keeps every rule under an awning of %s',
  withPages(async (openPage, awning) => {
    const page = await openPage(stall.url);
    await open(page, 'parts', awning);
    await picture(page, `demonstration-awning-${awning.slice(1)}`);
    expect(await faultsOf(page)).toEqual([]);
  }),
);
