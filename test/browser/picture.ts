import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { VIEWPORTS } from './chromium.ts';

/** The folder for pictures, outside the repository. */
const FOLDER = join(import.meta.dir, 'pictures');

/** Images further down are lazy, and nobody scrolls here. */
const FETCH_ALL = `Promise.all([...document.images].map((image) => {
  image.loading = 'eager';
  return image.decode().catch(() => {});
}))`;

/** Saves pictures of the whole page if BOOKSTALL_PICTURES is set: in both themes, one on a phone as wide as on a desktop too. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env['BOOKSTALL_PICTURES']) return;
  mkdirSync(FOLDER, { recursive: true });
  await page.evaluate(FETCH_ALL);
  const opened = page.viewportSize() ?? VIEWPORTS.desktop;
  for (const width of ['desktop', 'phone'] as const) {
    if (opened.width === VIEWPORTS.desktop.width && width === 'phone') continue;
    await page.setViewportSize(VIEWPORTS[width]);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(FOLDER, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  }
  await page.setViewportSize(opened);
}
