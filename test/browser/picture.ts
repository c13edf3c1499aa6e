import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** The folder for pictures, outside the repository. */
const FOLDER = join(import.meta.dir, 'pictures');

/** Images further down are lazy, and nobody scrolls here. */
const FETCH_ALL = `Promise.all([...document.images].map((image) => {
  image.loading = 'eager';
  return image.decode().catch(() => {});
}))`;

/** Saves a picture of the whole page in both themes if BOOKSTALL_PICTURES is set. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env['BOOKSTALL_PICTURES']) return;
  mkdirSync(FOLDER, { recursive: true });
  await page.evaluate(FETCH_ALL);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`), fullPage: true });
  }
}
