import { expect, test } from 'bun:test';
import { parseEvents, until } from '../../helpers/harness.ts';
import { openModelStall } from './model-stall.ts';
import { openMessages } from './scripted-messages.ts';

const messages = await openMessages((line) => line.say(['x']));
const { stall, ask, post, row, reader } = await openModelStall(messages);
const QUOTED = 'It saves heat: “the cold water would otherwise chill both” [1].';
const MARKED = /“…the cold water would otherwise chill both” \[1\]/;

test('a quote of the book becomes a citation of its exact offsets', async () => {
  messages.play((line) => line.say([...QUOTED]));
  const { done, text } = await ask();
  expect(done).toMatchObject({
    outcome: 'answered',
    engine: 'compat',
    model: 'script-1',
    inputTokens: 20,
    outputTokens: 9,
  });
  expect(text).toMatch(MARKED);
  const [citation] = done!.citations;
  expect(citation!.at.map((at) => text.slice(at, at + 3))).toEqual(['[1]']);
  const file = (await (
    await stall.fetch(`/api/items/paid-book/files?path=${citation!.path}`, { headers: reader.headers })
  ).json()) as { content?: string; files?: { content: string; sha256: string }[] };
  const content = file.content ?? file.files?.[0]?.content ?? '';
  if (content !== '') expect(content.slice(citation!.start, citation!.end)).toBe(citation!.quote);
  expect(citation!.quote).toBe('the cold water would otherwise chill both');
  expect(await row()).toMatchObject({ outcome: 'answered', inputTokens: 20, outputTokens: 9 });
});

