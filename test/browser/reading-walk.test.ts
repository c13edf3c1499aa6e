import { expect } from 'bun:test';
import { itemYaml, openStall, PASSWORD } from '../helpers/harness.ts';
import { type OpenPage, testPages, type Width, withPages } from './chromium.ts';
import { type Hand, keyboard, touch } from './hand.ts';

const FILLER = 'A paragraph about the marsh and its mist, in which nothing happens.\n\n'.repeat(60);
const stall = await openStall({
  files: {
    'books/marsh/item.yaml': itemYaml({
      id: 'marsh',
      title: 'The marsh',
      unitAmountCents: 1900,
      checkoutUrl: 'https://shop.example.org/buy',
      sample: '[1.md]',
    }),
    'books/marsh/1.md': '# Morning\n\nMist lies on the water.\n',
    'books/marsh/2.md': `# Noon\n\n${FILLER}The *grey* heron stands on one leg because the other would freeze.\n\n${FILLER}`,
    'books/marsh/3.md': '# Evening\n\nThe heron flies home.\n',
  },
});

const WAYS: readonly (readonly [string, (page: Hand['page']) => Hand, boolean, Width])[] = [
  ['with the keyboard alone', keyboard, true, 'desktop'],
  ['with the keyboard alone, without JavaScript', keyboard, false, 'desktop'],
  ['by touch', touch, true, 'phone'],
];

testPages.each(WAYS.map((way, n) => [way[0], way, n] as const))(
  'a book is found, read from its sample to its last page, asked, and read on elsewhere, %s',
  withPages(async (open, _, [, handOf, javaScript, width], n) => {
    const email = `reader-${n}@example.org`;
    await stall.reader(email, 'marsh');
    // Sets the password.
    await stall.signIn(email);
    const hand = handOf(await open(stall.url, { javaScript, width }));
    // The stall's one item is its first page.
    await hand.page.goto('/');
    await expectButtons(hand, ['Buy for $19', 'Read a sample'], ['Read', 'Ask']);
    await hand.follow('Read a sample');
    await expectTitle(hand, 'Morning');
    await hand.follow('Next Noon');
    await expectTitle(hand, 'Noon');
    expect(await hand.page.locator('article').textContent()).toContain('for $19.');
    expect(await hand.page.locator('article').textContent()).not.toContain('mist');
    await hand.follow('Sign in if you own it');
    await signIn(hand, email);
    await expectTitle(hand, 'Noon');
    expect(await hand.page.locator('article').textContent()).toContain('in which nothing happens');
    await hand.follow('Next Evening');
    await expectTitle(hand, 'Evening');
    expect(await hand.page.locator('a[rel=next]').count()).toBe(0);
    await ask(hand);
    await readOnElsewhere(open, handOf, email);
  }),
);

/** A question, its excerpt, and the passage that this opens beside the answer, in view. */
async function ask(hand: Hand): Promise<void> {
  await hand.follow('Ask');
  await hand.type('Your question', 'Why does the grey heron stand on one leg?');
  await hand.press('Ask');
  const excerpt = hand.page.locator('.excerpt').first();
  expect(await excerpt.textContent()).toContain('The grey heron stands on one leg');
  const opening = hand.page.context().waitForEvent('page');
  await excerpt.getByRole('link', { name: 'Noon' }).press('Enter');
  const page = await opening;
  await expectTitle({ page }, 'Noon');
  const marks = page.locator('mark');
  expect((await marks.allTextContents()).join('')).toBe(
    'The grey heron stands on one leg because the other would freeze.',
  );
  const viewport = page.viewportSize()?.height ?? 0;
  const { y = -1, height = 0 } = (await page.locator('#mark').boundingBox()) ?? {};
  expect(y).toBeWithin(0, viewport - height);
}

/** A phone, on which the account's library leads to the chapter that was open on the other device. */
async function readOnElsewhere(open: OpenPage, handOf: (page: Hand['page']) => Hand, email: string) {
  const phone = handOf(await open(stall.url, { width: 'phone' }));
  await phone.page.goto('/dashboard');
  await signIn(phone, email);
  await phone.follow('The marsh');
  await expectButtons(phone, ['Read', 'Ask'], ['Buy for $19', 'Read a sample']);
  await phone.unfold('Menu');
  await phone.follow('Library');
  // Looking something up does not move the reader's place.
  await phone.follow('Continue with Evening The marsh');
  await expectTitle(phone, 'Evening');
}

async function signIn(hand: Hand, email: string): Promise<void> {
  await hand.type('E-mail', email);
  await hand.type('Password', PASSWORD);
  await hand.press('Sign in');
}

async function expectTitle({ page }: Pick<Hand, 'page'>, title: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  expect(await page.title()).toStartWith(title);
}

/** The buttons of an item's page that fit who looks. */
async function expectButtons({ page }: Hand, shown: readonly string[], hidden: readonly string[]) {
  const box = page.getByRole('complementary', { name: 'How to get it' });
  await box.waitFor();
  const count = (name: string) => box.getByRole('link', { name, exact: true }).count();
  expect(await Promise.all(shown.map(count))).toEqual(shown.map(() => 1));
  expect(await Promise.all(hidden.map(count))).toEqual(hidden.map(() => 0));
}
