import { expect } from 'bun:test';
import { PASSWORD } from '../helpers/harness.ts';
import { testPages, withPages } from './chromium.ts';
import { mouse } from './hand.ts';
import { PAGES } from './pages.ts';
import { EVIL, openHostile } from './stalls.ts';
import { createOffice } from '../helpers/office.ts';

const shown = await openHostile();
const { stall, cookies, reader } = shown;

/** The pages that must show the hostile words as text; the others may. */
const SHOWING: Readonly<Record<string, string>> = {
  window: EVIL,
  'window-signed-in': reader,
  'book-paid': EVIL,
  'skill-free': EVIL,
  'book-draft': EVIL,
  keys: EVIL,
  'key-revoke': EVIL,
  account: reader,
  'office-items': EVIL,
  'office-item': reader,
  'office-item-months': EVIL,
  'office-accounts': reader,
  'office-account': EVIL,
  'office-disable': reader,
  'office-key-revoke': EVIL,
  'office-grant-revoke': EVIL,
  'office-links': reader,
  'office-link-revoke': reader,
  'office-audit': reader,
};

const evil = {
  kind: 'account',
  accountId: shown.readerId,
  email: reader,
  keyId: null,
  sessionId: '',
  isOwner: true,
} as const;
await createOffice(stall.app.stall, evil).keys.create(reader, EVIL, 'never');

/** Hostile markup that took effect: elements and attributes that no page of the site uses. */
// No browser runs the one block of data of an item's page, and nothing in it can end it.
const ALIVE = `[...document.querySelectorAll('*')]
  .filter((element) =>
    !(element.matches('main > script:only-of-type') && element.attributes.length === 1 &&
      element.type === 'application/ld+json' && !/[<>&]/.test(element.textContent) && JSON.parse(element.textContent)) &&
    (element.matches('script:not([src^="/assets/"]), img:not([src^="/"]), iframe, object, embed, base, style') ||
    [...element.attributes].some(({ name, value }) => /^on|^style$/.test(name) || /^\\s*(javascript|data|vbscript):/i.test(value))))
  .map((element) => element.outerHTML)`;

testPages.each(['anonymous', 'reader', 'owner'] as const)(
  'markup in any word is text on every page of the %s',
  withPages(async (openPage, visitor) => {
    const page = await openPage(stall.url, visitor === 'anonymous' ? {} : { cookie: cookies[visitor] });
    for (const { name, pathIn } of PAGES.filter(
      (row) => row.visitor === visitor && row.stalls.includes('full'),
    )) {
      await page.goto(pathIn(shown));
      expect([name, await page.evaluate<readonly string[]>(ALIVE)]).toEqual([name, []]);
      const words = SHOWING[name];
      if (words !== undefined)
        expect([name, (await page.locator('body').innerText()).includes(words)]).toEqual([name, true]);
    }
  }),
);

testPages(
  'signing in never leads to another site',
  withPages(async (openPage) => {
    const page = await openPage(stall.url);
    const { type, press } = mouse(page);
    for (const next of [
      '//evil.example',
      '/\\evil.example',
      '/%2f/evil.example',
      '/.//evil.example',
      'https://evil.example',
      'javascript:alert(7)',
    ]) {
      await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
      await type('E-mail', reader);
      await type('Password', PASSWORD);
      await press('Sign in');
      await page.getByRole('button', { name: 'Sign out' }).or(page.getByRole('heading')).first().waitFor();
      expect(new URL(page.url()).origin).toBe(stall.url);
      await page.context().clearCookies();
    }
  }),
);
