import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { openStall } from '../helpers/harness.ts';
import { openMailServer } from '../mailing/mail-server.ts';
import { testPages, withPages } from './chromium.ts';

const PATH = '/admin/settings';

const mail = await openMailServer();
const stall = await openStall({ files: {} });
await stall.app.admin.accounts.add('owner@example.org', true);
const { Cookie } = await stall.signIn('owner@example.org');

const settingOf = (page: Page, name: string) => page.locator(`form.setting[id="${name}"]`);
const isSeen = (page: Page, words: string): Promise<boolean> =>
  page.evaluate<boolean>(
    `[...document.querySelectorAll('.setting p')].some((one) => one.innerText.includes(${JSON.stringify(words)}) &&
      one.getBoundingClientRect().top >= 0 && one.getBoundingClientRect().bottom <= innerHeight)`,
  );
const afterButton = (page: Page, name: string): Promise<string> =>
  page.evaluate<string>(`getComputedStyle(document.getElementById('${name}'), '::after').content`);

testPages(
  'a setting that is saved or refused is in sight with its sentence, on a phone and without the script',
  withPages(async (openPage) => {
    for (const javaScript of [true, false]) {
      const page = await openPage(stall.url, { javaScript, cookie: Cookie, width: 'phone' });
      await page.goto(PATH);
      await settingOf(page, 'taxLine').locator('[name=value]').fill('VAT 1');
      await settingOf(page, 'taxLine').getByRole('button').click();
      await page.waitForURL('**#taxLine');
      expect(await afterButton(page, 'taxLine')).toBe('"Saved."');
      expect(await afterButton(page, 'contact')).toBe('none');
      await settingOf(page, 'defaults.currency').locator('[name=value]').fill('Dollar');
      await settingOf(page, 'defaults.currency').getByRole('button').click();
      await page.locator('[aria-invalid]:focus').waitFor();
      expect(await isSeen(page, 'Cannot use "Dollar"')).toBe(true);
    }
  }),
);

testPages(
  'what is typed into settings stays until it is saved: beside another that is saved, over a reload, another page and another tab',
  withPages(async (openPage) => {
    const page = await openPage(stall.url, { cookie: Cookie });
    await page.goto(PATH);
    const [intro, contact] = ['intro', 'contact'].map((name) => settingOf(page, name));
    const german = settingOf(page, 'languages').getByLabel('Deutsch');
    await intro!.getByRole('textbox').fill('Two herons.');
    await german.check();
    await contact!.getByRole('textbox').fill('ada@example.org');
    expect(await afterButton(page, 'intro')).toBe('"Not saved yet."');
    const expectTyped = async (): Promise<void> => {
      expect(await intro!.getByRole('textbox').inputValue()).toBe('Two herons.');
      expect(await german.isChecked()).toBe(true);
      expect(await afterButton(page, 'intro')).toBe('"Not saved yet."');
    };
    await contact!.getByRole('button').click();
    await page.waitForURL('**#contact');
    await expectTyped();
    expect(await afterButton(page, 'contact')).toBe('"Saved."');
    await page.reload();
    await expectTyped();
    const other = await page.context().newPage();
    await other.goto(PATH);
    await settingOf(other, 'intro').getByRole('textbox').fill('One heron.');
    await settingOf(other, 'intro').getByRole('button').click();
    await other.waitForURL('**#intro');
    await page.goto('/admin');
    await page.goto(PATH);
    await expectTyped();
    await intro!.getByRole('button').click();
    await page.waitForURL('**#intro');
    expect(await afterButton(page, 'intro')).toBe('"Saved."');
    expect(stall.app.stall.stallFiles().stall.intro).toContain('Two herons.');
    expect(stall.app.stall.stallFiles().stall.languages).toEqual(['en']);
  }),
);

testPages(
  'what is typed into the form of an item stays over a reload and another form, and is gone once it is saved',
  withPages(async (openPage) => {
    const page = await openPage(stall.url, { cookie: Cookie });
    await page.goto('/admin/add');
    const file = {
      name: 'egrets.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Egrets\n\nWhite.\n'),
    };
    await page.locator('[name=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Add as a draft' }).click();
    await page.getByRole('heading', { name: 'Added as a draft' }).waitFor();
    const edit = '/admin/items/egrets/edit';
    await page.goto(edit);
    const [description, price] = ['description', 'price'].map((name) => page.locator(`[name=${name}]`));
    await description!.fill('White birds.');
    await page.getByText('Price and sale', { exact: true }).click();
    await price!.fill('15');
    const typed = async () => [await description!.inputValue(), await price!.inputValue()];
    await page.reload();
    expect(await typed()).toEqual(['White birds.', '15']);
    expect(await price!.isVisible()).toBe(true);
    await page.getByText('Files', { exact: true }).click();
    const pdf = { name: 'egrets.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n') };
    await page.getByLabel('File', { exact: true }).first().setInputFiles(pdf);
    await page.getByRole('button', { name: 'Change the files' }).click();
    await page.waitForURL('**said=saved');
    expect(await typed()).toEqual(['White birds.', '15']);
    // A PDF is offered beside the book, and is none of its chapters.
    expect(await page.locator('[name=chapters][value="egrets.pdf"]').count()).toBe(0);
    expect(await page.locator('[name=remove][value="egrets.pdf"]').count()).toBe(1);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    await page.reload();
    expect(await typed()).toEqual(['White birds.', '15.00']);
    expect(await page.locator('[data-unsaved]').count()).toBe(0);
  }),
);

testPages(
  'what was typed is gone from the tab once its user signs out',
  withPages(async (openPage) => {
    const { Cookie: cookie } = await stall.signIn('owner@example.org');
    const page = await openPage(stall.url, { cookie });
    await page.goto(PATH);
    await settingOf(page, 'terms').getByRole('textbox').fill('A secret plan.');
    await page.reload();
    expect(await settingOf(page, 'terms').getByRole('textbox').inputValue()).toBe('A secret plan.');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.evaluate<number>('sessionStorage.length')).toBe(0);
  }),
);

testPages(
  'Enter in a field of the mail server saves it: what ends all mail is another form, and is asked about',
  withPages(async (openPage) => {
    const page = await openPage(stall.url, { cookie: Cookie });
    await page.goto(`${PATH}/mail`);
    const host = settingOf(page, 'server').locator('[name=host]');
    await host.fill('localhost');
    await settingOf(page, 'server').locator('[name=port]').fill(String(mail.port));
    await settingOf(page, 'server').locator('[name=from]').fill('stall@example.org');
    for (const words of ['Mail goes out by localhost', 'Mail goes out by 127.0.0.1']) {
      await host.press('Enter');
      await page.getByText(words).waitFor();
      await host.fill('127.0.0.1');
    }
    expect(page.asked).toEqual([]);
    await page.getByRole('button', { name: 'Send no mail any more' }).click();
    await page.getByText('This stall sends no mail').waitFor();
    expect(page.asked).toEqual(['Buyers get no links to what they bought until you set a server again.']);
  }),
);
