import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { LONGEST_HISTORY } from '../../src/asking/ask.ts';
import type { Engine } from '../../src/asking/engines/engine.ts';
import { LONGEST_QUESTION } from '../../src/asking/question-words.rule.ts';
import { type Files, itemYaml, openStall } from '../helpers/harness.ts';

const CHAPTER = '# Herons\n\nThe grey heron stands on one leg because a leg in the water loses warmth.\n';
const paid = { unitAmountCents: 1900, sample: '[]' };
const files = {
  'books/herons/item.yaml': itemYaml({ id: 'herons', title: 'Herons & more', ...paid }),
  'books/herons/one.md': CHAPTER,
  'books/draft/item.yaml': itemYaml({ id: 'draft', status: 'draft' }),
  'books/draft/one.md': CHAPTER,
};
const QUESTION = 'Why does the heron stand on one leg?';

async function openAsking(engine?: Engine, more: Files = {}) {
  const stall = await openStall({
    files: { ...files, ...more },
    ...(engine === undefined ? {} : { engine }),
  });
  await stall.reader('holder@example.org', 'herons');
  await stall.reader('member@example.org');
  await stall.app.admin.accounts.add('owner@example.org', true);
  const owner = await stall.signIn('owner@example.org');
  const holder = await stall.signIn('holder@example.org');
  const member = await stall.signIn('member@example.org');
  const get = (headers: Record<string, string> = holder, slug = 'herons') =>
    stall.fetch(`/books/${slug}/ask`, { redirect: 'manual', headers: { Accept: 'text/html', ...headers } });
  const post = (fields: Record<string, string>, headers: Record<string, string> = holder, slug = 'herons') =>
    stall.fetch(`/books/${slug}/ask`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        Accept: 'text/html',
        Origin: stall.url,
        'Content-Type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      body: new URLSearchParams(fields).toString(),
    });
  const token = async (page?: string) =>
    /name="token" value="([^"]+)"/.exec(page ?? (await (await get()).text()))?.[1] ?? '';
  return { stall, holder, member, owner, get, post, token };
}
const asking = await openAsking();

test('the longest question with the longest history fits its form in any script', async () => {
  const history = JSON.stringify([{ question: '', answer: '😀'.repeat(LONGEST_HISTORY) }]);
  const asked = { question: '😀'.repeat(LONGEST_QUESTION), history, token: await asking.token() };
  const answer = await asking.post(asked);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(asked.question)]);
});

describe('who may ask', () => {
  test.each([
    ['stranger', 303],
    ['member', 403],
    ['holder', 200],
  ] as const)('a %s gets %d', async (who, status) => {
    const headers = who === 'stranger' ? {} : asking[who];
    expect((await asking.get(headers)).status).toBe(status);
    expect((await asking.post({ question: QUESTION, token: 'x' }, headers)).status).toBe(
      status === 303 ? 401 : status,
    );
  });

  test('a draft is not there', async () => {
    expect((await asking.get(asking.holder, 'draft')).status).toBe(404);
  });

  test.each(['herons', 'draft'])('the owner asks %s on its page without a grant', async (slug) => {
    const { owner, get, post, token } = asking;
    const form = await get(owner, slug);
    expect(form.status).toBe(200);
    const answer = await post({ question: QUESTION, token: await token(await form.text()) }, owner, slug);
    expect(await answer.text()).toContain('a leg in the water loses warmth');
  });
});

test('an answer is a page with excerpts, each once, that open their passage marked', async () => {
  const { stall, post, token } = asking;
  const response = await post({ question: QUESTION, token: await token() });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  const page = await response.text();
  expect(page).toEndWith('</body></html>\n');
  expect(page).toContain(`<blockquote class="question">${QUESTION}</blockquote>`);
  expect(page.split('<mark>The grey heron stands on one leg')).toHaveLength(2);
  expect(page).toContain('Found in the book’s own text, no AI involved.');
  expect(page).not.toContain('ngine');
  const address = /href="(\/books\/herons\/read\/one\.md\?mark=[^"]+)"/
    .exec(page)?.[1]
    ?.replaceAll('&amp;', '&');
  const chapter = await (await stall.fetch(address!, { headers: asking.holder })).text();
  expect(chapter).toContain('<mark id="mark">The grey heron stands on one leg');
});

