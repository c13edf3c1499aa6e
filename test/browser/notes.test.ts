import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import type { Note } from '../../src/reading/note.ts';
import { itemYaml, openStall } from '../helpers/harness.ts';
import { type OpenPage, testPages, type Width, withPages } from './chromium.ts';
import { faultsOf } from './page-rules.ts';

const FILLER = 'A paragraph about the marsh and its mist, in which nothing happens.\n\n';
const CHAPTER = `# Standing

The *grey* heron stands on **one** leg, as "herons" do[^1] & the [other](02.md) stays warm.

\`\`\`js
const legs = 1;
const warm = legs < 2;
\`\`\`

- Frogs know it.
- Fish do not.

| Bird | Legs |
| - | - |
| Heron | one |

[^1]: Storks do it too.

${FILLER.repeat(40)}The very last words of it.
`;
const stall = await openStall({
  files: {
    'books/marsh/item.yaml': itemYaml({ id: 'marsh', title: 'The marsh' }),
    'books/marsh/01.md': CHAPTER,
    'books/marsh/02.md': '# 鷺\n\n灰色の鷺は一本足で立つ。水が冷たいから。\n',
    'books/marsh/03.md': `# Mist\n\n${FILLER.repeat(16_000)}The end is nigh.\n`,
    'books/left/item.yaml': itemYaml({ id: 'left', title: 'يسار', language: 'ar' }),
    'books/left/01.md': '# واحد\n\nيقف مالك الحزين على ساق واحدة لأن الماء بارد.\n',
  },
});
let readers = 0;

/** A page of a new reader, with what they kept in a book. */
async function openReader(open: OpenPage, width: Width = 'desktop', book = 'marsh') {
  const email = `reader-${readers++}@example.org`;
  const { headers } = await stall.reader(email);
  const { Cookie: cookie } = await stall.signIn(email);
  const page = await open(stall.url, { width, cookie });
  page.setDefaultTimeout(20_000);
  const list = async () =>
    ((await (await stall.fetch(`/api/books/${book}/notes`, { headers })).json()) as { notes: Note[] }).notes;
  return { page, cookie, list, headers };
}

/** Selects what a page shows from one word to the end of another, and gives the words. */
const SELECT = `([first, last]) => {
  const text = document.querySelector('.reading');
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let isOpen = false;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!isOpen && node.data.includes(first)) {
      range.setStart(node, node.data.indexOf(first));
      isOpen = true;
    }
    if (!isOpen || !node.data.includes(last)) continue;
    range.setEnd(node, node.data.indexOf(last) + last.length);
    break;
  }
  range.startContainer.parentElement.scrollIntoView({ block: 'center' });
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  return range.toString();
}`;

