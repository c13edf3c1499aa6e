import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { testPages, withPages } from './chromium.ts';
import { faultsAtBothWidths, faultsOf } from './page-rules.ts';
import { NO_PAGES, PAGES, type StallName } from './pages.ts';
import { picture } from './picture.ts';
import { openEmpty, openFull, openNew, type Shown, THICK } from './stalls.ts';

const stalls: Readonly<Record<StallName, Shown>> = {
  new: await openNew(),
  empty: await openEmpty(),
  full: await openFull(),
};
const names = Object.keys(stalls) as readonly StallName[];

/** Pages that ask before an act, a sentence and two buttons, have the less to place, as those of an empty stall. */
const ASKING = /-(?:revoke|remove|leave|disable|erase|give-back|rollback|withdraw)$/;

/** Each page of each stall, as its visitor sees it. */
const LOOKS = names.flatMap((name) =>
  PAGES.filter((page) => page.stalls.includes(name)).map(
    (page) => [page.name, name, page.visitor, page.pathIn] as const,
  ),
);

/** A page of the office has one primary act at the most, and only a page that asks shows one that takes something away. */
async function actFaultsOf(page: Page): Promise<readonly string[]> {
  const primary = await page.locator('main .button.primary:visible').count();
  const danger = await page.locator('main .button.danger:visible').count();
  const asks = await page.getByRole('link', { name: 'Cancel' }).count();
  return [
    ...(primary > 1 ? [`${primary} primary acts`] : []),
    ...(danger > asks ? [`${danger} that take away`] : []),
  ];
}

testPages.each(LOOKS)(
  '%s of the %s stall keeps every rule for the %s',
  withPages(async (openPage, pageName, name, visitor, pathIn) => {
    const { stall, cookies } = stalls[name];
    const cookie = visitor === 'anonymous' ? {} : { cookie: cookies[visitor] };
    const page = await openPage(stall.url, { width: 'phone', ...cookie });
    await page.goto(pathIn(stalls[name]));
    await picture(page, `${pageName}-${name}`);
    const isWideToo = name === 'full' && !ASKING.test(pageName);
    const found = await (isWideToo ? faultsAtBothWidths(page) : faultsOf(page));
    const acts = visitor === 'owner' ? await actFaultsOf(page) : [];
    expect([...found, ...acts]).toEqual([]);
  }),
);

testPages.each([
  ['reader', '/dashboard/logs', 'Downloads', '/dashboard/downloads'],
  ['owner', '/admin/items/paid-book', '12 months', '/admin/items/paid-book?span=months'],
  ['owner', '/admin/items/paid-book', 'All, also ended', '/admin/items/paid-book?grants=all#holders'],
] as const)(
  'on a phone, the %s chooses another view of %s: %s',
  withPages(async (openPage, visitor, path, choice, chosen) => {
    const { stall, cookies } = stalls.full;
    const page = await openPage(stall.url, { width: 'phone', cookie: cookies[visitor] });
    await page.goto(path);
    await page.getByRole('navigation').getByRole('link', { name: choice, exact: true }).click();
    await page.waitForURL(`${stall.url}${chosen}`);
    const current = page.locator('.choices [aria-current]').filter({ hasText: choice });
    expect(await current.isVisible()).toBeTrue();
  }),
);

testPages(
  'the list of items keeps the words of titles whole, and tells errors from warnings',
  withPages(async (openPage) => {
    const { stall, cookies } = stalls.full;
    const page = await openPage(stall.url, { cookie: cookies.owner });
    await page.goto(`/admin/items?q=thick`);
    const title = page.getByRole('rowheader', { name: THICK });
    const { width = 0 } = (await title.boundingBox()) ?? {};
    expect(width).toBeGreaterThan(150);
    await page.goto('/admin/items?problems=on');
    const colourOf = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).color`);
    expect(await colourOf('.problems .error')).not.toBe(await colourOf('.problems .warning'));
  }),
);

testPages(
  'the contents beside a late chapter show it and begin with a whole line',
  withPages(async (openPage) => {
    const page = await openPage(stalls.full.stall.url);
    for (const chapter of [1030, 1100, 1250, 1500]) {
      await page.goto(`/books/thick-book/read/${chapter}.md`);
      const places = await page.evaluate<{ isCut: boolean; isSeen: boolean }>(`(() => {
        const list = document.querySelector('.contents .list');
        const { top, bottom } = list.getBoundingClientRect();
        const rows = [...list.querySelectorAll('li')].map((row) => row.getBoundingClientRect());
        const open = list.querySelector('[aria-current]').getBoundingClientRect();
        return {
          isCut: rows.some((row) => row.top < top - 1 && row.bottom > top + 1),
          isSeen: open.top >= top && open.bottom <= bottom,
        };
      })()`);
      expect({ chapter, ...places }).toEqual({ chapter, isCut: false, isSeen: true });
    }
  }),
);

test('every page of the site is tested', () => {
  const { full } = stalls;
  const paths = PAGES.map(({ pathIn }) => new URL(pathIn(full), 'http://localhost').pathname);
  const unseen = full.stall.app.server.routes
    .filter(({ method, path }) => method === 'GET' && !NO_PAGES.some((pattern) => pattern.test(path)))
    .filter(({ path }) => !paths.some((seen) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(seen)))
    .map(({ path }) => path);
  expect(unseen).toEqual([]);
});
