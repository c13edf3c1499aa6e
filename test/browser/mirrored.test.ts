import { expect, test } from 'bun:test';
import { itemYaml, openStall } from '../helpers/harness.ts';
import { problemsOf, testPages, withPages } from './chromium.ts';

const CHAPTER = 'The grey heron stands on one leg.\n\n```js\nconst legs = 1;\n```\n';
const stall = await openStall({
  files: {
    'stall.yaml': 'name: A stall\nlanguages: [en, de, ar-XB]\n',
    'books/marsh/item.yaml': itemYaml({ id: 'marsh', title: 'The marsh', language: 'en' }),
    'books/marsh/1.md': `# One\n\n${CHAPTER}`,
    'books/marsh/2.md': `# Two\n\n${CHAPTER}`,
    'books/left/item.yaml': itemYaml({ id: 'left', title: 'يسار', language: 'ar' }),
    'books/left/1.md': '# واحد\n\n```js\nconst legs = 1;\n```\n',
    'books/left/2.md': '# اثنان\n\nيقف.\n',
  },
});

const isLeftOf = (one: string, other: string): string =>
  `document.querySelector('${one}').getBoundingClientRect().left < document.querySelector('${other}').getBoundingClientRect().left`;

testPages(
  'on a page from right to left all but the text is mirrored, and arrows turn to the link on their side',
  withPages(async (open) => {
    const page = await open(stall.url);
    await page.goto('/books/marsh/read/1.md?lang=ar-XB');
    const looks = (selector: string, property: string) =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue('${property}')`,
      );
    expect(await page.evaluate<boolean>(isLeftOf('article', '.contents'))).toBeTrue();
    expect([await looks('main', 'direction'), await looks('.reading', 'direction')]).toEqual(['rtl', 'ltr']);
    await page.keyboard.press('ArrowRight');
    await page.waitForURL('**/marsh/read/2.md');
    await page.goto('/books/left/read/1.md');
    expect([await looks('pre', 'direction'), await looks('.reading', 'direction')]).toEqual(['ltr', 'rtl']);
    expect(await page.evaluate<boolean>(isLeftOf('.code > pre > code', '.code > button'))).toBeTrue();
    await page.keyboard.press('?');
    expect(await page.locator('.keys kbd').allTextContents()).toEqual(['→', '←', '/', '?', 'Esc']);
    await page.keyboard.press('Escape');
    // Arrows turn no page while the list of keys is open.
    await page.locator('#keys').waitFor({ state: 'hidden' });
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL('**/left/read/2.md');
    await page.goto('/books/marsh/search?q=heron');
    expect(await looks('[type="search"]', 'unicode-bidi')).toBe('plaintext');
  }),
);

test('no style asks for a language to know the direction, as the bundler does for `inset-inline-start`', async () => {
  const [sheet = ''] = /\/assets\/site-[^"]*\.css/.exec(await (await stall.fetch('/')).text()) ?? [];
  const css = await (await stall.fetch(sheet)).text();
  expect(css).toContain('inline-start');
  expect(css).not.toContain(':lang(dv)');
});

testPages(
  'a language is chosen in the footer, which fits a small phone',
  withPages(async (open) => {
    const page = await open(stall.url, { width: 'phone' });
    await page.setViewportSize({ width: 320, height: 600 });
    await page.goto('/books/marsh/read/1.md');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByText('Zum Inhalt').waitFor({ state: 'attached' });
    expect(page.url()).toEndWith('/books/marsh/read/1.md');
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBeTrue();
    expect(await page.getByRole('button', { name: 'Deutsch' }).getAttribute('aria-pressed')).toBe('true');
  }),
);

testPages('a note that is refused is refused in the language of the page', async () => {
  await stall.reader('reader@example.org');
  const { Cookie: cookie } = await stall.signIn('reader@example.org');
  const problems = await problemsOf(async (open) => {
    const page = await open(stall.url, { cookie });
    await page.goto('/books/marsh/read/1.md?lang=de');
    await page.route('**/notes', async (route) => {
      const postData = route
        .request()
        .postData()
        ?.replace(/edition=\w+/, 'edition=old')
        .replace(/exact=[^&]*/, 'exact=');
      await route.continue({ postData: postData! });
    });
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('.reading p'))");
    const asked = page.waitForEvent('dialog');
    await page.getByRole('button', { name: 'Markieren' }).click();
    expect((await asked).message()).toStartWith('Das Buch hat eine neue Ausgabe.');
  });
  // The refusal and what it says.
  expect(problems).toHaveLength(2);
});
