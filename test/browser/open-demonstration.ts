import type { Page } from 'playwright-core';
import { demonstration, demonstrationCover } from './demonstration.tsx';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Opens a page of demonstration.tsx at an address of a stall, which serves its assets; returns the forms that the page sends. */
export async function openDemonstration(
  page: Page,
  name: string,
  { awning = null, fragment = '' }: { awning?: string | null; fragment?: string } = {},
): Promise<readonly string[]> {
  const sent: string[] = [];
  await page.route('**/demonstration/**', (route) => {
    const request = route.request();
    const path = new URL(request.url()).pathname;
    if (request.method() === 'POST') sent.push(request.postData() ?? '');
    return path.endsWith('.svg')
      ? route.fulfill({ contentType: 'image/svg+xml', body: demonstrationCover(path) })
      : route.fulfill({
          contentType: 'text/html; charset=utf-8',
          headers: { 'Content-Security-Policy': POLICY },
          body: demonstration(path.split('/').at(-1) ?? '', awning),
        });
  });
  await page.goto(`/demonstration/${name}${fragment}`);
  return sent;
}
