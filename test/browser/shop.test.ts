import { describe, expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { type Files, itemYaml, openStall, skillMd } from '../helpers/harness.ts';
import { type OpenPage, testPages, withPages } from './chromium.ts';
import { faultsOf } from './page-rules.ts';

const JAPANESE =
  '都市の鳥類観察入門ガイドブック完全版――はじめての人のためのやさしい鳥の見かたと名前の調べかた';
const WORDS: Readonly<Record<string, readonly [language: string, title: string, text: string]>> = {
  arabic: ['ar', 'طيور المدينة: دليل الهواة؟', 'هل *تعيش* الطيور في المدن؟\n\n> نعم، في كل مكان!'],
  hebrew: ['he', 'ציפורים בעיר (מדריך).', 'האם הן *שרות* בלילה?\n\n> כן!'],
  japanese: ['ja', JAPANESE, '*鳥*はなぜ飛ぶのか。︵括弧︶\n\n> 一羽の鳥は手の中に﹁二羽﹂'],
  chinese: [
    'zh-CN',
    `城市鸟类观察指南${'给初学者的简明读本'.repeat(6)}`,
    `*翅膀*。${'没有空格的中文'.repeat(40)}\n\n> 一鸟在手`,
  ],
  korean: ['ko', '도시의 새 관찰 안내서 처음 시작하는 사람들을 위하여', '*새*는 왜 날까요?\n\n> 손안의 새'],
  german: [
    'de',
    `Donaudampf${'schifffahrts'.repeat(10)}gesellschaft`,
    `*${'Rindfleischetikettierungs'.repeat(8)}*\n\n> Ja`,
  ],
};
const CJK = ['japanese', 'chinese', 'korean'];
const SALE = { id: 'sale', title: 'Marsh and tide', unitAmountCents: 2900, language: 'en' };

const stall = await openStall({
  files: {
    'stall.yaml':
      'name: Quince Press and friends\nfeatured: [sale, japanese]\nintro: "Books about **birds**."\n',
    'books/sale/item.yaml': itemYaml({
      ...SALE,
      description: JSON.stringify('A look at the marsh, with forty walks.\n'.repeat(12)),
      checkoutUrl: 'https://shop.example.org/buy',
      sample: '[01.md]',
    }),
    'books/sale/01.md': `# One\n\n${'The tide comes in. '.repeat(400)}\n`,
    'books/sale/02.md': '# Two\n\nMore.\n',
    'books/free/item.yaml': itemYaml({ id: 'free', title: 'Free for all' }),
    'books/free/01.md': '# One\n\nWords of it.\n',
    'skills/paid/item.yaml': itemYaml({
      unitAmountCents: 900,
      checkoutUrl: 'https://shop.example.org/skill',
    }),
    'skills/paid/SKILL.md': skillMd('paid'),
    'skills/gift/item.yaml': itemYaml({}),
    'skills/gift/SKILL.md': skillMd('gift'),
    ...(Object.fromEntries(
      Object.entries(WORDS).flatMap(([slug, [language, title, text]]) => [
        [
          `books/${slug}/item.yaml`,
          itemYaml({ id: slug, title: JSON.stringify(title), description: JSON.stringify(text), language }),
        ],
        [`books/${slug}/01.md`, `# ${title}\n\n${text}\n`],
      ]),
    ) as Files),
    ...(Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        [`skills/many-${n}/item.yaml`, itemYaml({ title: `Skill number ${n}` })],
        [`skills/many-${n}/SKILL.md`, skillMd(`many-${n}`)],
      ]).flat(),
    ) as Files),
  },
});
await stall.reader('holder@example.org', 'sale', 'paid');
await stall.reader('member@example.org');
await stall.app.admin.accounts.add('owner@example.org', true);
const cookieOf = async (email: string): Promise<string> => (await stall.signIn(email)).Cookie;
const cookies = {
  stranger: undefined,
  member: await cookieOf('member@example.org'),
  holder: await cookieOf('holder@example.org'),
  owner: await cookieOf('owner@example.org'),
};
type Who = keyof typeof cookies;

const openAs = (open: OpenPage, who: Who, look: Parameters<OpenPage>[1] = {}): Promise<Page> =>
  open(stall.url, { ...look, ...(cookies[who] === undefined ? {} : { cookie: cookies[who] }) });

const menuOf = (page: Page) => page.locator('summary').getByText('Menu', { exact: true });

