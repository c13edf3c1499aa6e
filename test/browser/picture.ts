import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Where pictures lie: never in the repository. */
const FOLDER = join(import.meta.dir, 'pictures');

/** Pictures further down are fetched when somebody scrolls; nobody does here. */
const FETCH_ALL = `Promise.all([...document.images].map((image) => {
  image.loading = 'eager';
  return image.decode().catch(() => {});
}))`;

/** Takes a picture of the whole page in both themes where BOOKSTALL_PICTURES is set, for someone to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env['BOOKSTALL_PICTURES']) return;
  mkdirSync(FOLDER, { recursive: true });
  await page.evaluate(FETCH_ALL);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}.png`), fullPage: true });
  }
}
