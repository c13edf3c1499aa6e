import { expect } from 'bun:test';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ensureSetup } from '../../src/accounts/one-time-link.ts';
import { openStall } from '../helpers/harness.ts';
import { testPages, withPages } from './chromium.ts';
import { mouse, touch } from './hand.ts';
import { faultsOf } from './page-rules.ts';

/** The demo as `npm start` serves it. */
const stall = await openStall({
  files: {},
  config: { demo: true, content: join(import.meta.dir, '../../content') },
});
const BOOK = 'The Sky Before Rain';

/** Words of those who run stalls and agents. What the publisher wrote may have them. */
const THEIRS = /\b(?:keys?|grants?|digests?|engines?|curl)\b/i;
const PUBLISHED = '.reading, .description, .summary, blockquote';

/** Further pages on a buyer's way. */
const PASSED = [
  '/?q=sky',
  '/bundles/sky-and-calendar',
  '/books/what-day-is-it',
  '/skills/manuscript-check',
  '/demo/buy/what-day-is-it',
  '/claim?mail',
  '/redeem',
  '/contact',
  '/dashboard',
];

/** The words that a page shows of its own, without what is folded. */
async function ownWords(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const body = document.body.cloneNode(true);
    document.body.after(body);
    for (const element of body.querySelectorAll(${JSON.stringify(PUBLISHED)})) element.remove();
    const text = body.innerText;
    body.remove();
    return text;
  })()`);
}

testPages(
  'on a phone a newcomer buys, reads three taps after the checkout, searches, asks, downloads and gets the money back, and meets no word of machines',
  withPages(async (openPage) => {
    const page = await openPage(stall.url, { width: 'phone' });
    await page.setViewportSize({ width: 390, height: 844 });
    page.setDefaultTimeout(30_000);
    const hand = touch(page);
    const met: string[] = [];
    let taps = 0;
    const look = async (): Promise<void> => {
      const word = THEIRS.exec(await ownWords(page))?.[0];
      if (word !== undefined) met.push(`${new URL(page.url()).pathname}: ${word}`);
    };
    const tap = async (act: Promise<void>, path: RegExp): Promise<void> => {
      taps += 1;
      await act;
      await page.waitForURL(path);
      await look();
    };
    await page.goto(stall.url);
    await look();
    await tap(hand.follow(BOOK), /\/books\/the-sky-before-rain$/);
    await tap(hand.follow('Buy for $9'), /\/demo\/buy\//);
    expect(await faultsOf(page)).toEqual([]);
    taps = 0;
    await tap(hand.press('Pay $9 (pretended)'), /\/books\/the-sky-before-rain\/read\//);
    expect(taps).toBe(1);
    expect(await page.getByRole('article').innerText()).toContain('sky');
    await tap(hand.follow('Download it, give it away, or choose a password'), /\/claim\/yours/);
    const yours = page.url();
    await tap(hand.follow('Read now'), /\/books\/the-sky-before-rain\/read\//);

    await page.goto(`${stall.url}/books/the-sky-before-rain/search`);
    await page.getByRole('searchbox').fill('halo');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=halo/);
    await look();
    for (const path of PASSED) {
      await page.goto(stall.url + path);
      await look();
    }
    await page.goto(`${stall.url}/books/the-sky-before-rain/ask`);
    await page.getByRole('textbox').fill('What does a halo around the moon mean?');
    await hand.press('Ask');
    await page.getByText('halo').first().waitFor();
    await look();

    await page.goto(yours);
    const download = page.waitForEvent('download');
    await hand.follow('Download EPUB');
    expect((await download).suggestedFilename()).toEndWith('.epub');
    await tap(hand.follow('a receipt'), /\/demo\/receipt\//);
    expect(await faultsOf(page)).toEqual([]);
    await hand.press('Give the money back');
    await page.getByText('The money was given back').waitFor();
    await look();
    expect(page.asked).toHaveLength(1);
    const closed = `${stall.url}/books/the-sky-before-rain/read/03-the-front-comes-through.md`;
    expect((await page.goto(closed))?.status()).not.toBe(200);
    await look();
    await page.goto(`${stall.url}/books/the-sky-before-rain/ask`);
    await look();
    expect(met).toEqual([]);
  }),
);

testPages(
  'the link of the demo opens its office by one button',
  withPages(async (openPage) => {
    const { url = '' } = (await ensureSetup(stall.app.stall, stall.url)) ?? {};
    const page = await openPage(stall.url);
    await page.goto(url);
    expect(await faultsOf(page)).toEqual([]);
    await mouse(page).press('Open the office');
    await page.waitForURL(`${stall.url}/admin`);
  }),
);
