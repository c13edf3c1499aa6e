import { beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import foreign from '../../src/asking/search/foreign-questions.json';
import { examineHealth } from '../../src/office/server-start.ts';
import { itemYaml, openStall, parseEvents, temporaryDirectory } from '../helpers/harness.ts';
import { type } from '../platform/cli/type.ts';
import { DIMENSION, openEmbeddings, send, sendVectors, vectorOf } from './scripted-embeddings.ts';

const BATTERY = 'The lamp goes out when its cell is empty.';
const HERON = 'The grey heron waits in cold water until a frog comes near.';
const chapter = (more = ''): string =>
  `# Things\n\n## Light\n\n${BATTERY}\n\n## Birds\n\n${HERON}\n\n## Nests\n\nNests hang in tall trees.\n${more}`;
const files = {
  'books/things/item.yaml': itemYaml({ id: 'things', title: 'Things', language: 'en' }),
  'books/things/one.md': chapter(),
};
/** No word of it is in the book, but its vector is near that of the first section. */
const MEANT = 'Why did my torch become dark?';
const WORDS = 'What does the heron wait for in cold water?';

const TOPICS = [/lamp goes out|torch/, /heron/];
const server = await openEmbeddings(TOPICS);
let at = 0;
const clock = (): number => Date.now() + at;
const stall = await openStall({ files, config: { embeddings: server.config({ timeout: 500 }) }, now: clock });
const { headers } = await stall.reader('ann@example.org', 'things');
await stall.app.stall.vectors.build();
const built = [...server.received];
beforeEach(() => {
  // A failed server is left alone for some seconds.
  at += 10_000;
  server.play();
  return stall.app.stall.vectors.build();
});

async function eventsOf(query: string, one: Pick<typeof stall, 'fetch'> = stall, sent = headers) {
  const answer = await one.fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { ...sent, 'Content-Type': 'application/json' },
    body: JSON.stringify({ book_id: 'things', query }),
  });
  return parseEvents(await answer.text());
}

async function doneOf(...asked: Parameters<typeof eventsOf>) {
  const events = await eventsOf(...asked);
  expect(events.at(-1)?.event).toBe('done');
  return events.at(-1)!.data as { outcome: string; citations: readonly { quote: string; marked: unknown }[] };
}

const sentenceOf = async (): Promise<string | undefined> =>
  (await examineHealth(stall.app.stall)).find(({ check }) => check === 'embeddings')?.sentence;

