import { expect, test } from 'bun:test';
import { PAGES } from '../browser/pages.ts';
import { openEmpty, openFull, openNew } from '../browser/stalls.ts';
import { unmarkedIn } from './unmarked.ts';

const LANGUAGES = 'languages: [en, de, es, en-XA, ar-XB]\n';

const stalls = { new: await openNew(), empty: await openEmpty(LANGUAGES), full: await openFull(LANGUAGES) };

const ROWS = PAGES.flatMap((page) =>
  page.stalls.filter((name) => name !== 'new').map((name) => [page.name, name, page] as const),
);

test.each(ROWS)(
  'every word of the stall on the page %s of the %s stall is translated',
  async (_, name, page) => {
    const { stall, cookies } = stalls[name];
    const cookie = page.visitor === 'anonymous' ? '' : `; ${cookies[page.visitor]}`;
    const response = await stall.fetch(page.pathIn(stalls[name]), {
      headers: { Accept: 'text/html', Cookie: `lang=en-XA${cookie}` },
    });
    expect(await unmarkedIn(response)).toEqual([]);
  },
);

test.each([
  ['de', 'de', 'Übersicht'],
  ['en', 'en', 'Overview'],
  ['es', 'en', 'Overview'],
  ['ar-XB', 'ar-XB', 'dir="rtl"'],
])('the office of an owner who reads %p is in %p', async (lang, spoken, found) => {
  const { stall, cookies } = stalls.full;
  const html = await (
    await stall.fetch('/admin', { headers: { Cookie: `lang=${lang}; ${cookies.owner}` } })
  ).text();
  expect(html).toContain(`<html lang="${spoken}"`);
  expect(html).toContain(found);
});