async function select(page: Page, first: string, last = first): Promise<string> {
  await page.evaluate('getSelection().removeAllRanges()');
  await page.getByRole('toolbar').waitFor({ state: 'hidden' });
  const words = await page.evaluate<string>(`(${SELECT})(${JSON.stringify([first, last])})`);
  await page.getByRole('toolbar', { name: 'Selected words' }).waitFor();
  return words;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const marked = async (page: Page): Promise<string> =>
  (await page.locator('mark[data-note]').allTextContents()).join('');
const plain = (text: string): string => text.replace(/\s+/g, '');

/** The selection, the toolbar and the window, in pixels. */
const BOXES = `(() => {
  const box = ({ top, bottom, left, right }) => ({ top, bottom, left, right });
  return {
    words: box(getSelection().getRangeAt(0).getBoundingClientRect()),
    tools: box(document.querySelector('.pencil').getBoundingClientRect()),
    width: document.documentElement.clientWidth,
    height: innerHeight,
  };
})()`;

type Box = Readonly<Record<'top' | 'bottom' | 'left' | 'right', number>>;

async function expectBeside(page: Page): Promise<void> {
  const { words, tools, width, height } = await page.evaluate<{
    words: Box;
    tools: Box;
    width: number;
    height: number;
  }>(BOXES);
  expect(tools.top >= words.bottom || tools.bottom <= words.top).toBe(true);
  expect([tools.left >= 0, tools.top >= 0, tools.right <= width, tools.bottom <= height]).toEqual(
    Array(4).fill(true),
  );
}

testPages(
  'words are selected with a mouse and kept; a note is written beside them, changed and deleted',
  withPages(async (open) => {
    const { page, list } = await openReader(open);
    await page.goto('/books/marsh/read/01.md');
    const {
      x = 0,
      y = 0,
      width = 0,
      height = 0,
    } = (await page.getByText('Frogs know it.').boundingBox()) ?? {};
    await page.mouse.move(x + 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width - 1, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await page.getByRole('toolbar').waitFor();
    await expectBeside(page);
    await press(page, 'Note');
    await page.getByLabel('Your note').fill('Do they?\nI <b>doubt</b> it.');
    await press(page, 'Save');
    await page.locator('.reading form[popover]').waitFor({ state: 'detached' });
    const [note] = await list();
    expect(note).toMatchObject({ text: 'Do they?\nI <b>doubt</b> it.', state: 'here' });
    expect('Frogs know it.').toContain(note!.exact);
    await page.getByRole('link', { name: '1 note in this chapter' }).waitFor();
    expect(await page.locator('mark[data-written]').count()).toBe(1);
    await page.locator('mark[data-note]').first().click();
    expect(await page.getByLabel('Your note').inputValue()).toBe('Do they?\nI <b>doubt</b> it.');
    await page.getByLabel('Your note').fill('They do.');
    await press(page, 'Save');
    await page.locator('.reading form[popover]').waitFor({ state: 'detached' });
    expect(await list()).toMatchObject([{ text: 'They do.' }]);
    await page.locator('mark[data-note]').first().click();
    await press(page, 'Send to the author');
    await page.getByText('You sent this to the author').waitFor();
    expect(await page.getByRole('link', { name: '1 note in this chapter' }).count()).toBe(1);
    await press(page, 'Delete');
    await page.locator('mark[data-note]').waitFor({ state: 'detached' });
    expect(page.asked).toEqual(['Delete this note with what you wrote?']);
    expect(await list()).toEqual([]);
    expect(await page.getByText('in this chapter').count()).toBe(0);
  }),
);

testPages.each([
  [
    'over emphasis and a link',
    'grey',
    'stays',
    'grey* heron stands on **one** leg, as "herons" do[^1] & the [other](02.md) stays',
  ],
  ['from prose into code', 'other', 'const', null],
  ['within code', 'legs', 'warm', 'legs = 1;\nconst warm'],
  ['with an entity in it', 'as "herons', ' & the', null],
  ['over two items of a list', 'know', 'Fish', 'know it.\n- Fish'],
  ['over cells of a table', 'Heron', 'one', null],
  ['of a footnote', 'Storks', 'too', 'Storks do it too'],
  ['at the very end', 'very last', 'it.', 'very last words of it.'],
] as const)(
  'a selection %s is kept as it is shown, and drawn again',
  withPages(async (open, _, first, last, exact) => {
    const { page, list } = await openReader(open);
    await page.goto('/books/marsh/read/01.md');
    const words = await select(page, first, last);
    await press(page, 'Highlight');
    await page.locator('[data-note]').first().waitFor();
    const [note] = await list();
    if (exact !== null) expect(note!.exact).toBe(exact);
    expect(CHAPTER.slice(note!.start, note!.end)).toBe(note!.exact);
    const shown = await marked(page);
    expect(await page.locator('[data-written]').count()).toBe(0);
    // Words without a place of their own in the source are framed with the words around them.
    if (shown === '') expect(await page.locator('div.marked[data-note]').count()).toBe(1);
    else
      expect(plain(shown)).toBe(plain(words).replaceAll(/Copy|do1/g, (said) => (said === 'do1' ? 'do' : '')));
    await page.reload();
    expect(await marked(page)).toBe(shown);
    expect(await page.locator('.code button').count()).toBe(1);
  }),
);

testPages(
  'words of scripts without spaces, of scripts from the right, and of a later part of a long text are kept',
  withPages(async (open) => {
    const { page, list } = await openReader(open);
    await page.goto('/books/marsh/read/02.md');
    await select(page, '一本足で立つ');
    await press(page, 'Highlight');
    await page.locator('mark[data-note]').waitFor();
    await page.goto('/books/marsh/read/03.md?part=2');
    await select(page, 'end is nigh');
    await press(page, 'Highlight');
    await page.locator('mark[data-note]').waitFor();
    const notes = await list();
    expect(notes.map(({ exact }) => exact)).toEqual(['一本足で立つ', 'end is nigh']);
    await page.goto(notes[1]!.url);
    expect(await marked(page)).toBe('end is nigh');
    const arabic = await openReader(open, 'phone', 'left');
    await arabic.page.goto('/books/left/read/01.md');
    await select(arabic.page, 'على ساق واحدة');
    await expectBeside(arabic.page);
    await press(arabic.page, 'Highlight');
    await arabic.page.locator('mark[data-note]').waitFor();
    expect((await arabic.list()).map(({ exact }) => exact)).toEqual(['على ساق واحدة']);
  }),
);

testPages(
  'on a phone of 320 pixels the tools stay beside the words, and a finger keeps them',
  withPages(async (open) => {
    const { page, list } = await openReader(open, 'phone');
    await page.setViewportSize({ width: 320, height: 560 });
    await page.goto('/books/marsh/read/01.md');
    for (const [first, last] of [
      ['grey', 'leg'],
      ['nothing happens', 'nothing happens'],
      ['very last', 'it.'],
    ] as const) {
      await select(page, first, last);
      await expectBeside(page);
      expect(await faultsOf(page)).toEqual([]);
    }
    await page.getByRole('button', { name: 'Note', exact: true }).tap();
    await page.getByLabel('Your note').fill('The end.');
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).tap();
    await page.locator('.reading form[popover]').waitFor({ state: 'detached' });
    expect(await list()).toMatchObject([{ exact: 'very last words of it.', text: 'The end.' }]);
  }),
);

testPages(
  'the keyboard alone reaches the tools from the selection, and asks about the words',
  withPages(async (open) => {
    const { page, list } = await openReader(open);
    await page.goto('/books/marsh/read/01.md');
    await page.getByText('Fish do not').click();
    await select(page, 'Fish do not');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('Highlight');
    await page.keyboard.press('Enter');
    await page.locator('mark[data-note]').waitFor();
    expect(await list()).toMatchObject([{ exact: 'Fish do not' }]);
    await select(page, 'Frogs know');
    for (const _ of ['Highlight', 'Note', 'Copy link', 'Ask']) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Add your question about these words.').waitFor();
    expect(await page.getByLabel('Your question').inputValue()).toBe('“Frogs know” ');
  }),
);

testPages(
  'a button that is pressed twice keeps the words once',
  withPages(async (open) => {
    const { page, list } = await openReader(open);
    await page.goto('/books/marsh/read/01.md');
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await select(page, 'Fish do not');
    await page.getByRole('button', { name: 'Highlight', exact: true }).dblclick();
    await page.locator('mark[data-note]').waitFor();
    expect([sent.length, (await list()).length]).toEqual([1, 1]);
  }),
);

testPages(
  'a chapter that is selected as a whole is asked about by its first words',
  withPages(async (open) => {
    const { page } = await openReader(open);
    await page.goto('/books/marsh/read/03.md?part=2');
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('.reading'))`);
    await press(page, 'Ask about this');
    await page.getByText('Add your question about these words.').waitFor();
    expect(await page.getByLabel('Your question').inputValue()).toMatch(/^“[^“”]{990,1000}” $/);
  }),
);

testPages(
  'without JavaScript what was kept is shown, changed and deleted',
  withPages(async (open) => {
    const { cookie, headers, list } = await openReader(open);
    const start = CHAPTER.indexOf('Frogs');
    const place = { path: '01.md', start, end: start + 5, text: 'croak' };
    const json = { ...headers, 'Content-Type': 'application/json' };
    await stall.fetch('/api/books/marsh/notes', {
      method: 'POST',
      headers: json,
      body: JSON.stringify(place),
    });
    const page = await open(stall.url, { javaScript: false, width: 'phone', cookie });
    await page.goto('/books/marsh/read/01.md');
    expect(await marked(page)).toBe('Frogs');
    const footnotes = `getComputedStyle(document.querySelector('[role="doc-endnotes"] ol'))`;
    expect(await page.evaluate(`${footnotes}.listStyleType`)).toBe('decimal');
    await page.getByRole('link', { name: '1 note in this chapter' }).click();
    expect(await page.locator('.kept-notes').textContent()).toContain('croak');
    await page.getByRole('link', { name: 'Edit or delete' }).click();
    await page.getByLabel('Your note').fill('ribbit');
    await press(page, 'Save');
    expect(await marked(page)).toBe('Frogs');
    expect(await list()).toMatchObject([{ text: 'ribbit' }]);
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Your notes' }).click();
    await page.getByRole('link', { name: 'Edit or delete' }).click();
    await press(page, 'Delete');
    expect(await marked(page)).toBe('');
    expect(await list()).toEqual([]);
  }),
);

testPages(
  'a selection outside the text, of our own buttons or of blank space brings no tools',
  withPages(async (open) => {
    const { page } = await openReader(open);
    await page.goto('/books/marsh/read/01.md');
    await page.evaluate(
      `getSelection().selectAllChildren(document.querySelector('footer') ?? document.body)`,
    );
    await Bun.sleep(300);
    expect(await page.getByRole('toolbar').count()).toBe(0);
  }),
);