describe('the menu', () => {
  testPages.each<[Who, boolean, string[]]>([
    ['stranger', true, ['Books & skills', 'Sign in']],
    ['stranger', false, ['Books & skills', 'Sign in']],
    ['member', true, ['Books & skills', 'Library', 'Account']],
    ['owner', false, ['Books & skills', 'Library', 'Account', 'Office']],
  ])(
    'of a phone is one button for the %s (script: %p), and opens by the keyboard',
    withPages(async (open, who, javaScript, names) => {
      const page = await openAs(open, who, { width: 'phone', javaScript });
      await page.goto('/?kind=book');
      const links = page.locator('.menu').getByRole('link');
      expect(await links.count()).toBe(0);
      await page.keyboard.press('Tab');
      for (let n = 0; n < 2; n++) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await links.allInnerTexts()).toEqual(names);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${stall.url}/`);
      await page.waitForLoadState('load');
      if (javaScript) {
        await menuOf(page).click();
        expect(await faultsOf(page)).toEqual([]);
      }
    }),
  );

  testPages.each([true, false])(
    'of the office is one fold in groups on a phone, no taller than a screen (script: %p)',
    withPages(async (open, javaScript) => {
      const page = await openAs(open, 'owner', { width: 'phone', javaScript });
      await page.goto('/admin/accounts');
      const pages = page.getByRole('navigation', { name: 'Office' });
      expect(await pages.getByRole('link').count()).toBe(0);
      await pages.getByText('Office: Accounts').click();
      expect(await pages.locator('p').allInnerTexts()).toEqual(['Shop', 'Readers', 'Log']);
      const { height = 0 } = (await pages.boundingBox()) ?? {};
      expect(height).toBeLessThan(page.viewportSize()!.height);
      if (javaScript) expect(await faultsOf(page)).toEqual([]);
      await pages.getByRole('link', { name: 'Audit log' }).click();
      await page.waitForURL('**/admin/audit');
    }),
  );

  testPages(
    'is a row of links on a desktop, without a button',
    withPages(async (open) => {
      const page = await openAs(open, 'owner', { javaScript: false });
      await page.goto('/admin');
      expect(await menuOf(page).isVisible()).toBe(false);
      expect(await page.getByRole('link', { name: 'Library' }).isVisible()).toBe(true);
      expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(1);
      await page.getByRole('button', { name: 'Sign out' }).focus();
    }),
  );
});

describe('the box of an item', () => {
  testPages.each<[string, Who, string[]]>([
    ['/books/sale', 'stranger', ['Buy for $29', 'Read a sample']],
    ['/books/sale', 'member', ['Buy for $29', 'Read a sample']],
    ['/books/sale', 'holder', ['Read', 'Download EPUB', 'Ask', 'Print']],
    ['/books/free', 'stranger', ['Read', 'Download EPUB', 'Ask', 'Print']],
    ['/skills/paid', 'stranger', ['Buy for $9']],
    ['/skills/paid', 'holder', ['Download as zip', 'Read']],
    ['/skills/gift', 'stranger', ['Get it free', 'Read']],
  ])(
    'on %s has for the %s the buttons %j on the first screen',
    withPages(async (open, path, who, names) => {
      for (const look of [{ width: 'phone' }, { width: 'desktop', theme: 'dark' }] as const) {
        const page = await openAs(open, who, look);
        await page.goto(path);
        const buttons = page.locator('.side .button:not(.offline-button *)');
        expect(await buttons.allInnerTexts()).toEqual(names);
        const box = await buttons.first().boundingBox();
        expect(box!.y + box!.height).toBeLessThan(page.viewportSize()!.height);
        expect(await page.locator('.side').getByText('$').count()).toBe(
          who === 'holder' ? 0 : names[0]!.startsWith('Buy') ? 2 : 0,
        );
        if (look.width === 'phone') expect(await faultsOf(page)).toEqual([]);
      }
    }),
  );

  testPages.each(['phone', 'desktop'] as const)(
    'stays in sight on a %s while one reads on, moves nothing and covers no focus',
    withPages(async (open, width) => {
      const page = await openAs(open, 'stranger', { width, javaScript: false });
      await page.goto('/books/sale');
      const first = page.locator('.side .button').first();
      const last = page.locator('.item-files summary');
      await last.click();
      await last.focus();
      const before = await page.evaluate('document.documentElement.scrollHeight');
      for (const link of [page.locator('.item-files code').last(), page.locator('.chapters a').first()]) {
        await link.evaluate((one) => {
          one.setAttribute('tabindex', '0');
          one.focus();
        });
        const [bar, focused] = [await first.boundingBox(), await link.boundingBox()];
        expect(bar!.y).toBeGreaterThanOrEqual(0);
        expect(bar!.y + bar!.height).toBeLessThan(page.viewportSize()!.height);
        expect(focused!.y).toBeGreaterThanOrEqual(width === 'phone' ? bar!.y + bar!.height : 0);
      }
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(before);
    }),
  );

  testPages(
    'leads a holder into the book, and a stranger from the sample to the price',
    withPages(async (open) => {
      const holder = await openAs(open, 'holder', { width: 'phone', javaScript: false });
      await holder.goto('/books/sale');
      await holder.getByRole('link', { name: 'Read', exact: true }).click();
      await holder.getByRole('link', { name: /Two/ }).last().click();
      await holder.getByText('More.').waitFor();
      const stranger = await openAs(open, 'stranger', { width: 'phone', javaScript: false });
      await stranger.goto('/books/sale');
      await stranger.getByRole('link', { name: 'Read a sample' }).click();
      await stranger.getByText('The tide comes in.').first().waitFor();
      await stranger.getByRole('link', { name: /Two/ }).last().click();
      await stranger.getByRole('link', { name: 'Buy for $29' }).waitFor();
    }),
  );
});

describe('words of every script', () => {
  const LOOK = `[...document.querySelectorAll('.reading em, .reading blockquote, .reading i')]
    .map((element) => getComputedStyle(element).fontStyle)`;
  testPages.each(Object.keys(WORDS))(
    'in %s are no wider than 320 pixels, in their direction, and upright if they have no italics',
    withPages(async (open, slug) => {
      const [language] = WORDS[slug]!;
      const page = await openAs(open, 'stranger', { width: 'phone' });
      await page.setViewportSize({ width: 320, height: 640 });
      for (const path of ['/', `/?language=${language}`, `/books/${slug}`, `/books/${slug}/read/01.md`]) {
        await page.goto(path);
        expect({ path, width: await page.evaluate('document.documentElement.scrollWidth') }).toEqual({
          path,
          width: 320,
        });
        if (!path.startsWith('/books/')) continue;
        const title = page.locator('main h1').first();
        const isRtl = ['ar', 'he'].includes(language);
        expect(
          await title.evaluate((h1) => [
            h1.closest('[lang]')?.getAttribute('lang'),
            h1.matches(':dir(rtl)') ? 'rtl' : 'ltr',
          ]),
        ).toEqual([language, isRtl ? 'rtl' : 'ltr']);
        const styles = await page.evaluate<string[]>(LOOK);
        expect(styles.length).toBeGreaterThan(0);
        if (CJK.includes(slug)) expect(new Set(styles)).toEqual(new Set(['normal']));
      }
    }),
  );
});

describe('the window', () => {
  testPages(
    'cuts a title at three lines, on a phone at six, and shows its first item with its button on the first screen of a phone',
    withPages(async (open) => {
      const longest = async (page: Awaited<ReturnType<typeof openAs>>): Promise<number> => {
        await page.goto('/');
        const lines = await page.evaluate<
          number[]
        >(`[...document.querySelectorAll('.card :is(h2, h3)')].map((title) =>
          Math.round((title.clientHeight - 6) / parseFloat(getComputedStyle(title).lineHeight)))`);
        return Math.max(...lines);
      };
      expect(await longest(await openAs(open, 'stranger', { width: 'desktop' }))).toBe(3);
      const page = await openAs(open, 'stranger', { width: 'phone' });
      expect(await longest(page)).toBe(6);
      const button = await page.locator('.lead-item .button').first().boundingBox();
      expect(button!.y + button!.height).toBeLessThan(page.viewportSize()!.height);
    }),
  );

  testPages(
    'and all pages have lining figures',
    withPages(async (open) => {
      const page = await openAs(open, 'stranger');
      for (const [path, selector, figures] of [
        ['/', '.card .price', 'lining-nums'],
        ['/books/sale', '.side .price', 'lining-nums'],
        ['/books/sale', '.description', 'lining-nums'],
        ['/books/sale', '.facts dd', 'lining-nums tabular-nums'],
        ['/books/sale/read/01.md', '.reader .reading', 'lining-nums'],
      ] as const) {
        await page.goto(path);
        const style = `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).fontVariantNumeric`;
        expect([path, selector, await page.evaluate(style)]).toEqual([path, selector, figures]);
      }
    }),
  );

  testPages(
    'keeps its order from page to page and in a search, without a script',
    withPages(async (open) => {
      const page = await openAs(open, 'stranger', { width: 'phone', javaScript: false });
      await page.goto('/');
      expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
        'Marsh and tide',
        'Featured',
        'Books',
        'Skills',
      ]);
      await page.getByRole('link', { name: 'Newest first' }).click();
      await page.getByRole('link', { name: 'Next' }).click();
      await page.waitForURL('**/?sort=newest&page=2');
      await page.getByLabel('Search', { exact: true }).fill('number');
      await page.getByRole('button', { name: 'Search' }).click();
      expect(new URL(page.url()).searchParams.get('sort')).toBe('newest');
      expect(await page.getByRole('link', { name: 'Newest first' }).getAttribute('aria-current')).toBe(
        'true',
      );
    }),
  );
});
