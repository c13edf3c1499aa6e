import { expect } from 'bun:test';
import { openClaimStall } from '../selling/claim-stall.ts';
import { testPages, withPages } from './chromium.ts';
import { mouse } from './hand.ts';
import { faultsOf } from './page-rules.ts';

const stall = await openClaimStall();
const SKILL_CODE = {
  slug: 'paid-skill',
  bundles: [],
  count: 1,
  uses: 1,
  until: null,
  note: '',
  orderId: null,
};

testPages.each([
  ['with the script', 'gift000001', 'friend@example.org', true],
  ['without JavaScript', 'gift000002', 'friend2@example.org', false],
] as const)(
  'a purchase becomes a present, and somebody without an account enters its code and reads: %s',
  withPages(async (openPage, _, name, email, javaScript) => {
    const examine = async (page: Parameters<typeof faultsOf>[0]): Promise<void> =>
      expect(javaScript ? await faultsOf(page) : []).toEqual([]);
    await stall.buy(name, `giver.of.${email}`);
    const giver = await openPage(stall.url, { javaScript });
    await giver.goto(`${stall.url}/claim/stripe?id=cs_live_${name}`);
    await mouse(giver).follow('Download it, give it away, or choose a password');
    await mouse(giver).unfold('Is it for somebody else?');
    await mouse(giver).press('This is a present');
    await giver.getByRole('heading', { name: 'A present' }).waitFor();
    await examine(giver);
    const [code = ''] = await giver.locator('.copy-line code').allTextContents();
    expect(code).toMatch(/^svg_/);

    const friend = await openPage(stall.url, { javaScript });
    const hand = mouse(friend);
    await friend.goto(`${stall.url}/redeem`);
    await hand.type('Code', 'svg_ABCDE');
    await hand.press('Continue');
    await friend.getByText('this stall knows no such code').waitFor();
    await examine(friend);
    // As the link of further copies has it: the script takes it from there, and looks up what it opens.
    await friend.goto('about:blank');
    await friend.goto(`${stall.url}/redeem#${code}`);
    if (!javaScript) {
      await hand.type('Code', code.toLowerCase());
      await hand.press('Continue');
    }
    await friend.getByText(/This code opens .*The paid book/).waitFor();
    await examine(friend);
    await hand.type('E-mail', email);
    await hand.press('Make an account and get it');
    await friend.getByRole('heading', { name: 'It is yours' }).waitFor();
    await examine(friend);
    await hand.follow('your library');
    await friend.getByText('The paid book').first().waitFor();
    if (!javaScript) return;
    // Signed in, the link says what it opens before it is used, and is no dead end once it was.
    const [another = ''] = (await stall.app.admin.codes.create(SKILL_CODE)).codes;
    for (const isUsed of [false, true]) {
      await friend.goto('about:blank');
      await friend.goto(`${stall.url}/redeem#${another}`);
      if (!isUsed) {
        await friend.getByText(/This code opens .*The paid skill/).waitFor();
        await hand.press(`Add to ${email}`);
      }
      await friend.getByRole('heading', { name: 'It is yours' }).waitFor();
    }
  }),
);
