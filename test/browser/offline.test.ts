import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { itemYaml, openStall, PASSWORD, until, writeFiles } from '../helpers/harness.ts';
import { type OpenPage, problemsOf, testPages } from './chromium.ts';
import { faultsOf } from './page-rules.ts';

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const book = (slug: string, price: number) => ({
  [`books/${slug}/item.yaml`]: itemYaml({ id: slug, title: `The ${slug}`, unitAmountCents: price }),
  [`books/${slug}/1.md`]:
    '# Morning\n\nMist lies on the water.\n\n![A heron](heron.png)\n\nNobody has seen it yet.\n',
  [`books/${slug}/2.md`]: `# Noon\n\n${`${'The heron stands on one leg, since both would be cold. '.repeat(20)}\n\n`.repeat(1000)}`,
  [`books/${slug}/3.md`]: '# Evening\n\nThe heron flies home.\n',
  [`books/${slug}/heron.png`]: PICTURE,
});

/** A book of 5 MB of text in 60 chapters. */
const SENTENCE = 'The tide comes in twice a day, and the samphire stands in it to the knee. ';
const LARGE = {
  'books/large/item.yaml': itemYaml({ id: 'large', title: 'The large', unitAmountCents: 1900 }),
  ...Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [
      `books/large/${String(n).padStart(2, '0')}.md`,
      `# Chapter ${n}\n\n${`${SENTENCE.repeat(5)}\n\n`.repeat(225)}`,
    ]),
  ),
};

/** A stall, and a door before it that can be shut, and that can give another service worker. */
async function openBehindDoor() {
  let target = '';
  let worker: string | null = null;
  const fetchBehind = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    if (pathname === '/offline.js' && worker !== null)
      return new Response(worker, {
        headers: { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-cache' },
      });
    const { method, headers } = request;
    const body = method === 'POST' ? await request.text() : null;
    return fetch(`${target}${pathname}${search}`, {
      method,
      headers,
      body,
      redirect: 'manual',
      decompress: false,
    });
  };
  const serve = (port: number) => Bun.serve({ port, hostname: '127.0.0.1', fetch: fetchBehind });
  let door = serve(0);
  const { port = 0 } = door;
  const url = `http://127.0.0.1:${port}`;
  const stall = await openStall({
    files: { ...book('marsh', 1900), ...book('free', 0), ...LARGE },
    config: { baseUrl: url },
  });
  target = stall.app.localOrigin;
  return {
    stall,
    url,
    shut: () => void door.stop(true),
    reopen: async () => {
      await door.stop(true);
      door = serve(port);
    },
    setWorker: (text: string | null) => (worker = text),
  };
}

type Behind = Awaited<ReturnType<typeof openBehindDoor>>;

async function signIn(page: Page, email: string, next = '/dashboard'): Promise<void> {
  await page.goto(`/sign-in?next=${next}`);
  await page.fill('[name="email"]', email);
  await page.fill('[name="password"]', PASSWORD);
  await page.click('main form button:not([type="button"])');
  await page.waitForURL(({ pathname }) => pathname === next);
}

async function openAs(
  open: OpenPage,
  { stall, url }: Pick<Behind, 'stall' | 'url'>,
  email: string,
  ...slugs: string[]
) {
  await stall.reader(email, ...slugs);
  await stall.signIn(email);
  const page = await open(url);
  await signIn(page, email);
  return page;
}

const keep = async (page: Page, slug: string): Promise<void> => {
  await page.goto(`/books/${slug}`);
  await page.click('.offline-button button');
  await page.getByText('Kept on this device.').waitFor();
};
/** Runs a body with pages, in which only what was asked while the door was shut may fail. */
const testOffline = (name: string, body: (open: OpenPage, behind: Behind) => Promise<void>) =>
  testPages(name, async () => {
    const behind = await openBehindDoor();
    const problems = await problemsOf((open) => body(open, behind)).finally(behind.shut);
    expect(
      problems.filter(
        (one) =>
          !/net::ERR_(?:CONNECTION_REFUSED|INTERNET_DISCONNECTED|FAILED)|: 40[139]$|cannot be reached/.test(
            one,
          ),
      ),
    ).toEqual([]);
  });