test('the question is in no log and no row; its row has no key and the door of pages', async () => {
  const { stall, post, token } = asking;
  await (await post({ question: 'What is unsayable?', token: await token() })).text();
  expect(JSON.stringify(stall.log)).not.toContain('unsayable');
  using db = new Database(join(stall.data, 'bookstall.db'), { readonly: true });
  const rows = db.query('SELECT * FROM fetch_logs').all();
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toMatchObject({ key_id: null, door: 'page' });
  expect(JSON.stringify(rows)).not.toContain('unsayable');
});

test('a form counts once: sent again it is the form with a word, and the question kept', async () => {
  const { post, token } = asking;
  const one = await token();
  const page = await (await post({ question: QUESTION, token: one })).text();
  const again = await post({ question: QUESTION, token: one });
  expect(again.status).toBe(200);
  const form = await again.text();
  expect(form).toContain('was sent before');
  expect(form).toContain(QUESTION);
  expect(form).not.toContain('id="note-1"');
  // The answer's own form asks again.
  expect(await (await post({ question: QUESTION, token: await token(page) })).text()).toContain(
    'id="note-1"',
  );
});

test.each([
  [{ question: '  ' }, 'Type a question first.'],
  [{ question: 'x'.repeat(8001) }, 'shorten it'],
])('a question like %j is said to be wrong on its form', async (fields, word) => {
  const response = await asking.post({ ...fields, token: await asking.token() });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain(word);
});

test('a chapter’s title that is a question is asked by its button', async () => {
  const { get, post, token } = await openAsking(undefined, { 'books/herons/two.md': '# Why one leg?\n' });
  const form = await (await get()).text();
  expect(form).toContain('value="Why one leg?"');
  expect(form).not.toContain('value="Herons"');
  const page = await (await post({ sample: 'Why one leg?', token: await token(form) })).text();
  expect(page).toContain('<blockquote class="question">Why one leg?</blockquote>');
});

test('questions of questions.yaml are suggested instead, one a chapter', async () => {
  const { get } = await openAsking(undefined, {
    'books/herons/two.md': '# Why does it stand?\n\nSince.\n',
    'books/herons/questions.yaml': 'two.md#why-does-it-stand:\n  - Is it asleep?\n  - Does it rest?\n',
  });
  const form = await (await get()).text();
  expect(Array.from(form.matchAll(/name="sample" value="([^"]+)"/g), ([, value]) => value)).toEqual([
    'Is it asleep?',
  ]);
});

test.each([
  ['# Why does it stand?', 'Why does it stand?'],
  ['# 3.2 Why does it stand?', 'Why does it stand?'],
  ['# 鹭为什么站着？', '鹭为什么站着？'],
  ['# Why?', null],
  ['# Any questions?', null],
  ['# What next?', null],
  ['# Herons', null],
])('a chapter called %j suggests %j', async (chapter, sample) => {
  const { get } = await openAsking(undefined, { 'books/herons/two.md': `${chapter}\n\nSince.\n` });
  const samples = Array.from((await (await get()).text()).matchAll(/name="sample" value="([^"]+)"/g));
  expect(samples.map(([, value]) => value!)).toEqual(sample === null ? [] : [sample]);
});

