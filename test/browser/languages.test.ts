import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { testPages, withPages } from './chromium.ts';
import { faultsOf } from './page-rules.ts';
import { PAGES } from './pages.ts';
import { picture } from './picture.ts';
import { openFull } from './stalls.ts';

const shown = await openFull('languages: [en, en-XA, ar-XB]\n');

const isLooking = process.env['BOOKSTALL_PICTURES'] === '1';

/** The mirrored words are as long as the others, which are looked at when pictures are taken. */
const ROWS = (isLooking ? (['en-XA', 'ar-XB'] as const) : (['ar-XB'] as const)).flatMap((language) =>
  PAGES.filter(({ visitor, stalls }) => visitor !== 'owner' && stalls.includes('full')).map(
    (page) => [page.name, language, page] as const,
  ),
);

/** Texts that a box cuts off, and texts that lie over one another. */
const CROWDED = `(() => {
  // Heads and captions of tables that are for screen readers alone.
  const isHidden = (element) => element !== null && (element.clientWidth === 1 || getComputedStyle(element).clipPath !== 'none' || isHidden(element.parentElement));
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (node.textContent.trim() === '' || !parent.checkVisibility({ visibilityProperty: true })) continue;
    if (parent.closest('.unseen, .skip, [popover], option, script, style, title, textarea, pre, code') !== null || isHidden(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    // Lines below a clamped title are not drawn.
    const clamp = parent.closest('h2, h3, .summary')?.getBoundingClientRect().bottom ?? Infinity;
    const isDrawn = ({ top, width, height }) => width > 1 && height > 1 && top < clamp - 6;
    texts.push({ node, parent, rects: [...range.getClientRects()].filter(isDrawn) });
  }
  const faults = [];
  for (const { node, parent, rects } of texts)
    for (let box = parent; box !== document.body; box = box.parentElement) {
      const { overflowX } = getComputedStyle(box);
      if ((overflowX !== 'hidden' && overflowX !== 'clip') || box.clientWidth <= 1) continue;
      const { left, right } = box.getBoundingClientRect();
      if (rects.some((rect) => rect.left < left - 1 || rect.right > right + 1)) faults.push('cut: ' + node.textContent.trim());
    }
  for (const [n, one] of texts.entries())
    for (const other of texts.slice(n + 1))
      for (const a of one.rects)
        for (const b of other.rects) {
          const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
          const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
          if (wide > 2 && high > Math.min(a.height, b.height) / 2)
            faults.push('overlap: ' + one.node.textContent.trim() + ' | ' + other.node.textContent.trim());
        }
  return [...new Set(faults)].slice(0, 5);
})()`;

/** The faults at the widths of a large and a small phone; axe-core, which takes seconds, is asked when pictures are taken. */
async function faultsOnPhones(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 700 });
    found.push(...(await page.evaluate<string[]>(CROWDED)).map((fault) => `${width} px: ${fault}`));
  }
  return isLooking ? [...found, ...(await faultsOf(page))] : found;
}

testPages.each(ROWS)(
  '%s in %s keeps every rule on a phone',
  withPages(async (openPage, name, language, { visitor, pathIn }) => {
    const { stall, cookies } = shown;
    const cookie = visitor === 'reader' ? { cookie: cookies.reader } : {};
    const page = await openPage(stall.url, { width: 'phone', ...cookie });
    await page.context().addCookies([{ name: 'lang', value: language, url: stall.url }]);
    await page.goto(pathIn(shown));
    await picture(page, `${name}-${language}`);
    expect(await faultsOnPhones(page)).toEqual([]);
  }),
);
