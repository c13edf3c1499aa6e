import { describe, expect, test } from 'bun:test';
import { openStall } from '../helpers/harness.ts';
import { testPages, withPages } from './chromium.ts';
import { HARD_BOOKS, HARD_TEXTS, PROGRAMS } from './hard-texts.ts';
import { faultsAtBothWidths } from './page-rules.ts';

const stall = await openStall({ files: HARD_BOOKS });
const WIDTHS = ['phone', 'desktop'] as const;
const PATHS = [
  ...Object.keys(HARD_TEXTS).map((path) => `/books/hard/read/${path}`),
  '/books/arabic/read/1.md',
  '/books/chinese/read/1.md',
  '/books/japanese/read/1.md',
  '/books/long/read/1000.md',
  '/books/long',
];

testPages.each(PATHS)(
  '%s keeps its width on both devices, and all rules of accessible pages in both themes',
  withPages(async (open, path: string) => {
    const page = await open(stall.url, { width: 'phone' });
    await page.goto(path);
    expect(await faultsAtBothWidths(page)).toEqual([]);
  }),
);

/** Whether something of the text is wider than its place, and cannot be scrolled to. */
const CUT = `[...document.querySelectorAll('.reading *')].filter((element) =>
  element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 &&
  getComputedStyle(element).overflowX !== 'auto' && getComputedStyle(element).display !== 'inline',
).map(({ localName, scrollWidth, clientWidth }) => [localName, scrollWidth, clientWidth])`;

testPages.each(PATHS.filter((path) => path.includes('/read/')))(
  '%s loses no word at the edge, on paper neither',
  withPages(async (open, path: string) => {
    const page = await open(stall.url, { width: 'phone' });
    await page.goto(path);
    expect(await page.evaluate(CUT)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    // A4 between its margins, at 96 pixels an inch.
    await page.setViewportSize({ width: 672, height: 1000 });
    expect(await page.evaluate(CUT)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBeTrue();
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('.reading :is(pre, .scroll)')].filter((one) => one.scrollWidth > one.clientWidth + 1).length`,
      ),
    ).toBe(0);
  }),
);

testPages.each(WIDTHS)(
  'no card of the window on a %s is wider than its place, however long its words are',
  withPages(async (open, width: (typeof WIDTHS)[number]) => {
    const page = await open(stall.url, { width });
    await page.goto('/');
    expect(await page.locator('.card').count()).toBeGreaterThan(5);
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('.card')].filter((card) => [...card.querySelectorAll('*')].some((part) =>
          part.getBoundingClientRect().right > card.getBoundingClientRect().right + 4)).map(({ innerText }) => innerText)`,
      ),
    ).toEqual([]);
  }),
);

testPages(
  'the longest chapter is shown to its last word, in parts',
  withPages(async (open) => {
    const page = await open(stall.url, { width: 'phone' });
    await page.goto('/books/huge/read/1.md?part=3');
    const next = page.locator('.turn a[rel="next"][href*="part="]');
    for (let n = 3; (await next.count()) > 0; n++) await page.goto(`/books/huge/read/1.md?part=${n + 1}`);
    expect(await page.evaluate(`document.querySelector('.reading').textContent.trimEnd().slice(-15)`)).toBe(
      'The last words.',
    );
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBeTrue();
  }),
);

describe('a book of 2,000 chapters', () => {
  testPages(
    'shows where the reader is, and leads to all',
    withPages(async (open) => {
      const page = await open(stall.url);
      await page.goto('/books/long/read/1000.md');
      const current = page.getByRole('navigation', { name: 'Contents' }).locator('[aria-current]');
      expect(await current.textContent()).toBe('Chapter 1000');
      const { y = -1, height = 0 } = (await current.boundingBox()) ?? {};
      expect(y).toBeWithin(0, 800 - height);
      await page.getByRole('link', { name: 'All 2,000 chapters' }).click();
      await page.locator('#contents').waitFor();
      const pages = Array.from({ length: 10 }, (_, n) => stall.fetch(`/books/long?contents=${n + 1}`));
      const texts = await Promise.all(pages.map(async (one) => (await one).text()));
      const links = texts.flatMap((text) => text.match(/href="\/books\/long\/read\/\d+\.md"/g) ?? []);
      expect(new Set(links).size).toBe(2000);
    }),
  );
});

testPages(
  'a text from right to left has its code from left to right, and no slanted letters',
  withPages(async (open) => {
    const page = await open(stall.url);
    await page.goto('/books/arabic/read/1.md');
    const looks = (selector: string, property: string) =>
      page.evaluate(
        `getComputedStyle(document.querySelector('.reading ${selector}')).getPropertyValue('${property}')`,
      );
    expect(await looks('p', 'direction')).toBe('rtl');
    expect(await looks('pre', 'direction')).toBe('ltr');
    expect(await looks('li code', 'unicode-bidi')).toBe('isolate');
    expect(await looks('blockquote', 'font-style')).toBe('normal');
  }),
);

testPages.each(['chinese', 'japanese'])(
  'a text in %s breaks its lines without spaces, and is not slanted',
  withPages(async (open, book: string) => {
    const page = await open(stall.url, { width: 'phone' });
    await page.goto(`/books/${book}/read/1.md`);
    const paragraph = page.locator('.reading p').first();
    expect((await paragraph.boundingBox())?.height).toBeGreaterThan(100);
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('.reading :is(blockquote, em)')].map((one) => getComputedStyle(one).fontStyle)`,
      ),
    ).toEqual(['normal', 'normal']);
  }),
);

test('code of thirty languages is highlighted', async () => {
  const html = await (await stall.fetch('/books/hard/read/code.md')).text();
  const blocks = [...html.matchAll(/<code class="language-(\w+)">([\s\S]*?)<\/code>/g)];
  expect(blocks.map(([, language]) => language)).toEqual(Object.keys(PROGRAMS));
  for (const [, language, code] of blocks)
    expect([language, code]).toEqual([language, expect.stringContaining('hljs-')]);
});

test('a note leads there and back', async () => {
  const html = await (await stall.fetch('/books/hard/read/notes.md')).text();
  const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(targets.length).toBeGreaterThan(60);
  expect(targets.filter((id) => !ids.has(id))).toEqual([]);
});

test('an image that is missing is its words, and one from elsewhere is a link', async () => {
  const html = await (await stall.fetch('/books/hard/read/images.md')).text();
  const [, text = ''] = html.split('class="reading"');
  expect(text).not.toContain('<img');
  for (const words of ['A heron that is not there', 'A wide one', 'href="https://elsewhere.example/a.png"'])
    expect(text).toContain(words);
});
