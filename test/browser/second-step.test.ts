import { expect } from 'bun:test';
import { totpOf } from '../../src/accounts/totp.rule.ts';
import { openStall, PASSWORD } from '../helpers/harness.ts';
import { testPages, withPages } from './chromium.ts';
import { keyboard } from './hand.ts';
import { faultsOf } from './page-rules.ts';
import { picture } from './picture.ts';

const OWNER = 'owner@example.org';
// Ahead of the real clock, to pass half minutes between codes.
let ahead = 0;
const stall = await openStall({ now: () => Date.now() + ahead });
await stall.app.admin.accounts.add(OWNER, true);
const { Cookie: cookie } = await stall.signIn(OWNER);

testPages(
  'an owner turns the second step on, signs in by code and recovery code, and turns it off, on a phone, by keyboard alone',
  withPages(async (openPage) => {
    const page = await openPage(stall.url, { width: 'phone', cookie });
    const { press, follow, type } = keyboard(page);
    const faults: Record<string, readonly string[]> = {};
    const look = async (name: string): Promise<void> => {
      await picture(page, `second-step-${name}`);
      const found = await faultsOf(page);
      if (found.length > 0) faults[name] = found;
    };
    const signOutAndIn = async (): Promise<void> => {
      await page.context().clearCookies();
      await page.goto('/admin/second-step');
      await type('E-mail', OWNER);
      await type('Password', PASSWORD);
      await press('Sign in');
      expect(await page.locator('h1').textContent()).toBe('Enter the code');
    };

    await page.goto('/dashboard/account');
    await look('account');
    await follow('Change second step');
    await look('off');
    const secret = await page.locator('input[name=secret]').inputValue();
    const code = (): string => {
      ahead += 60_000;
      return totpOf(secret, Math.floor((Date.now() + ahead) / 30_000));
    };
    await type('Password', PASSWORD);
    await type('Code', code());
    await press('Turn it on');
    await look('recovery-codes');
    const [first = '', second = ''] = (await page.locator('pre').textContent())?.split('\n') ?? [];
    await follow('I have kept them');
    await look('on');

    await signOutAndIn();
    await look('code');
    await type('Code', '000 000');
    await press('Sign in');
    await look('code-refused');
    await type('Code', code());
    await press('Sign in');
    expect(new URL(page.url()).pathname).toBe('/admin/second-step');

    await signOutAndIn();
    await type('Code', first.toLowerCase());
    await press('Sign in');
    expect(await page.locator('main').textContent()).toContain('Recovery codes left: 9');

    await type('Password', PASSWORD);
    await type('Code', second);
    await press('Turn it off');
    await look('turned-off');
    expect(await page.locator('main').textContent()).toContain('Your password alone signs you in');
    expect(faults).toEqual({});
  }),
);