test('a quote that begins or ends within code is shown as the page shows it', async () => {
  const { SHELF, itemYaml } = await import('../../helpers/harness.ts');
  const other = await openModelStall(
    messages,
    {},
    {
      ...SHELF,
      'books/paid-book/01.md':
        '# Pointers\n\nA heron counts its owners: use `&Rc<T>` where many owners of one leg stand on `Arc<Leg>` alone in water.\n',
      'books/paid-book/item.yaml': itemYaml({ id: 'paid-id', unitAmountCents: 1900 }),
    },
  );
  messages.play((line) =>
    line.say(['It says “Rc<T>` where many owners of one leg stand on `Arc<Leg>” [1].']),
  );
  const { text, done } = await other.ask();
  expect(text).toContain('“…`Rc<T>` where many owners of one leg stand on `Arc<Leg>`');
  expect(text.match(/`/g)).toHaveLength(4);
  expect(done!.citations[0]!.quote).not.toMatch(/^`.*`$/);
});

test('statements without a quote are told, unless the owner allows them', async () => {
  messages.play((line) => line.say(['It is the moon. ', ...QUOTED]));
  const untiedIn = ({ events, text }: Awaited<ReturnType<typeof ask>>) =>
    (events.at(-1)!.data['untied'] as [number, number][] | undefined)?.map((range) => text.slice(...range));
  expect(untiedIn(await ask())).toEqual(['It is the moon.']);
  const other = await openModelStall(messages, { marksUntied: false });
  expect(untiedIn(await other.ask())).toBeUndefined();
});

test('a passage that is quoted twice is one citation with two places', async () => {
  const words = '“the cold water would otherwise chill both” [1]';
  messages.play((line) => line.say([`It saves heat: ${words}. I repeat: ${words}.`]));
  const { done, text } = await ask();
  expect(done!.citations).toHaveLength(1);
  expect(done!.citations[0]!.at.map((at) => text.slice(at, at + 3))).toEqual(['[1]', '[1]']);
});

test("an answer without a true quote is unsupported, and the book's own words follow", async () => {
  messages.play((line) => line.say(['Because “it is a very lazy bird” [1].']));
  const { done, text } = await ask();
  expect(done?.outcome).toBe('unsupported');
  expect(text).toStartWith(
    'Because it is a very lazy bird.\n\nNothing of this answer was found in the book.',
  );
  expect(text).toContain('stands on one leg because the cold water');
  expect(done?.citations).toHaveLength(1);
});

test.each([
  ['NOT_COVERED'],
  ['**NOT_COVERED** The book says “the cold water would otherwise chill both” [1].'],
])('a model that says %s: not_covered in our words', async (words) => {
  messages.play((line) => line.say([...words]));
  const { done, text } = await ask();
  expect(done).toMatchObject({ outcome: 'not_covered', citations: [] });
  expect(text).toBe('“The paid book” does not seem to cover this question. Asking in other words may help.');
});

test('a refusal of the model is declined', async () => {
  messages.play((line) => (line.start(), line.stop('refusal')));
  const { done, text } = await ask();
  expect([done?.outcome, text]).toEqual(['declined', 'The model declined to answer this question.']);
});

test('a prompt that the server cut is refused, after an attempt with fewer passages if nothing was shown', async () => {
  const paragraph = (i: number) => `Heron ${i} stands on one leg in the marsh and waits. `.repeat(12);
  const long = Array.from({ length: 20 }, (_, i) => `## Part ${i}\n\n${paragraph(i)}\n`).join('\n');
  const { SHELF, itemYaml } = await import('../../helpers/harness.ts');
  const files = {
    ...SHELF,
    'books/paid-book/01.md': long,
    'books/paid-book/item.yaml': itemYaml({ id: 'paid-id', unitAmountCents: 1900 }),
  };
  const other = await openModelStall(messages, {}, files);
  // A model's first answer is held back to its end.
  messages.play(
    (line) => (
      line.start({}),
      line.text(['“stands on one leg in the marsh” [1]']),
      line.stop('end_turn', {})
    ),
  );
  await other.ask();
  messages.play(
    (line) => (line.start({ input_tokens: 300, output_tokens: 1 }), line.text([QUOTED]), line.stop()),
  );
  expect(await other.ask()).toMatchObject({ status: 502, code: 'MODEL_FAILED' });
  expect(messages.received).toHaveLength(2);
  const sizes = messages.received.map(({ body }) => JSON.stringify(body).length);
  expect(sizes[1]).toBeLessThan(sizes[0]! * 0.7);
  messages.play(
    (line) => (
      line.start({}),
      line.text(['It waits: “stands on one leg in the marsh', ' and waits” [1]. ']),
      line.stop('end_turn', { input_tokens: 300 })
    ),
  );
  expect(await other.ask()).toMatchObject({ status: 200, code: 'MODEL_FAILED' });
  expect(other.stall.log.some(({ event }) => event === 'model-cut-prompt')).toBe(true);
  expect(await other.row()).toMatchObject({ outcome: 'failed' });
});

test("a reader who leaves closes the model's connection at once, and the tokens are logged", async () => {
  const timeouts = { firstByte: 60_000, idle: 60_000, total: 60_000 };
  const { post: postPatiently, row: rowOf } = await openModelStall(messages, { timeouts });
  let isClosed = false;
  messages.play(async (line) => {
    line.start({ input_tokens: 33, output_tokens: 1 });
    line.delta('It rests. ');
    await line.gone;
    isClosed = true;
  });
  const controller = new AbortController();
  const response = await postPatiently(undefined, { signal: controller.signal });
  await response.body!.getReader().read();
  controller.abort();
  await until(() => isClosed);
  await until(async () => (await rowOf())?.outcome === 'abandoned');
  expect(await rowOf()).toMatchObject({ inputTokens: 33 });
});

test("a key revoked mid-stream ends the stream and the model's connection", async () => {
  messages.play((line) => (line.start(), line.delta('It rests. ')));
  const gone = await stall.reader('gone@example.org', 'paid-book');
  const response = await post(undefined, {
    headers: { 'Content-Type': 'application/json', ...gone.headers },
  });
  const body = response.text();
  await until(() => messages.open() === 1);
  await stall.app.admin.keys.revoke(String(gone.keyId));
  expect(parseEvents(await body).at(-1)).toMatchObject({ event: 'error', data: { code: 'ACCESS_DENIED' } });
  await until(() => messages.open() === 0);
});

test('with the extractive fallback, quotes replace a model that cannot answer', async () => {
  const other = await openModelStall(messages, { fallback: 'extractive' });
  messages.play((line) => line.status(401));
  const { done, text } = await other.ask();
  expect(done).toMatchObject({ outcome: 'quoted', engine: 'extractive', model: null });
  expect(text).toContain('stands on one leg');
  expect(await other.row()).toMatchObject({ outcome: 'quoted', engine: 'extractive' });
  messages.play((line) => (line.start(), line.delta('It rests. '), void setTimeout(line.reset, 100)));
  expect(await other.ask()).toMatchObject({ status: 200, code: 'MODEL_FAILED' });
});

test.each<[string, 'none' | 'extractive', unknown]>([
  ['refuses', 'none', [429, 'RATE_LIMITED']],
  ['quotes instead', 'extractive', [200, 'extractive']],
])(
  'an account that has asked its daily questions: the stall %s, also after a restart',
  async (_, fallback, expected) => {
    messages.play((line) => line.say([QUOTED]));
    const caps = { dailyQuestions: 2, fallback } as const;
    const first = await openModelStall(messages, caps);
    const end = ({ status, done, code }: Awaited<ReturnType<typeof first.ask>>) => [
      status,
      done?.engine ?? code,
    ];
    expect([end(await first.ask()), end(await first.ask())]).toEqual([
      [200, 'compat'],
      [200, 'compat'],
    ]);
    const third = await first.ask();
    expect(end(third)).toEqual(expected as never);
    if (third.status === 429) {
      const wait = Number(third.headers.get('retry-after'));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(86_400);
      expect(await first.row()).toMatchObject({ outcome: 'refused' });
    }
    expect(messages.received).toHaveLength(2);
    const other = await first.stall.reader('other@example.org', 'paid-book');
    const response = await first.post(undefined, {
      headers: { 'Content-Type': 'application/json', ...other.headers },
    });
    expect(parseEvents(await response.text()).at(-1)?.data).toMatchObject({ engine: 'compat' });
    await first.stall.close();
    const { openStall } = await import('../../helpers/harness.ts');
    const again = await openStall({
      directory: first.stall.directory,
      files: {},
      config: first.stall.settings,
    });
    const late = await again.fetch('/api/agent/fetch', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...first.reader.headers },
      body: JSON.stringify({ book_id: 'paid-id', query: 'heron' }),
    });
    await late.text();
    expect(late.status).toBe((expected as [number])[0]);
    expect(messages.received).toHaveLength(3);
  },
);