const textOf = (page: Page): Promise<string | null> => page.locator('main').textContent();
const keptIn = (page: Page): Promise<readonly string[]> =>
  page.evaluate('caches.keys().then((names) => names.filter((name) => name.startsWith("kept ")))');

testOffline(
  'a kept book opens whole with the server stopped, and in the browser’s own offline mode',
  async (open, { stall, url, shut }) => {
    const page = await openAs(open, { stall, url }, 'ada@example.org', 'marsh');
    await page.goto('/books/marsh/read/3.md');
    await keep(page, 'marsh');
    expect(
      await page.locator('.offline-button :is(button, progress)').filter({ visible: true }).count(),
    ).toBe(0);
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await faultsOf(page)).toEqual([]);
    }
    // Keeping does not move the reader's place.
    await page.goto('/books/marsh/read');
    expect(page.url()).toEndWith('/read/3.md');
    await page.context().setOffline(true);
    await page.goto('/books/marsh/read/1.md');
    expect(await textOf(page)).toContain('Mist');
    await page.context().setOffline(false);
    shut();
    for (const path of ['1.md', '3.md', '1.md', '3.md', '2.md']) {
      await page.goto(`/books/marsh/read/${path}`, { waitUntil: 'load' });
    }
    await page.goto('/books/marsh/read/1.md');
    await until(
      async () => (await page.evaluate('document.querySelector(".reading img").naturalWidth')) === 1,
    );
    expect(await page.evaluate('document.fonts.check("16px Literata Variable")')).toBe(true);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'Noon' }).waitFor();
    // A long text has parts.
    await page.click('a[rel="next"]');
    await page.waitForURL('**/2.md?part=2');
    await page.goto('/books/marsh/read');
    expect(page.url()).toContain('/2.md?part=2');
    await page.goto('/books/marsh/search?q=heron');
    await page.getByRole('heading', { name: 'Kept for offline' }).waitFor();
    await page.getByRole('link', { name: 'The marsh' }).click();
    await page.waitForURL('**/2.md?part=2');
    await page.goto('/offline');
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await faultsOf(page)).toEqual([]);
    }
    await page.getByRole('button', { name: 'Remove from this device: The marsh' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('This device keeps no book.').waitFor();
    expect(await keptIn(page)).toEqual([]);
  },
);

testOffline(
  'what is kept goes at sign-out, with another account, and with the right to read',
  async (open, { stall, url, shut, reopen }) => {
    const page = await openAs(open, { stall, url }, 'ada@example.org', 'marsh');
    await stall.reader('bob@example.org');
    await stall.signIn('bob@example.org');
    await keep(page, 'marsh');
    await page.click('form.visitor button');
    await page.waitForURL('**/');
    expect(await keptIn(page)).toEqual([]);
    // A session that ended deletes nothing.
    await signIn(page, 'ada@example.org');
    await keep(page, 'marsh');
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.goto('/books/marsh/read/1.md');
    expect(await textOf(page)).not.toContain('Mist');
    await page.goto('/offline');
    await page.getByRole('link', { name: 'The marsh' }).waitFor();
    expect(await keptIn(page)).toHaveLength(1);
    // While somebody signs in nothing is shown; then the next account's first page deletes it.
    await signIn(page, 'bob@example.org', '/books/marsh/read/1.md');
    expect(await textOf(page)).not.toContain('Mist');
    await until(async () => (await keptIn(page)).length === 0);
    shut();
    await expect(page.goto('/books/marsh/read/1.md')).rejects.toThrow('ERR_CONNECTION_REFUSED');
    await page.waitForURL('chrome-error://chromewebdata/');
    await reopen();
    await page.context().clearCookies();
    await page.context().addCookies(cookies);
    await keep(page, 'marsh');
    shut();
    await page.goto('/books/marsh/read/1.md');
    expect(await textOf(page)).toContain('Mist');
    await stall.app.admin.grants.revoke('ada@example.org', 'marsh', null);
    await page.goto('/books/marsh/read/1.md');
    expect(await textOf(page)).toContain('Mist');
    await reopen();
    // Any page of the stall is a contact.
    await page.goto('/dashboard');
    await until(async () => (await keptIn(page)).length === 0);
    await page.goto('/books/marsh/read/1.md');
    expect(await textOf(page)).not.toContain('Mist');
  },
);

