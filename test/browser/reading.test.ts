import { describe, expect } from 'bun:test';
import { createHash } from 'node:crypto';
import { itemYaml, openStall } from '../harness.ts';
import { testPages, withPages } from './chromium.ts';

const LONG = `# Two\n\n${'A long paragraph about herons.\n\n'.repeat(80)}The *quoted* words stand here.\n\n${'And more.\n\n'.repeat(80)}`;
const TABLE = `|${' wide column |'.repeat(40)}\n|${' - |'.repeat(40)}\n|${' x |'.repeat(40)}\n`;
const stall = await openStall({
  files: {
    'books/walk/item.yaml': itemYaml({ id: 'walk', title: 'A walk' }),
    'books/walk/1.md': `# One\n\n[On](2.md)\n\n${TABLE}\n\n\`\`\`\n${'long '.repeat(100)}\n\`\`\`\n`,
    'books/walk/2.md': LONG,
    'books/walk/3.md': '# Three\n\nThe end.\n',
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
    'without a script, on a phone',
    withPages(async (open) => {
      const page = await open(stall.url, { javaScript: false, width: 'phone' });
      await page.goto('/books/walk');
      await page.getByRole('link', { name: 'Read', exact: true }).click();
      await page.getByText('Aa').click();
      await page.getByRole('button', { name: 'Large' }).click();
      expect(await page.locator('html[data-size=large]').count()).toBe(1);
      await page.getByText('Aa').click();
      await page.getByRole('button', { name: 'Dark' }).click();
      expect(await page.locator('html[data-size=large][data-theme=dark]').count()).toBe(1);
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
