import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { openStall, SHELF } from '../helpers/harness.ts';
import { testPages, withPages } from './chromium.ts';
import { openDemonstration } from './open-demonstration.ts';

const stall = await openStall({ files: {} });
const shelf = await openStall({ files: SHELF });

const paperOf = (page: Page): Promise<string> =>
  page.evaluate('getComputedStyle(document.body).backgroundColor');
const LIGHT = 'rgb(251, 248, 242)';
const DARK = 'rgb(25, 23, 20)';

testPages(
  'the chosen theme stays, and choosing the system’s theme forgets it',
  withPages(async (openPage) => {
    const page = await openPage(stall.url);
    await openDemonstration(page, 'parts');
    expect(await paperOf(page)).toBe(LIGHT);
    await page.getByRole('button', { name: 'Dark', exact: true }).click();
    expect(await paperOf(page)).toBe(DARK);
    // Before the body exists, so that nothing flashes.
    await page.addInitScript(
      `new MutationObserver(() => { if (document.body) window.early ??= document.documentElement.dataset.theme }).observe(document, { childList: true, subtree: true })`,
    );
    await page.reload();
    expect([await paperOf(page), await page.evaluate<string>('window.early')]).toEqual([DARK, 'dark']);
    await page.getByRole('button', { name: 'System', exact: true }).click();
    expect(await paperOf(page)).toBe(LIGHT);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await paperOf(page)).toBe(DARK);
  }),
);

testPages(
  'a copy button copies its line, and says so',
  withPages(async (openPage) => {
    const page = await openPage(stall.url);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await openDemonstration(page, 'keys');
    await page.getByRole('button', { name: 'Copy: In your shell' }).click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' });
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(
      'export BOOKSTALL_KEY=svc_0123456789ABCDEFGHIJKLMNOPQRSTUVxxxxxx',
    );
  }),
);

testPages(
  'without clipboard access, the line is selected',
  withPages(async (openPage) => {
    const page = await openPage(stall.url);
    await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await openDemonstration(page, 'keys');
    await page.getByRole('button', { name: 'Copy: Key' }).click();
    await page.getByRole('status').filter({ hasText: 'Selected' }).waitFor({ state: 'attached' });
    expect(await page.evaluate<string>('getSelection().toString()')).toBe(
      'svc_0123456789ABCDEFGHIJKLMNOPQRSTUVxxxxxx',
    );
  }),
);

testPages(
  'an instant is shown in the reader’s zone and keeps UTC in its title',
  withPages(async (openPage) => {
    const page = await openPage(stall.url);
    await openDemonstration(page, 'keys');
    const time = page.locator('time[data-with-time="true"]').first();
    // The tests run in Tokyo's time zone, nine hours ahead.
    expect(await time.textContent()).toBe('21 Nov 2026, 06:05');
    expect(await time.getAttribute('title')).toBe('20 Nov 2026, 21:05 UTC');
  }),
);

const SENTENCE = 'Programs that use the key "laptop" stop working at once.';

testPages(
  'a form that ends something asks once, and is sent after confirmation',
  withPages(async (openPage) => {
    const page = await openPage(stall.url);
    const sent = await openDemonstration(page, 'keys');
    expect(await page.getByText(SENTENCE).isVisible()).toBeFalse();
    await page.getByRole('form', { name: 'Revoke laptop' }).getByRole('button').click();
    await page.waitForURL('**/keys');
    expect([page.asked, sent.length]).toEqual([[SENTENCE], 1]);
  }),
);

testPages(
  'a one-time secret moves from the address into its hidden field',
  withPages(async (openPage) => {
    const page = await openPage(stall.url);
    await openDemonstration(page, 'invite', { fragment: '#abc.def' });
    const field = page.locator('[name="code"]');
    expect([await field.inputValue(), await field.isVisible(), new URL(page.url()).hash]).toEqual([
      'abc.def',
      false,
      '',
    ]);
    await page.goto('/demonstration/sign-in');
    await page.goto('/demonstration/invite');
    expect([await field.inputValue(), await field.isVisible()]).toEqual(['', true]);
  }),
);

testPages.each([true, false])(
  'the command lines of an item unfold by a key, with JavaScript %p',
  withPages(async (openPage, javaScript) => {
    const page = await openPage(shelf.url, { javaScript });
    await page.goto('/books/free-book');
    const line = page.getByText('/api/install/free-book').first();
    expect(await line.isVisible()).toBeFalse();
    await page.getByText('For your agent and the command line').focus();
    await page.keyboard.press('Enter');
    expect(await line.isVisible()).toBeTrue();
  }),
);

testPages(
  'without JavaScript no button needs it, and a form shows its question',
  withPages(async (openPage) => {
    const page = await openPage(stall.url, { javaScript: false });
    const sent = await openDemonstration(page, 'keys');
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Dark', exact: true }).count()).toBe(0);
    expect(await page.getByText(SENTENCE).isVisible()).toBeTrue();
    await page.getByRole('form', { name: 'Revoke laptop' }).getByRole('button').click();
    await page.waitForURL('**/keys');
    expect(sent).toHaveLength(1);
  }),
);

testPages(
  'a form clicked twice is sent once, and its answer is shown',
  withPages(async (openPage) => {
    const { email } = await stall.reader('twice@example.org');
    const page = await openPage(stall.url, { cookie: (await stall.signIn(email)).Cookie });
    await page.goto('/dashboard/api-keys');
    await page.getByLabel('Name').fill('laptop');
    // The stall has created the key, and its answer is still on the way when the second click comes.
    await page.route('**/create', async (route) => {
      const response = await route.fetch();
      await Bun.sleep(300);
      await route.fulfill({ response });
    });
    // By the page itself: the driver waits for the first answer before it clicks again.
    await page.evaluate(`(([button]) => { button.click(); setTimeout(() => button.click(), 100) })(
      [...document.querySelectorAll('button')].filter(({ textContent }) => textContent === 'Create key'))`);
    await page.getByRole('heading', { name: 'Your new key' }).waitFor();
    expect(await stall.app.admin.keys.list(email)).toHaveLength(2);
  }),
);