describe('passages are embedded in the background', () => {
  test('each once, with headings, prefix and key, and 200 questions about other things', () => {
    const texts = built.flatMap(({ input }) => input);
    expect(texts.slice(0, 3)).toEqual([
      `text: Things › Light\n${BATTERY}`,
      `text: Things › Birds\n${HERON}`,
      'text: Things › Nests\nNests hang in tall trees.',
    ]);
    expect(texts.slice(3).filter((text) => text.startsWith('query: '))).toHaveLength(200);
    expect(texts).toHaveLength(203);
    expect(built.every(({ input }) => input.length <= 32)).toBe(true);
    expect(new Set(built.map(({ path, key }) => `${path} ${key}`))).toEqual(
      new Set(['/v1/embeddings Bearer sk-very-secret-key']),
    );
  });

  test('of a new edition only what changed', async () => {
    const directory = temporaryDirectory();
    const config = { embeddings: server.config() };
    const other = await openStall({ files, directory, config });
    await other.app.stall.vectors.build();
    server.play();
    writeFileSync(join(other.content, 'books/things/one.md'), chapter('\n## Stones\n\nStones sink.\n'));
    await other.app.publish();
    await other.app.stall.vectors.build();
    expect(server.received.flatMap(({ input }) => input)).toEqual(['text: Things › Stones\nStones sink.']);
    await other.close();
    server.play();
    const again = await openStall({ files: {}, directory, config });
    await again.app.stall.vectors.build();
    expect(server.received).toEqual([]);
    await again.close();
    server.play();
    const changed = await openStall({
      files: {},
      directory,
      config: { embeddings: server.config({ model: 'b' }) },
    });
    await changed.app.stall.vectors.build();
    expect(server.received.flatMap(({ input }) => input)).toHaveLength(204);
    await changed.close();
  });

  test('in smaller batches, and cut texts, as the server wants; a stop or a failure loses nothing', async () => {
    const many = Array.from(
      { length: 40 },
      (_, n) => `## Part ${n}\n\nThis is number ${n}. ${'Word. '.repeat(40)}\n\n`,
    );
    const long = { ...files, 'books/things/one.md': `# Things\n\n${many.join('')}` };
    const directory = temporaryDirectory();
    const config = { embeddings: server.config() };
    let isFull = false;
    server.play((response, request) => {
      if (isFull) return send(response, 401, {});
      if (request.input.some((text) => text.length > 200)) return send(response, 413, {});
      if (request.input.length > 4) return send(response, 400, { error: 'too many' });
      isFull = request.input[0]!.includes('number 11');
      return server.right(response, request);
    });
    const first = await openStall({ files: long, directory, config });
    await first.app.stall.vectors.build();
    expect(first.app.stall.vectors.report()).toMatchObject({ embedded: 0, fault: 'it answered 401' });
    await first.close();
    const before = server.received.length;
    expect(before).toBeGreaterThan(20);
    server.play();
    const second = await openStall({ files: {}, directory, config });
    await second.app.stall.vectors.build();
    expect(second.app.stall.vectors.report()).toMatchObject({ books: 1, embedded: 1, fault: null });
    await second.close();
  });

  test('a busy server is asked again', async () => {
    let tries = 0;
    server.play((response, request) => {
      if (++tries < 3) return send(response, tries === 1 ? 429 : 503, {});
      return server.right(response, request);
    });
    const german = { 'books/things/item.yaml': itemYaml({ id: 'things', title: 'Things', language: 'de' }) };
    const one = await openStall({
      files: { ...files, ...german },
      config: { embeddings: server.config() },
    });
    await one.app.stall.vectors.build();
    expect(one.app.stall.vectors.report()).toMatchObject({ embedded: 1, fault: null });
    // The questions about other things are in the language of the book.
    expect(server.received.flatMap(({ input }) => input)).toContain(`query: ${foreign.de[0]}`);
    await one.close();
  });
});