test('an excerpt is shown as it stands in the book: its code as code, and its words in no tag of their own', async () => {
  const chapter =
    '# Marsh\n\nCall `wait()` in the **cold** marsh, since <b>frogs</b> hide.[^1]\n\n[^1]: Or not.\n\n```js\nfrog.hide(reed); // <b>\n~~~~~~~~~\n```\n';
  const file = 'two.md';
  const cite = (part: string, isCode?: true) => ({
    ...({ type: 'cite', path: file, heading: 'Marsh', quote: part } as const),
    ...{ start: chapter.indexOf(part), end: chapter.indexOf(part) + part.length },
    ...(isCode === undefined ? {} : { isCode }),
  });
  const { stall, holder, post, token } = await openAsking(
    {
      name: 'extractive',
      model: null,
      async *answer() {
        yield { type: 'text', text: 'Doubtful.\n\n', isPlain: true };
        yield { type: 'text', text: 'said twice', isRepeated: true };
        yield cite('Call `wait()` in the **cold** marsh, since <b>frogs</b> hide.[^1]');
        yield { type: 'text', text: 'said twice', isRepeated: true };
        yield cite('frog.hide(reed); // <b>\n~~~~~~~~~', true);
        yield { type: 'end', outcome: 'quoted', inputTokens: 0, outputTokens: 0, truncated: false };
      },
    },
    { [`books/herons/${file}`]: chapter },
  );
  const page = await (await post({ question: 'What hides?', token: await token() })).text();
  expect(page).toContain('<p class="doubtful" lang="en" dir="ltr">The book may not answer this;');
  expect(page).toContain('<code>wait()</code> in the <strong>cold</strong> marsh');
  expect(page).toMatch(/<pre [^>]*><code>frog.hide\(reed\); \/\/ &lt;b&gt;\n~{9}\s*<\/code><\/pre>/);
  expect(page).not.toMatch(/said twice|\[\^1\]|In the book/);
  expect(page.match(/<figure class="excerpt"/g)).toHaveLength(2);
  const log = await (await stall.fetch('/dashboard/logs', { headers: holder })).text();
  expect(log).toContain('>Quoted, but doubtful</span>');
});