testOffline('without room nothing is kept, and nothing half kept is shown', async (open, { stall, url }) => {
  const page = await openAs(open, { stall, url }, 'ada@example.org', 'marsh');
  const line = await page.context().newCDPSession(page);
  await line.send('Storage.overrideQuotaForOrigin', { origin: url, quotaSize: 1_500_000 });
  await page.goto('/books/marsh');
  await page.click('.offline-button button');
  await page.getByText('This device has too little room for the book. Nothing was kept.').waitFor();
  expect(await keptIn(page)).toEqual([]);
  await page.goto('/offline');
  await page.getByText('This device keeps no book.').waitFor();
  await line.send('Storage.overrideQuotaForOrigin', { origin: url });
  await keep(page, 'marsh');
  await page.goto('/books/marsh/read/3.md');
  // A kept page opens also on a disk that is full by now.
  await line.send('Storage.overrideQuotaForOrigin', { origin: url, quotaSize: 1000 });
  await page.context().setOffline(true);
  await page.goto('/books/marsh/read/1.md');
  expect(await textOf(page)).toContain('Mist');
});

testOffline(
  'an earlier service worker is replaced by the next one',
  async (open, { stall, url, setWorker }) => {
    setWorker(
      "self.oninstall = () => self.skipWaiting(); self.onfetch = (e) => e.respondWith(new Response('earlier'));",
    );
    const page = await openAs(open, { stall, url }, 'ada@example.org', 'marsh');
    await keep(page, 'marsh');
    await page.goto('/books/marsh/read/1.md');
    expect(await page.locator('body').textContent()).toBe('earlier');
    setWorker(null);
    await until(async () => {
      // Chromium looks for an update a second after the last navigation.
      await Bun.sleep(2000);
      await page.goto('/books/marsh/read/1.md');
      return (await page.locator('.reading').count()) === 1;
    });
  },
);

testOffline(
  'a new edition is in the kept book after the next contact',
  async (open, { stall, url, shut }) => {
    const page = await openAs(open, { stall, url }, 'ada@example.org', 'marsh');
    await keep(page, 'marsh');
    const [before] = await keptIn(page);
    writeFiles(stall.content, { 'books/marsh/3.md': '# Evening\n\nThe stork flies home.\n' });
    await stall.app.publish();
    await page.goto('/books/marsh/read/1.md');
    await until(async () => {
      const kept = await keptIn(page);
      return kept.length === 1 && kept[0] !== before;
    });
    shut();
    await page.goto('/books/marsh/read/3.md');
    expect(await textOf(page)).toContain('stork');
  },
);

testOffline(
  'a free book is kept without an account, and then is the account’s',
  async (open, { stall, url, shut }) => {
    await stall.reader('ada@example.org');
    await stall.signIn('ada@example.org');
    const page = await open(url);
    await keep(page, 'free');
    await signIn(page, 'ada@example.org');
    await until(async () => /^kept \w+ free /.test((await keptIn(page)).join()));
    shut();
    await page.goto('/books/free/read/1.md');
    expect(await page.locator('form.visitor span').textContent()).toBe('ada@example.org');
    // After 30 days without contact it is gone.
    await page.evaluate(`caches.keys().then(async ([name]) => {
      const cache = await caches.open(name);
      const list = await (await cache.match('/offline/list')).json();
      await cache.put('/offline/list', Response.json({ ...list, reachedAt: Date.now() - 30 * 24 * 60 * 60 * 1000 }));
    })`);
    await expect(page.goto('/books/free/read/1.md')).rejects.toThrow('net::ERR_');
    // The browser's own page of the error is still on its way.
    await page.close();
  },
);

