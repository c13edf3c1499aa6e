import { expect } from 'bun:test';
import { bearerVariable, curlLines } from '../../src/catalog/connect.rule.ts';
import { openClaimStall } from '../selling/claim-stall.ts';
import { testPages, withPages } from './chromium.ts';
import { mouse } from './hand.ts';
import { faultsOf } from './page-rules.ts';
import { tryLine } from './people.ts';

const stall = await openClaimStall();

testPages.each([
  ['with the script', 'walk000001', 'ada@example.org', true],
  ['without JavaScript', 'walk000002', 'grace@example.org', false],
] as const)(
  'a buyer comes back from the provider, reads, uses the mail, and loses it all by a refund: %s',
  withPages(async (openPage, _, name, email, javaScript) => {
    const page = await openPage(stall.url, { javaScript });
    const hand = mouse(page);
    // The rules themselves are a script.
    const examine = async (): Promise<void> => expect(javaScript ? await faultsOf(page) : []).toEqual([]);
    await page.goto(`${stall.url}/claim/stripe?id=cs_live_${name}`);
    expect(page.url()).toBe(`${stall.url}/claim`);
    await page.getByRole('heading', { name: 'Waiting for Stripe' }).waitFor();
    await hand.follow('Use its link, or have it sent again');
    // An answered form stays to be read: only then can the page be examined.
    await hand.type('E-mail', email);
    await hand.press('Send it again');
    await page.getByText('its mail is on the way').waitFor();
    await examine();
    await page.goto(`${stall.url}/claim`);
    // The page looks again by itself.
    await stall.buy(name, email);
    await page.getByText('The grey heron of paid marsh').waitFor();
    await examine();
    await hand.follow('Download it, give it away, or choose a password');
    await page.getByRole('heading', { name: 'It is yours' }).waitFor();
    await examine();
    await hand.unfold('In your agent');
    await hand.press('Make a key');
    await page.getByRole('heading', { name: 'Your new key' }).waitFor();
    const [line = ''] = await page.locator('.copy-line code').allTextContents();
    await examine();
    const key = /svc_\w+/.exec(line)?.[0] ?? '';
    const list = curlLines
      .install(stall.url, bearerVariable(stall.url), 'paid-book')
      .replace('tar -xzf', 'tar -tzf');
    expect(await tryLine(list, key)).toContain('paid-book/01.md');
    await page.goto(`${stall.url}/claim`);
    await page.getByRole('heading', { name: 'It is yours' }).waitFor();
    await hand.follow('Read now');
    await page.getByText('The grey heron of paid marsh').waitFor();

    // Another purchase is under way in this browser: its page waits, and the mail's link is used all the same.
    const friend = `friend.of.${email}`;
    await stall.buy(`${name}2`, friend);
    const [link = ''] = /http\S+#\S+/.exec((await stall.server.waitFor(friend)).text) ?? [];
    const other = await openPage(stall.url, { javaScript });
    await other.goto(`${stall.url}/claim/stripe?id=cs_live_waits00001`);
    await other.goto('about:blank');
    await other.goto(link);
    const byMail = mouse(other);
    // The script looks the link up by itself.
    if (!javaScript) {
      await byMail.follow('Use its link, or have it sent again');
      await byMail.type('Code from the link', link);
      await byMail.press('Go on');
    }
    await other.getByText(`It was bought with ${friend}`).waitFor();
    await byMail.press('Put it into my library');
    await byMail.follow('Download it, give it away, or choose a password');
    await other.getByRole('heading', { name: 'It is yours' }).waitFor();
    await byMail.unfold('In your agent');
    await byMail.press('Make a key');
    await other.getByRole('heading', { name: 'Your new key' }).waitFor();
    const [mailed = ''] = await other.locator('.copy-line code').allTextContents();
    expect(await tryLine(list, /svc_\w+/.exec(mailed)?.[0] ?? '')).toContain('paid-book/01.md');

    await stall.giveBack(name);
    expect(await tryLine(list, key)).toContain('403');
    await page.goto(`${stall.url}/dashboard`);
    await page.getByText('Refunded', { exact: true }).waitFor();
  }),
);

testPages(
  'the mail of a second purchase adds it in a browser that came back from the first',
  withPages(async (openPage) => {
    const email = 'twice@example.org';
    const page = await openPage(stall.url);
    const hand = mouse(page);
    await stall.buy('walk000003', email);
    await page.goto(`${stall.url}/claim/stripe?id=cs_live_walk000003`);
    await page.getByText('The grey heron of paid marsh').waitFor();
    await stall.buy('walk000004', email);
    const [link = ''] = /http\S+#\S+/.exec((await stall.server.waitFor(email, 2)).text) ?? [];
    await page.goto('about:blank');
    await page.goto(link);
    await hand.press(`Add to ${email}`);
    await page.getByText(refOf('walk000004')).first().waitFor();
  }),
);

const refOf = (name: string): string => stall.store.findOrderByKey('stripe', `cs_live_${name}`)?.ref ?? '';