test('an excerpt shows no half of a link or a fence', async () => {
  const block = '````smart header="`fox` sleeps"\nThe **fox** sleeps.\n\n```js\nfox();\n```\n````';
  const chapter = `# Foxes\n\n${block}\n\n- In [0, 1) is [the den](two.md)\n`;
  const { post, token } = await openAsking(
    {
      name: 'extractive',
      model: null,
      async *answer() {
        for (const quote of [block, 'In [0, 1) is [the den', 'In [0, 1)']) {
          const start = chapter.indexOf(quote);
          yield { type: 'text', text: 'said twice', isRepeated: true };
          yield { type: 'cite', path: 'two.md', heading: 'Foxes', quote, start, end: start + quote.length };
        }
        yield { type: 'end', outcome: 'quoted', inputTokens: 0, outputTokens: 0, truncated: false };
      },
    },
    { 'books/herons/two.md': chapter },
  );
  const page = await (await post({ question: 'Who sleeps?', token: await token() })).text();
  expect(page).toContain('The <strong>fox</strong> sleeps.');
  expect(page.match(/<pre/g)).toHaveLength(1);
  expect(page).toContain('<p>In [0, 1) is the den</p>');
  expect(page).toContain('<p>In [0, 1)</p>');
  expect(page).not.toMatch(/`{3}|smart header/);
});

test('a question that the book does not cover gets links to its nearest headings', async () => {
  const chapter =
    '# The marsh\n\n## Birds\n\nMany.\n\n## The `grey` heron\n\nThe grey heron waits in cold water.\n';
  const { stall, holder, post, token } = await openAsking(
    {
      name: 'extractive',
      model: null,
      async *answer() {
        yield { type: 'end', outcome: 'not_covered', inputTokens: 0, outputTokens: 0, truncated: false };
      },
    },
    { 'books/herons/two.md': chapter },
  );
  const page = await (await post({ question: 'Is the water cold?', token: await token() })).text();
  expect(page).toContain('The book does not seem to cover this.');
  const [, section = ''] = page.split('Nearest in the book');
  const [, address, title] = /<li><a href="([^"]+)">([^<]+)<\/a>/.exec(section) ?? [];
  expect([address, title]).toEqual([
    '/books/herons/read/two.md#the-grey-heron',
    'The marsh › The grey heron',
  ]);
  expect(await (await stall.fetch(address!, { headers: holder })).text()).toContain('id="the-grey-heron"');
  expect(section).toContain('href="/books/herons#contents"');
  // The button alone tells the owner, and this question alone.
  expect(section).toContain('those who run this stall read this one question and your address');
  const [, action = '', question = ''] =
    /<form action="([^"]+)"[^>]*><input type="hidden" name="question" value="([^"]+)"/.exec(section) ?? [];
  const { store } = stall.app.stall;
  expect(store.countOpenReports()).toBe(0);
  const headers = { ...holder, Origin: stall.url };
  const body = new URLSearchParams({ question });
  const told = await stall.fetch(action, { method: 'POST', headers, body, redirect: 'manual' });
  expect([told.status, told.headers.get('location')]).toEqual([303, '/dashboard/notes#sent']);
  expect(store.listReports('open')).toMatchObject([
    { email: 'holder@example.org', text: 'Is the water cold?', exact: '', path: '', noteId: '' },
  ]);
  expect(JSON.stringify([stall.log, store.listAuditEntries(1e9, 9)])).not.toContain('the water cold');
});

test('a question whose words are not in the book at all gets its contents', async () => {
  const page = await (await asking.post({ question: 'Zyxwv utsrq?', token: await asking.token() })).text();
  expect(page).not.toContain('Nearest in the book');
  expect(page).toContain('href="/books/herons#contents"');
});

describe('a model', () => {
  const engineOf = (answer: Engine['answer']): Engine => ({ name: 'extractive', model: 'made-up', answer });

  test('has its markup shown as text, except emphasis, lists and code', async () => {
    const evil = '<script>alert(1)</script> [x](javascript:x) <a href="javascript:x">';
    const { post, token } = await openAsking(
      engineOf(async function* () {
        yield { type: 'text', text: `${evil}\n\n- **bold**\n- \`code\`` };
        yield { type: 'end', outcome: 'not_covered', inputTokens: 0, outputTokens: 0, truncated: false };
      }),
    );
    const page = await (await post({ question: QUESTION, token: await token() })).text();
    expect(page.replace(/<\/?span[^>]*>/g, '')).toContain(
      `<p>${Bun.escapeHTML(evil)}</p><ul><li><strong>bold</strong></li><li><code>code</code></li></ul>`,
    );
    expect(page).toContain('The book does not seem to cover this.');
    expect(page).toContain('Asked: made-up.');
  });

  test('that has not begun is said to be writing, until its answer comes', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { post, token } = await openAsking(
      engineOf(async function* () {
        await promise;
        yield { type: 'end', outcome: 'not_covered', inputTokens: 0, outputTokens: 0, truncated: false };
      }),
    );
    const page = await post({ question: QUESTION, token: await token() });
    let shown = '';
    for await (const piece of page.body!.pipeThrough(new TextDecoderStream())) {
      shown += piece;
      if (shown.includes('The answer is being written…')) resolve();
    }
    expect(shown).toMatch(
      /<p class="writing"[^>]*>The answer is being written…<\/p>(?:<!-- waiting -->)*<\/div>/,
    );
  });

  test('that breaks off ends the page with the reason, whole', async () => {
    const { post, token } = await openAsking(
      engineOf(async function* () {
        yield { type: 'text', text: 'It begins' };
        throw new Error('secret cause');
      }),
    );
    const page = await (await post({ question: QUESTION, token: await token() })).text();
    expect(page).toContain('<span class="untied">It begins</span></p></div>');
    expect(page).toContain('Internal error');
    expect(page).not.toContain('secret cause');
    expect(page).toEndWith('</body></html>\n');
  });
});

test('an account has four open answers, and the fifth is refused with a page', async () => {
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const { post, token } = await openAsking({
    name: 'extractive',
    model: null,
    async *answer() {
      yield { type: 'text', text: 'slowly' };
      await finished;
      yield { type: 'end', outcome: 'not_covered', inputTokens: 0, outputTokens: 0, truncated: false };
    },
  });
  const open = [];
  for (let n = 0; n < 4; n++) open.push(await post({ question: QUESTION, token: await token() }));
  const fifth = await post({ question: QUESTION, token: await token() });
  expect(fifth.status).toBe(429);
  expect(await fifth.text()).toContain('Cannot answer more than 4 questions');
  finish();
  await Promise.all(open.map((response) => response.text()));
  expect((await post({ question: QUESTION, token: await token() })).status).toBe(200);
});