testOffline('a book of 5 MB of text takes at most 12 MB', async (open, { stall, url }) => {
  const page = await openAs(open, { stall, url }, 'ada@example.org', 'large');
  await page.goto('/books/large');
  await page.getByRole('button', { name: 'Keep for offline (about 8.2 MB)' }).waitFor();
  await keep(page, 'large');
  const { usage } = await page.evaluate<{ usage: number }>('navigator.storage.estimate()');
  expect(usage).toBeWithin(5_000_000, 12_000_000);
});

/** Selects words of a text and presses a button of the toolbar that appears. */
async function mark(page: Page, words: string, button: string): Promise<void> {
  await page.evaluate(
    `(() => {
      const walker = document.createTreeWalker(document.querySelector('.reading'), NodeFilter.SHOW_TEXT);
      while (!walker.nextNode().data.includes(${JSON.stringify(words)}));
      const { currentNode: node } = walker;
      const at = node.data.indexOf(${JSON.stringify(words)});
      getSelection().setBaseAndExtent(node, at, node, at + ${words.length});
    })()`,
  );
  await page.getByRole('button', { name: button, exact: true }).click();
}

/** Keeps a book, shuts the door to the stall, and marks words of a chapter. */
async function noteOffline(page: Page, shut: () => void): Promise<void> {
  await keep(page, 'marsh');
  await page.goto('/books/marsh/read/3.md');
  shut();
  await page.goto('/books/marsh/read/3.md');
  await mark(page, 'heron flies', 'Highlight');
  await page.getByText('Kept on this device, and sent when there is a network:').waitFor();
}

testOffline(
  'notes made without a network are sent once, also into the next edition',
  async (open, { stall, url, shut, reopen }) => {
    const page = await openAs(open, { stall, url }, 'ada@example.org', 'marsh');
    await noteOffline(page, shut);
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.locator('.unsent q').allTextContents()).toEqual(['heron flies']);
    const paper = 'getComputedStyle(document.querySelector(".unsent")).backgroundColor';
    expect(await page.evaluate(paper)).not.toBe('rgba(0, 0, 0, 0)');
    await mark(page, 'home', 'Highlight');
    await page.goto('/books/marsh/read/1.md');
    await mark(page, 'Mist lies on the water.', 'Highlight');
    writeFiles(stall.content, {
      'books/marsh/3.md': '# Evening\n\nAt last the heron flies over the marsh.\n',
    });
    await stall.app.publish();
    await reopen();
    await page.goto('/books/marsh/read/1.md');
    await until(async () => (await page.evaluate('Object.keys(localStorage).length')) === 0);
    await page.goto('/books/marsh/notes');
    const notes = await page.locator('.note-words').allTextContents();
    expect(notes.toSorted()).toEqual(
      ['Mist lies on the water.', 'heron flies', 'home'].map((one) => expect.stringContaining(one)),
    );
    // A note that is sent from its own page is marked there. What the stall knows of it waits for a network.
    await page.goto('/books/marsh/read/1.md');
    const marks = page.locator('.reading [data-note]');
    expect(await marks.allTextContents()).toEqual(['Mist lies on the water.']);
    shut();
    await mark(page, 'Nobody', 'Highlight');
    await page.locator('.unsent').waitFor();
    await reopen();
    await page.evaluate('void dispatchEvent(new Event("online"))');
    await page.locator('.unsent').waitFor({ state: 'detached' });
    expect(await marks.allTextContents()).toEqual(['Mist lies on the water.', 'Nobody']);
    shut();
    const said = page.waitForEvent('dialog');
    await marks.last().click();
    expect((await said).message()).toBe('The stall cannot be reached now. Nothing was changed.');
  },
);

