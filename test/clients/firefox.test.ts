import { afterAll, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer, { type Browser, type BrowserContext, type Page } from 'puppeteer-core';
import { faultsOfShape, SHAPE, type Shape } from '../browser/page-rules.ts';
import { PAGES } from '../browser/pages.ts';
import { openFull } from '../browser/stalls.ts';
import { openStall } from '../helpers/harness.ts';

const FIREFOX = process.env['FIREFOX'] ?? '/usr/bin/firefox-esr';
const VIEWPORT = { width: 375, height: 667 };

/**
 * Errors of Firefox on every page: it asks `default-src` whether a font may be fetched ahead, and then fetches the font with
 * the page that shows it; and it gives up a font if the page is left.
 */
const EXPECTED =
  /blocked the loading of a resource \(default-src\) at \S+\.woff2|download failed.*status=2152398850/;

const testInFirefox = test.skipIf(!existsSync(FIREFOX) && process.env['CI'] !== 'true');

const full = await openFull();
const demo = await openStall({
  files: {},
  config: { demo: true, content: join(import.meta.dir, '../../content') },
});

let firefox: Promise<Browser> | null = null;
afterAll(async () => (await firefox)?.close());

/** Gives a page in a context of its own, on a phone, and returns what went wrong in it. */
async function problemsOf(origin: string, body: (page: Page, context: BrowserContext) => Promise<void>) {
  firefox ??= puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX, headless: true });
  const context = await (await firefox).createBrowserContext();
  const problems: string[] = [];
  const note = (kind: string, what: string): void => void problems.push(`${kind}: ${what}`);
  try {
    const page = await context.newPage();
    await page.setViewport(VIEWPORT);
    page.on('console', (message) => {
      if (['error', 'warn', 'assert'].includes(message.type())) note('console', message.text());
    });
    page.on('pageerror', (error) => {
      if (!EXPECTED.test(String(error))) note('page', String(error));
    });
    page.on('dialog', (dialog) => void dialog.accept());
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol !== 'data:' && url.origin !== origin) note('left the origin', request.url());
    });
    await body(page, context);
  } finally {
    await context.close();
  }
  return problems;
}

testInFirefox('every page shows itself whole, and nothing of it fails', async () => {
  const { stall, cookies } = full;
  const faults: string[] = [];
  for (const visitor of ['anonymous', 'reader', 'owner'] as const) {
    const pages = PAGES.filter((page) => page.stalls.includes('full') && page.visitor === visitor);
    const problems = await problemsOf(stall.url, async (page, context) => {
      if (visitor !== 'anonymous') {
        const [name = '', value = ''] = cookies[visitor].split('=', 2);
        await context.setCookie({ name, value, domain: '127.0.0.1', path: '/' });
      }
      for (const { name, pathIn } of pages) {
        const response = await page.goto(`${stall.url}${pathIn(full)}`);
        const shape = (await page.evaluate(SHAPE)) as Shape;
        const status = response?.status() ?? 0;
        const found = [
          ...(status < 500 ? [] : [`status ${status}`]),
          ...faultsOfShape(shape, VIEWPORT.width),
        ];
        faults.push(...found.map((fault) => `${name}: ${fault}`));
      }
    });
    faults.push(...problems.map((problem) => `${visitor}: ${problem}`));
  }
  expect(faults).toEqual([]);
});

testInFirefox('a newcomer buys a book, reads it, asks it, and gets the money back', async () => {
  const problems = await problemsOf(demo.url, async (page) => {
    const click = (words: string): Promise<void> =>
      page.locator(`xpath/.//*[self::a or self::button][contains(., "${words}")]`).click();
    const press = async (words: string, path: RegExp): Promise<void> => {
      await click(words);
      await page.waitForFunction(`${path}.test(location.pathname)`);
    };
    await page.goto(demo.url);
    await press('The Sky Before Rain', /\/books\/the-sky-before-rain$/);
    await press('Buy for $9', /\/demo\/buy\//);
    await press('Pay $9', /\/read\//);
    await press('Download it, give it away, or choose a password', /\/claim\/yours/);
    const yours = page.url();
    await press('Read now', /\/read\//);
    expect(await page.$eval('article', (article) => article.textContent)).toContain('sky');
    await page.goto(`${demo.url}/books/the-sky-before-rain/ask`);
    await page.locator('textarea').fill('What does a halo around the moon mean?');
    await page.locator('main form button').click();
    await page.waitForSelector('blockquote');
    expect(await page.$eval('blockquote', (quote) => quote.textContent)).toContain('halo');
    await page.goto(yours);
    await press('a receipt', /\/demo\/receipt\//);
    await click('Give the money back');
    await page.waitForSelector('::-p-text(The money was given back)');
  });
  expect(problems).toEqual([]);
});
