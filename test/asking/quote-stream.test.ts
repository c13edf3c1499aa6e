import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import type { AnswerEvent } from '../../src/asking/engines/engine.ts';
import { itemYaml, openStall, readEvents, SHELF, type Stall } from '../helpers/harness.ts';
import { end, scriptedEngine, text } from './engines/scripted-engine.ts';

const CHAPTER = `\uFEFF# Herons\r\n\r\nThe 😀 grey heron stands on one leg because cold water would chill both. It hunts fish in the shallow marsh at dawn.\r\n\r\n## Nests\r\n\r\nHerons nest in colonies high in old trees, and return to the same nest each spring.\r\n`;
const files = {
  ...SHELF,
  'books/bird-book/item.yaml': itemYaml({ id: 'birds', title: 'Birds' }),
  'books/bird-book/01.md': CHAPTER,
  'books/bird-book/02.md':
    '# Gulls\n\nGulls follow the plough and the ferry, and steal chips from the hands of tourists.\n',
};

type Citation = {
  n: number;
  at: number[];
  path: string;
  heading: string;
  start: number;
  end: number;
  quote: string;
  sha256: string;
};
type Ending = { outcome: string; citations: Citation[]; engine: string; model: string | null };

async function ask(stall: Stall, headers: Readonly<Record<string, string>>, query: string, bookId = 'birds') {
  const response = await stall.fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ book_id: bookId, query }),
  });
  const events = await readEvents(response);
  const words = events
    .flatMap(({ event, data }) => (event === 'chunk' ? [String(data['text'])] : []))
    .join('');
  return { response, events, words, last: events.at(-1), ending: events.at(-1)?.data as unknown as Ending };
}

const stall = await openStall({ files });
const reader = await stall.reader('reader@example.org', 'bird-book', 'paid-book');

test.each([
  'Why does the grey heron stand on one leg?',
  'Where do herons nest?',
  'What do gulls steal from tourists?',
])('the answer to "%s" ends with one done, and every citation is true', async (query) => {
  const { events, words, ending } = await ask(stall, reader.headers, query);
  expect(events.map(({ event }) => event)).toEqual([...events.slice(1).map(() => 'chunk'), 'done']);
  expect(Object.keys(ending)).toEqual([
    'inputTokens',
    'outputTokens',
    'latencyMs',
    'outcome',
    'citations',
    'engine',
    'model',
    'truncated',
  ]);
  expect(ending).toMatchObject({
    inputTokens: 0,
    outputTokens: 0,
    outcome: 'quoted',
    engine: 'extractive',
    model: null,
    truncated: false,
  });
  expect(ending.citations.length).toBeGreaterThan(0);
  const response = await stall.fetch('/api/books/birds/files', { headers: reader.headers });
  const records = ((await response.json()) as { files: { path: string; content: string; sha256: string }[] })
    .files;
  for (const [index, { n, at, path, start, end: stop, quote, sha256 }] of ending.citations.entries()) {
    expect(n).toBe(index + 1);
    for (const offset of at) expect(words.slice(offset).startsWith(`[${n}]`)).toBe(true);
    const record = records.find((one) => one.path === path);
    expect(record?.content.slice(start, stop)).toBe(quote);
    expect(quote.isWellFormed()).toBe(true);
    expect(quote.split(/\s+/).length).toBeLessThanOrEqual(60);
    expect(sha256).toBe(
      createHash('sha256')
        .update(record?.content ?? '')
        .digest('hex'),
    );
    expect(record?.sha256).toBe(sha256);
  }
});

test('a quote that holds an emoji behind a byte order mark counts in UTF-16 units', async () => {
  const { ending } = await ask(
    stall,
    reader.headers,
    'Why does the grey heron stand on one leg in cold water?',
  );
  const quote = ending.citations.find((citation) => citation.quote.includes('😀'));
  expect(quote).toBeDefined();
  expect(CHAPTER.slice(quote?.start, quote?.end)).toBe(quote?.quote ?? '');
});

test('a question about PostgreSQL is not covered, cites nothing, and is still done', async () => {
  const { events, ending, words } = await ask(stall, reader.headers, 'How do I vacuum a PostgreSQL table?');
  expect(events.at(-1)?.event).toBe('done');
  expect(ending).toMatchObject({ outcome: 'not_covered', citations: [] });
  expect(words).toContain('not');
});

const QUOTE = 'Herons nest in colonies';
const START = CHAPTER.indexOf(QUOTE);
const cite = (start: number, stop: number, path = '01.md'): AnswerEvent => ({
  type: 'cite',
  path,
  heading: 'Nests',
  start,
  end: stop,
});

// Each engine claims something; the server keeps the claims that are in the book.
test.each<[string, AnswerEvent[], string, string, number[][]]>([
  ['no citation', [text('I say [1] so.'), end()], 'I say [1] so.', 'unsupported', []],
  ['a true slice', [text('So.'), cite(START, START + QUOTE.length), end()], 'So. [1]', 'answered', [[4]]],
  [
    'one slice twice',
    [text('A.'), cite(START, START + 12), text(' B.'), cite(START, START + 12), end()],
    'A. [1] B. [1]',
    'answered',
    [[3, 10]],
  ],
  ['a file that is not there', [text('A.'), cite(0, 5, '09.md'), end()], 'A.', 'unsupported', []],
  [
    'a slice beyond the end',
    [text('A.'), cite(CHAPTER.length - 2, CHAPTER.length + 9), end()],
    'A.',
    'unsupported',
    [],
  ],
  ['an empty slice', [text('A.'), cite(START, START), end()], 'A.', 'unsupported', []],
  [
    'a slice that splits an emoji',
    [text('A.'), cite(CHAPTER.indexOf('😀') + 1, CHAPTER.indexOf('😀') + 9), end()],
    'A.',
    'unsupported',
    [],
  ],
  ['emoji before the marker', [text('😀😀'), cite(START, START + 12), end()], '😀😀 [1]', 'answered', [[5]]],
  ['a refusal of the model', [text('I will not.'), end('declined')], 'I will not.', 'declined', []],
])('an engine with %s', async (_, script, words, outcome, at) => {
  const engine = scriptedEngine(async function* () {
    yield* script;
  });
  const other = await openStall({ files, engine });
  const { headers } = await other.reader('reader@example.org');
  const answer = await ask(other, headers, 'Where do herons nest in colonies?');
  expect(answer.words).toBe(words);
  expect(answer.ending).toMatchObject({
    outcome,
    engine: 'compat',
    model: 'script',
    inputTokens: 7,
    outputTokens: 5,
  });
  expect(answer.ending.citations.map((citation) => citation.at)).toEqual(at);
});

test('the fetch log holds the size of the answer, the tokens and the outcome', async () => {
  const [before] = stall.app.admin.logs.fetches(null, null).slice(-1);
  const { words, ending } = await ask(stall, reader.headers, 'Where do herons nest?');
  const row = stall.app.admin.logs.fetches(null, null).at(-1);
  expect(row?.id).not.toBe(before?.id ?? '');
  expect(row).toMatchObject({
    accountId: reader.account.id,
    keyId: reader.keyId,
    bookId: 'birds',
    engine: 'extractive',
    outcome: ending.outcome,
    answerBytes: Buffer.byteLength(words),
    inputTokens: 0,
    outputTokens: 0,
  });
  expect(row?.latencyMs).toBeGreaterThanOrEqual(0);
});
