import { describe, expect } from 'bun:test';
import { createHash } from 'node:crypto';
import { itemYaml, openStall } from '../helpers/harness.ts';
import { testPages, withPages } from './chromium.ts';
import { faultsOf } from './page-rules.ts';
import { picture } from './picture.ts';

const LONG = `# Two\n\n${'A long paragraph about herons.\n\n'.repeat(80)}The *quoted* words stand here.\n\n${'And more.\n\n'.repeat(80)}`;
const TABLE = `|${' wide column |'.repeat(40)}\n|${' - |'.repeat(40)}\n|${' x |'.repeat(40)}\n`;
const stall = await openStall({
  files: {
    'books/walk/item.yaml': itemYaml({ id: 'walk', title: 'A walk' }),
    'books/walk/1.md': `# One\n\n[On](2.md)\n\n${TABLE}\n\n\`\`\`\n${'long '.repeat(100)}\n\`\`\`\n`,
    'books/walk/2.md': LONG,
    'books/walk/3.md': '# Three\n\nThe end.[^1]\n\n![a line](line.svg)\n\n[^1]: A note.\n',
    'books/walk/line.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 4h9" stroke="#000"/></svg>',
    'books/held/item.yaml': itemYaml({ id: 'held', title: 'Held', unitAmountCents: 900 }),
    'books/held/1.md': '# First\n\nOne.\n',
    'books/held/2.md': LONG,
    'books/left/item.yaml': itemYaml({ id: 'left', title: 'Left', language: 'ar' }),
    'books/left/1.md': '# واحد\n',
    'books/left/2.md': '# اثنان\n',
  },
});
const heading = 'main h1';

describe('a book is read', () => {
  testPages(
    'from its first page to its last by the arrow keys, and back',
    withPages(async (open) => {
      const page = await open(stall.url);
      await page.goto('/books/walk/read');
      for (const [key, title] of [
        ['ArrowRight', 'Two'],
        ['ArrowRight', 'Three'],
        ['ArrowLeft', 'Two'],
      ] as const) {
        await page.keyboard.press(key);
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
      }
    }),
  );

  testPages(
    'from right to left by the other arrow',
    withPages(async (open) => {
      const page = await open(stall.url);
      await page.goto('/books/left/read/1.md');
      await page.keyboard.press('ArrowLeft');
      await page.waitForURL('**/2.md');
    }),
  );

  testPages(
    'with pictures on a light ground in the dark, and a first link past the contents',
    withPages(async (open) => {
      const page = await open(stall.url, { theme: 'dark' });
      await page.goto('/books/walk/read/3.md');
      const ground = "getComputedStyle(document.querySelector('.reading img')).backgroundColor";
      expect(await page.evaluate<string>(ground)).toBe('rgb(251, 248, 242)');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await page.evaluate<string>('document.activeElement.id')).toBe('text');
    }),
  );

  testPages(
    'without a script, on a phone',
    withPages(async (open) => {
      const page = await open(stall.url, { javaScript: false, width: 'phone' });
      await page.goto('/books/walk');
      await page.getByRole('link', { name: 'Read', exact: true }).click();
      await page.getByText('Aa').click();
      await page.getByRole('button', { name: 'Large' }).click();
      expect(await page.locator('html[data-size=large]').count()).toBe(1);
      await page.getByText('Aa').click();
      await page.locator('#look').getByRole('button', { name: 'Dark' }).click();
      expect(await page.locator('html[data-size=large][data-theme=dark]').count()).toBe(1);
      await page.getByText('Aa').click();
      await page.getByRole('button', { name: 'Wide' }).click();
      expect(await page.locator('html[data-size=large][data-column=wide]').count()).toBe(1);
      await page.getByText('Contents').first().click();
      await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Three' }).click();
      expect(await page.locator(heading).textContent()).toContain('Three');
      await page.locator('a[rel=prev]').click();
      expect(await page.locator(heading).textContent()).toContain('Two');
    }),
  );

  testPages(
    'without the page growing wider than the phone: its tables and code scroll, by the keyboard as well',
    withPages(async (open) => {
      const page = await open(stall.url, { width: 'phone' });
      await page.goto('/books/walk/read/1.md');
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBeTrue();
      for (const name of ['Table', 'Code']) {
        const region = page.getByRole('group', { name });
        await region.focus();
        await page.keyboard.press('ArrowRight');
        // The policy lets no page wait for an expression.
        while (!(await page.evaluate('document.activeElement.scrollLeft > 0'))) await Bun.sleep(10);
      }
      expect(page.url()).toEndWith('/1.md');
    }),
  );
});

testPages(
  'the place within a chapter is kept for every device, by what is at the top and not by pixels',
  withPages(async (open) => {
    await stall.reader('holder@example.org', 'held');
    const cookie = (await stall.signIn('holder@example.org')).Cookie;
    const wide = await open(stall.url, { cookie });
    await wide.goto('/books/held/read/2.md');
    const top = `[...document.querySelectorAll('.reading > p')].find((p) => p.getBoundingClientRect().bottom > 24)`;
    await wide.evaluate(`document.querySelectorAll('.reading > p')[80].scrollIntoView()`);
    expect(await wide.evaluate(`${top}.textContent`)).toBe('The quoted words stand here.');
    await wide.goto('/dashboard');
    const begin = async () =>
      (await stall.fetch('/books/held/read', { headers: { Cookie: cookie }, redirect: 'manual' })).headers;
    while (!(await begin()).get('location')?.includes('#at:')) await Bun.sleep(10);
    const phone = await open(stall.url, { cookie, width: 'phone' });
    await phone.goto('/books/held/read');
    expect(await phone.evaluate(`${top}.textContent`)).toBe('The quoted words stand here.');
    expect(new URL(phone.url()).hash).toBe('');
    // A place that was told elsewhere, as by an e-reader, is this site's once it was seen.
    await phone.goto('/books/held/read/1.md');
    await phone.goto('/dashboard');
    await phone.goto('/books/held/read/2.md#at:81');
    await phone.goto('/dashboard');
    await phone.goto('/books/held/read');
    expect(await phone.evaluate(`${top}.textContent`)).toBe('The quoted words stand here.');
    // Nothing was moved: nothing is told.
    await phone.goto('/books/held/read/2.md');
    phone.on('request', (request) => expect(request.method()).toBe('GET'));
    await phone.goto('/dashboard');
  }),
);

