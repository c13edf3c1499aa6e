import { expect } from 'bun:test';
import { openClaimStall, PASSWORD } from '../selling/claim-stall.ts';
import { testPages, withPages } from './chromium.ts';
import { mouse } from './hand.ts';
import { faultsOf } from './page-rules.ts';

const stall = await openClaimStall();

testPages.each([
  ['with the script', 'ada@example.org', true],
  ['without JavaScript', 'grace@example.org', false],
] as const)(
  'a reader signs in by a mailed link, at the desk by its code from the phone, and chooses a password: %s',
  withPages(async (openPage, _, email, javaScript) => {
    await stall.app.admin.accounts.add(email);
    const [desk, phone] = [
      await openPage(stall.url, { javaScript }),
      await openPage(stall.url, { javaScript }),
    ];
    const examine = async (page: typeof desk): Promise<void> => {
      if (!javaScript) return;
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await faultsOf(page)).toEqual([]);
      }
    };
    const [atDesk, atPhone] = [mouse(desk), mouse(phone)];
    const linkTo = async (count: number): Promise<string> =>
      /http\S+\/sign-in\/link#\S+/.exec((await stall.server.waitFor(email, count)).text)?.[0] ?? '';
    const open = async (page: typeof desk, link: string): Promise<void> => {
      await page.goto('about:blank');
      await page.goto(link);
      if (javaScript) return;
      await mouse(page).type('Code', link);
      await mouse(page).press('Sign in');
    };
    await desk.goto(`${stall.url}/sign-in?next=/dashboard/account/password`);
    await atDesk.type('E-mail', email);
    await atDesk.press('Mail me a sign-in link');
    await desk.getByText('If this address has an account, a link is on the way').waitFor();
    await examine(desk);
    await open(phone, await linkTo(1));
    await phone.getByRole('heading', { name: 'Type this code where you asked' }).waitFor();
    await examine(phone);
    const code = (await phone.locator('.copy-line code').textContent()) ?? '';
    await atDesk.type('Code', 'ABCD-EFGH');
    await atDesk.press('Sign in');
    await desk.getByText('this code or link is wrong').waitFor();
    await examine(desk);
    await atDesk.type('Code', code);
    await atDesk.press('Sign in');
    await desk.getByRole('heading', { name: 'Choose a password' }).waitFor();
    await examine(desk);
    await atDesk.type('New password', PASSWORD);
    await atDesk.press('Choose a password');
    await desk.getByText('Password changed').waitFor();

    stall.pass(1);
    await phone.goto(`${stall.url}/sign-in/mail`);
    await atPhone.type('E-mail', email);
    await atPhone.press('Send a link');
    await phone.getByText('If this address has an account, a link is on the way').waitFor();
    await open(phone, await linkTo(2));
    await phone.waitForURL(`${stall.url}/dashboard`);
    stall.pass(60 * 60_000);
  }),
);