/** Scrolls to a paragraph of the long chapter, and leaves by a page. */
async function leaveAt(page: Page, block: number, next: string): Promise<void> {
  await page.goto('/books/marsh/read/2.md');
  await page.evaluate(`document.querySelector('.reading').children[${block}].scrollIntoView()`);
  await page.waitForTimeout(100);
  await page.goto(next);
}
const blockAt = (page: Page): Promise<number> =>
  page.evaluate(`[...document.querySelector('.reading').children].filter((one) => !one.matches('.pencil, [popover]'))
    .findIndex((block) => block.getBoundingClientRect().bottom > 24)`);

testOffline(
  'the place at which one leaves a kept book is sent, and later if there was no network',
  async (open, { stall, url, shut, reopen }) => {
    const page = await openAs(open, { stall, url }, 'ada@example.org', 'marsh');
    await keep(page, 'marsh');
    await leaveAt(page, 7, '/dashboard');
    await page.goto('/books/marsh/read');
    expect([new URL(page.url()).pathname, await blockAt(page)]).toEqual(['/books/marsh/read/2.md', 7]);
    shut();
    await leaveAt(page, 12, '/offline');
    await page.goto('/books/marsh/read');
    expect([new URL(page.url()).pathname, await blockAt(page)]).toEqual(['/books/marsh/read/2.md', 12]);
    await page.goto('/offline');
    await reopen();
    await page.goto('/books/marsh/read');
    expect([new URL(page.url()).pathname, await blockAt(page)]).toEqual(['/books/marsh/read/2.md', 12]);
    // Another device goes on there as soon as any page of the stall was opened here, whatever notes are sent meanwhile.
    const { Cookie } = await stall.signIn('ada@example.org');
    shut();
    await page.goto('/books/marsh/read/3.md');
    await mark(page, 'home', 'Highlight');
    await leaveAt(page, 20, '/offline');
    await reopen();
    await page.goto('/dashboard');
    await until(async () => (await page.evaluate('Object.keys(localStorage).length')) === 0);
    await until(async () => {
      const { headers } = await stall.fetch('/books/marsh/read', { headers: { Cookie }, redirect: 'manual' });
      return headers.get('location')?.includes('/2.md#at:20') === true;
    });
  },
);

testOffline(
  'a note made without a network stays its reader’s when somebody else signs in, and waits behind a proxy’s page',
  async (open, { stall, url, shut, reopen }) => {
    const page = await openAs(open, { stall, url }, 'ada@example.org', 'marsh');
    await noteOffline(page, shut);
    await stall.reader('bob@example.org', 'marsh');
    const { Cookie } = await stall.signIn('bob@example.org');
    const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(Cookie) ?? [];
    await page.context().addCookies([{ name, value, url }]);
    await reopen();
    const unsent = (): Promise<number> => page.evaluate('Object.keys(localStorage).length');
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.evaluate('void dispatchEvent(new Event("online"))');
    expect([(await answered).status(), await unsent()]).toEqual([409, 1]);
    await page.route('**/notes', (route) => route.fulfill({ contentType: 'text/html', body: '<p>Welcome' }));
    const other = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.evaluate('void dispatchEvent(new Event("online"))');
    expect([(await other).status(), await unsent()]).toEqual([200, 1]);
    const notes = await stall.fetch('/books/marsh/notes', { headers: { Cookie } });
    expect(await notes.text()).not.toContain('note-words');
    // A reader who does not sign out after all can do so later.
    for (const [answer, left] of [
      [false, 1],
      [true, 0],
    ] as const) {
      await page.evaluate(`void (confirm = () => ${answer})`);
      await page.click('form.visitor button');
      await until(async () => (await unsent()) === left);
    }
  },
);