describe('a question is answered', () => {
  test('by meaning, with an unmarked excerpt of the place whose words it has not', async () => {
    const done = await doneOf(MEANT);
    expect(done).toMatchObject({ outcome: 'quoted', citations: [{ quote: BATTERY, marked: [] }] });
    expect(server.received.map(({ input }) => input)).toEqual([[`query: ${MEANT}`]]);
    expect(JSON.stringify(await eventsOf(MEANT))).not.toContain('may not answer');
    expect(server.received).toHaveLength(1);
    expect(await sentenceOf()).toContain(server.url);
  });

  test.each<[string, Parameters<typeof server.play>[0], string]>([
    ['hangs', () => {}, 'it took too long'],
    ['hangs in its body', (response) => void response.write('{"data":['), 'it took too long'],
    ['is slow', (response, one) => void setTimeout(server.right, 900, response, one), 'it took too long'],
    ['resets', (response) => void response.destroy(), 'it cannot be reached'],
    [
      'sends NaN',
      (response) => sendVectors(response, [[...vectorOf('', TOPICS).slice(1), NaN]]),
      'no vector',
    ],
    ['sends 1e999', (response) => send(response, 200, '{"data":[{"embedding":[1e999,1]}]}'), 'no vector'],
    ['sends zeros', (response) => sendVectors(response, [Array(64).fill(0)]), 'no vector'],
    ['sends words', (response) => sendVectors(response, [['a']]), 'no vector'],
    ['sends nothing', (response) => sendVectors(response, []), 'no vector for each text'],
    ['sends null', (response) => send(response, 200, 'null'), 'no vector for each text'],
    ['sends HTML', (response) => send(response, 200, '<html>'), 'no JSON'],
    ['refuses with 413', (response) => send(response, 413, {}), 'it answered 413'],
    ['refuses with 429', (response) => send(response, 429, {}), 'it answered 429'],
    ['fails with 500', (response) => send(response, 500, 'secret'), 'it answered 500'],
    ['redirects', (response) => send(response, 307, '', { location: stall.url }), 'it cannot be reached'],
    [
      'sends too much',
      (response) => send(response, 200, `[${'0,'.repeat(400_000)}0]`),
      'more than any vector',
    ],
  ])('by words alone if the server %s', async (_, script, reason) => {
    const before = stall.app.stall.vectors.report();
    server.play(script);
    const [meant, words] = [await doneOf(`${MEANT} ${at}`), await doneOf(`${WORDS} ${at}`)];
    expect(meant.outcome).toBe('not_covered');
    expect(words).toMatchObject({ outcome: 'quoted', citations: [{ quote: HERON }] });
    // The second question does not wait for a server that has just failed.
    expect(server.received.length).toBeLessThan(3);
    const after = stall.app.stall.vectors.report();
    expect(after).toMatchObject({ questions: before.questions + 2, byWords: before.byWords + 2 });
    expect(after.fault).toContain(reason);
    expect(await sentenceOf()).toContain(reason);
    expect(JSON.stringify(stall.log)).not.toMatch(/torch|secret/);
  });

  test('by words if the model changed the length of its vectors, and by meaning once these are made again', async () => {
    for (const dimension of [30, DIMENSION]) {
      server.play((response, { input }) =>
        sendVectors(
          response,
          input.map((text) => vectorOf(text, TOPICS, dimension)),
        ),
      );
      expect((await doneOf(`${MEANT} ${dimension}`)).outcome).toBe('not_covered');
      expect(stall.app.stall.vectors.report().fault).toContain('do not fit those of the book');
      await stall.app.stall.vectors.build();
      expect((await doneOf(`${MEANT} ${dimension}`)).outcome).toBe('quoted');
    }
  });

  test('by words until its vectors are made, and without a model', async () => {
    server.play((response) => send(response, 401, {}));
    const other = await openStall({ files, config: { embeddings: server.config() } });
    const reader = await other.reader('ann@example.org', 'things');
    await other.app.stall.vectors.build();
    expect((await doneOf(MEANT, other, reader.headers)).outcome).toBe('not_covered');
    expect((await doneOf(WORDS, other, reader.headers)).outcome).toBe('quoted');
    await other.close();
    server.play();
    const bare = await openStall({ files });
    const { headers: sent } = await bare.reader('ann@example.org', 'things');
    await bare.app.stall.vectors.build();
    expect((await doneOf(MEANT, bare, sent)).outcome).toBe('not_covered');
    expect(server.received).toEqual([]);
    expect(readdirSync(bare.data)).not.toContain('vectors');
  });
});

test('a search of all books finds what was meant, and nothing far from it', async () => {
  const search = async (words: string) => {
    const answer = await stall.fetch(`/api/search?q=${encodeURIComponent(words)}`, { headers });
    return ((await answer.json()) as { results: { text: string }[] }).results.map(({ text }) => text);
  };
  expect(await search('torch dark')).toEqual([BATTERY]);
  expect(await search('gearbox lorry')).toEqual([]);
  const page = await stall.fetch(`/books/things/search?q=${encodeURIComponent('torch dark')}`, { headers });
  expect(await page.text()).toContain('goes out when');
});

test('check asks the questions of a book both ways, with what the server has made', async () => {
  writeFileSync(
    join(stall.content, 'books/things/questions.yaml'),
    'one.md#light:\n  - Why is this torch so dark?\none.md#birds:\n  - What waits in cold water?\n',
  );
  await stall.app.stall.vectors.build();
  server.play();
  const words = ['check', '--questions', '--content', stall.content, '--data', stall.data];
  const environment = {
    BOOKSTALL_EMBEDDINGS: server.url,
    BOOKSTALL_EMBEDDINGS_MODEL: 'script-1',
    BOOKSTALL_EMBEDDINGS_QUERY_PREFIX: 'query: ',
    BOOKSTALL_EMBEDDINGS_TEXT_PREFIX: 'text: ',
  };
  const checked = await type(words, environment);
  expect(checked.out).toContain('books/things: all 2 questions show their section: by words 2, by meaning 2');
  expect(server.received.flatMap(({ input }) => input).filter((text) => text.startsWith('text: '))).toEqual(
    [],
  );
  server.play((response) => send(response, 404, {}));
  expect((await type(words, environment)).err).toContain('Cannot ask the embedding model: it answered 404');
});