test('a whole book is shown in the current order of its chapters', async () => {
  const { SHELF, itemYaml, writeFiles } = await import('../../helpers/harness.ts');
  const yaml = (...chapters: readonly string[]) =>
    `${itemYaml({ id: 'paid-id', unitAmountCents: 1900 })}chapters: [${chapters.join(', ')}]\n`;
  const book = (...chapters: readonly string[]) => ({ 'books/paid-book/item.yaml': yaml(...chapters) });
  const files = { ...SHELF, ...book('01.md', '02.md'), 'books/paid-book/02.md': 'The second chapter.\n' };
  const other = await openModelStall(messages, { wholeBookTokens: 1000 }, files);
  messages.play((line) => line.say([QUOTED]));
  await other.ask();
  writeFiles(other.stall.content, book('02.md', '01.md'));
  await other.stall.app.publish();
  await other.ask();
  const seconds = messages.received.map(({ body }) =>
    String(body.messages[0]!.content[0]!['text']).indexOf('The second chapter'),
  );
  expect(seconds[1]).toBeLessThan(seconds[0]!);
});

test('questions count if they cost something, whichever engine answered', async () => {
  const other = await openModelStall(messages, {
    dailyQuestions: 1,
    fallback: 'extractive',
    timeouts: { firstByte: 300, idle: 300, total: 300 },
  });
  messages.play((line) => line.status(401));
  for (const _ of [1, 2]) expect((await other.ask()).done?.engine).toBe('extractive');
  expect(messages.received).toHaveLength(2);
  // It may have cost as much as an answer.
  messages.play(() => {});
  for (const _ of [1, 2]) expect((await other.ask()).done?.engine).toBe('extractive');
  expect(messages.received).toHaveLength(1);
});

test('questions asked at once spend no more than the daily cap', async () => {
  for (const fallback of ['none', 'extractive'] as const) {
    const other = await openModelStall(messages, { dailyTokens: 40, fallback });
    // The model answers only after the other questions have been refused.
    let refusals = 0;
    messages.play(async (line) => {
      await until(() => refusals === 3);
      line.say([QUOTED]);
    });
    const asked = Array.from({ length: 4 }, async () => {
      const answer = await other.ask();
      refusals++;
      return answer;
    });
    const answers = await Promise.all(asked);
    expect(messages.received).toHaveLength(1);
    const refused = answers.filter(({ done }) => done?.engine !== 'compat');
    expect(refused).toHaveLength(3);
    for (const { status, done, code } of refused)
      expect([status, done?.outcome ?? code]).toEqual(
        fallback === 'none' ? [429, 'RATE_LIMITED'] : [200, 'quoted'],
      );
  }
});

test('a stall that has spent its daily tokens asks no model until midnight', async () => {
  messages.play((line) => line.say([QUOTED]));
  let now = Date.parse('2026-11-20T23:00:00Z');
  const other = await openModelStall(messages, { dailyTokens: 40 }, undefined, () => now);
  expect((await other.ask()).status).toBe(200);
  expect((await other.ask()).status).toBe(200);
  expect(await other.ask()).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  expect(other.stall.app.admin.logs.usage(null, null)).toMatchObject([
    { engine: 'compat', questions: 3, inputTokens: 40, outputTokens: 18 },
  ]);
  now += 2 * 60 * 60 * 1000;
  expect((await other.ask()).status).toBe(200);
});

test("Anthropic's citations become exact slices of the paragraphs they name, and of no others", async () => {
  const other = await openModelStall(messages, { engine: 'anthropic', wholeBookTokens: 1000 });
  const at = (start: number, end: number, document = 0) => ({
    type: 'content_block_location',
    document_index: document,
    start_block_index: start,
    end_block_index: end,
    cited_text: 'a lie',
  });
  messages.play((line) => line.say(['It saves heat.'], [at(0, 1)]));
  const { done, text } = await other.ask();
  expect(done).toMatchObject({
    outcome: 'answered',
    engine: 'anthropic',
    citations: [{ quote: expect.stringContaining('The grey heron of paid marsh') }],
  });
  expect(text).toBe('It saves heat. [1]');
  messages.play((line) => line.say(['It saves heat.'], [at(0, 1, 3), at(7, 9), at(-1, 2)]));
  expect((await other.ask()).done?.outcome).toBe('unsupported');
  const byPassage = await openModelStall(messages, { engine: 'anthropic' });
  messages.play((line) =>
    line.say(
      ['It saves heat.'],
      [{ type: 'search_result_location', search_result_index: 0, start_block_index: 0, end_block_index: 1 }],
    ),
  );
  expect((await byPassage.ask()).done).toMatchObject({ outcome: 'answered', citations: [{ n: 1 }] });
});