testPages(
  'keys search and list the keys, and are letters where one types',
  withPages(async (open) => {
    const page = await open(stall.url);
    await page.goto('/books/walk/read/2.md');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await page.keyboard.press('?');
    await keys.waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+ArrowRight');
    await page.keyboard.press('/');
    await page.keyboard.type('/heron?');
    await page.keyboard.press('ArrowLeft');
    const field = page.getByRole('searchbox');
    expect([await field.inputValue(), await keys.isVisible()]).toEqual(['/heron?', false]);
    expect(page.url()).toEndWith('/2.md');
    await field.press('Enter');
    await page.getByRole('heading', { name: 'Search A walk' }).waitFor();
  }),
);

testPages(
  'size and theme change at once behind one button, which Escape folds, and are those of the next page from its first byte',
  withPages(async (open) => {
    const page = await open(stall.url);
    await page.goto('/books/walk/read/2.md');
    const sizeOf = () =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('.reading')).fontSize`);
    const before = await sizeOf();
    await page.getByText('Aa').click();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Large' }).click();
    await page.locator('#look').getByRole('button', { name: 'Dark' }).click();
    expect(Number.parseFloat(await sizeOf())).toBeGreaterThan(Number.parseFloat(before));
    expect(await page.getByRole('button', { name: 'Large' }).getAttribute('aria-pressed')).toBe('true');
    for (const name of ['Sans-serif', 'Loose', 'Narrow'])
      await page.getByRole('button', { name, exact: true }).click();
    expect(
      await page.evaluate<string>(`getComputedStyle(document.querySelector('.reading')).fontFamily`),
    ).toContain('Sans');
    await picture(page, 'look');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'Large' }).isVisible()).toBeFalse();
    expect(await (await page.goto('/books/walk/read/3.md'))?.text()).toContain(
      '<html lang="en" data-size="large" data-letters="sans" data-lines="loose" data-column="narrow" data-theme="dark">',
    );
  }),
);

testPages(
  'code is copied by its button, without one where no script runs',
  withPages(async (open) => {
    const page = await open(stall.url);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/books/walk/read/1.md');
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' });
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(`${'long '.repeat(100)}\n`);
    const plain = await open(stall.url, { javaScript: false });
    await plain.goto('/books/walk/read/1.md');
    expect(await plain.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  }),
);

testPages.each([true, false])(
  'a quoted passage is marked and in view, with a script (%p) and without',
  withPages(async (open, javaScript: boolean) => {
    const page = await open(stall.url, { javaScript });
    const of = createHash('sha256').update(LONG).digest('hex').slice(0, 12);
    const start = LONG.indexOf('The *quoted*');
    await page.goto(`/books/walk/read/2.md?mark=${start}-${start + 18}&of=${of}#mark`);
    expect((await page.locator('mark').allTextContents()).join('')).toBe('The quoted words');
    const top = (await page.locator('#mark').boundingBox())?.y ?? -1;
    expect(top).toBeWithin(0, 800);
  }),
);

testPages(
  'the printed book numbers its pages but the first, and keeps notes with their text',
  withPages(async (open) => {
    const page = await open(stall.url);
    await page.goto('/books/walk/print');
    await page.emulateMedia({ media: 'print' });
    // Rules of pages do not apply to a page on a screen, so their texts are read.
    const rules = await page.evaluate<readonly string[]>(`(() => {
      const rulesIn = (list) => [...list].flatMap((rule) => rule.media ? rulesIn(rule.cssRules) : [rule]);
      return [...document.styleSheets].flatMap((sheet) => rulesIn(sheet.cssRules))
        .map(({ cssText }) => cssText.replace(/ +/g, ' ')).filter((text) => text.startsWith('@page'));
    })()`);
    expect(rules.find((rule) => rule.startsWith('@page book {'))).toContain('counter(page)');
    expect(rules.find((rule) => rule.startsWith('@page book:first'))).toContain('content: none');
    const styleOf = (selector: string, property: string): Promise<string> =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}'))['${property}']`);
    expect(await styleOf('.printed', 'page')).toBe('book');
    expect(await styleOf('.printed .notes', 'breakBefore')).toBe('avoid');
  }),
);

testPages(
  'print gives the chapter alone',
  withPages(async (open) => {
    const page = await open(stall.url);
    await page.goto('/books/walk/read/2.md');
    await page.emulateMedia({ media: 'print' });
    for (const part of ['.contents', '.turn', '.tools', '.site-footer', '.site-header', '.awning', '.place'])
      expect(await page.locator(part).isVisible()).toBeFalse();
    expect(await page.locator(heading).isVisible()).toBeTrue();
  }),
);
