import { expect, test } from 'bun:test';
import { reportInTurns } from '../../../src/agents/mcp/tools.ts';
import type { Question } from '../../../src/asking/engines/engine.ts';
import { openStall, until } from '../../helpers/harness.ts';
import { aborted, end, outcomes, scriptedEngine, text } from '../../asking/engines/scripted-engine.ts';
import { connectClient, ERAS, textOf } from './mcp-client.ts';
import { messageOf, post } from './raw-message.ts';

const QUESTION = { item: 'paid-book', question: 'Why does the heron stand on one leg?' };

/** A stall whose engine waits until it is stopped, or until `finish` is called. */
async function openWaiting() {
  const asked: Question[] = [];
  const finishing: (() => void)[] = [];
  const engine = scriptedEngine(async function* (question) {
    asked.push(question);
    yield text('Because ');
    await Promise.race([aborted(question), new Promise<void>((resolve) => finishing.push(resolve))]);
    yield text('it is cold.');
    yield end();
  });
  const stall = await openStall({ engine });
  const reader = await stall.reader('reader@example.org', 'paid-book');
  return {
    stall,
    reader,
    asked,
    url: `${stall.url}/mcp`,
    finish: () => finishing.forEach((finish) => finish()),
  };
}

test.each(ERAS)('%s: a client that cancels stops the engine, and the fetch log says so', async (era) => {
  const { stall, reader, asked, url } = await openWaiting();
  const client = await connectClient(url, era, reader.headers);
  const cancel = new AbortController();
  const call = client
    .callTool({ name: 'ask_book', arguments: QUESTION }, { signal: cancel.signal })
    .catch((error: unknown) => error);
  await until(async () => asked.length === 1);
  cancel.abort();
  expect(await call).toBeInstanceOf(Error);
  await until(async () => asked[0]?.signal.aborted === true);
  await until(async () => (await outcomes(stall))[0] === 'abandoned');
  // The place with the model is free again.
  expect(textOf(await client.callTool({ name: 'search_library', arguments: {} }))).toContain('paid-book');
  await client.close();
});

test.each(ERAS)(
  '%s: a client that leaves in mid-answer stops the engine, and the fetch log says so',
  async (era) => {
    const { stall, reader, asked, url } = await openWaiting();
    const leave = new AbortController();
    const answer = await post(url, messageOf(era, 'tools/call', { name: 'ask_book', arguments: QUESTION }), {
      headers: reader.headers,
      signal: leave.signal,
    });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    await until(async () => asked.length === 1);
    // A client that never reads is not seen to leave.
    const reading = answer.text().catch(() => '');
    leave.abort();
    await reading;
    await until(async () => asked[0]?.signal.aborted === true);
    await until(async () => (await outcomes(stall))[0] === 'abandoned');
  },
);

test('a revoked key ends a running answer', async () => {
  const { stall, reader, asked, url } = await openWaiting();
  const client = await connectClient(url, '2025-11-25', reader.headers);
  const call = client.callTool({ name: 'ask_book', arguments: QUESTION });
  await until(async () => asked.length === 1);
  await stall.app.admin.keys.revoke(String(reader.keyId));
  const result = await call;
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('the API key is no longer valid');
  expect(await outcomes(stall)).toEqual(['refused']);
});

test('two readers with one id: each gets its own answer, and one cannot cancel for the other', async () => {
  const { stall, reader, asked, url, finish } = await openWaiting();
  const other = await stall.reader('other@example.org', 'paid-book');
  const call = messageOf('2025-11-25', 'tools/call', { name: 'ask_book', arguments: QUESTION }, 7);
  const answer = post(url, call, { headers: reader.headers });
  await until(async () => asked.length === 1);
  const cancel = messageOf('2025-11-25', 'notifications/cancelled', { requestId: 7 }, null);
  expect((await post(url, cancel, { headers: other.headers })).status).toBe(202);
  expect((await post(url, cancel)).status).toBe(202);
  // An id of another type is another id.
  const text = messageOf('2025-11-25', 'notifications/cancelled', { requestId: '7' }, null);
  expect((await post(url, text, { headers: reader.headers })).status).toBe(202);
  expect(asked[0]?.signal.aborted).toBe(false);
  finish();
  expect(await (await answer).text()).toContain('it is cold');
});

test('of two questions with one id from one program, a cancellation stops neither', async () => {
  const { reader, asked, url, finish } = await openWaiting();
  const call = messageOf('2025-11-25', 'tools/call', { name: 'ask_book', arguments: QUESTION }, 7);
  const answers = [
    post(url, call, { headers: reader.headers }),
    post(url, call, { headers: reader.headers }),
  ];
  await until(async () => asked.length === 2);
  const cancel = messageOf('2025-11-25', 'notifications/cancelled', { requestId: 7 }, null);
  await post(url, cancel, { headers: reader.headers });
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  finish();
  await Promise.all(answers);
});

test('the fifth question of an account at once is refused as a tool error', async () => {
  const { reader, asked, url } = await openWaiting();
  const leave = new AbortController();
  const ask = (id: number) =>
    post(url, messageOf('2025-11-25', 'tools/call', { name: 'ask_book', arguments: QUESTION }, id), {
      headers: reader.headers,
      signal: leave.signal,
    });
  const answers = await Promise.all([1, 2, 3, 4].map(ask));
  await until(async () => asked.length === 4);
  expect(await (await ask(5)).text()).toContain('Cannot answer more than 4 questions of one account at once');
  const reading = answers.map((answer) => answer.text().catch(() => ''));
  leave.abort();
  await Promise.all(reading);
});

test('a question is logged as asked over MCP, and no log holds its text', async () => {
  const { stall, reader, url, finish, asked } = await openWaiting();
  const call = messageOf('2026-07-28', 'tools/call', { name: 'ask_book', arguments: QUESTION });
  const answer = post(url, call, { headers: reader.headers });
  await until(async () => asked.length === 1);
  finish();
  await (await answer).text();
  await until(async () => (await outcomes(stall))[0] === 'unsupported');
  const { Database } = await import('bun:sqlite');
  const database = new Database(`${stall.data}/bookstall.db`, { readonly: true });
  expect(database.query('SELECT door, key_id FROM fetch_logs').all()).toEqual([
    { door: 'mcp', key_id: reader.keyId },
  ]);
  database.close();
  await until(async () => stall.log.some(({ event, route }) => event === 'request' && route === '/mcp'));
  expect(JSON.stringify(stall.log)).not.toMatch(/one leg|svc_[0-9A-Za-z]{38}/);
});

const shared = await openWaiting();

test.each([
  ['a skill', { item: 'free-skill', question: 'x' }, 'it is a skill; read it with read_chapter'],
  ['a draft', { item: 'draft-book', question: 'x' }, 'Cannot find "draft-book"'],
  ['what is not there', { item: 'nowhere', question: 'x' }, 'Cannot find "nowhere"'],
  ['a book that is not held', { item: 'archived-book', question: 'x' }, 'Cannot find "archived-book"'],
  [
    'nothing',
    { item: 'paid-book', question: ' ' },
    'Cannot call ask_book: "question" must be text of 1 to 8000 characters',
  ],
  [
    'too much',
    { item: 'paid-book', question: 'x'.repeat(8001) },
    '"question" must be text of 1 to 8000 characters',
  ],
  [
    'a history that is too long',
    { item: 'paid-book', question: 'x', history: [{ question: '', answer: 'x'.repeat(4001) }] },
    '4000 characters together at most',
  ],
  ['a list', { item: 'paid-book', question: ['x'] }, '"question" must be text of 1 to 8000 characters'],
  [
    'a number',
    { item: 7, question: 'x' },
    '"item" must be text that is not blank; it is the item’s slug, as search_library gives it',
  ],
])('a question about %s is a tool error with a remedy', async (_, given, sentence) => {
  const client = await connectClient(shared.url, '2025-11-25', shared.reader.headers);
  const result = await client.callTool({ name: 'ask_book', arguments: given });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain(sentence);
  await client.close();
});

test('progress is reported in turns to a client that asked for it, and ends with the answer', async () => {
  const steps: number[] = [];
  const report = async (step: number): Promise<void> => {
    steps.push(step);
    // A client that has left is no fault.
    throw new Error('closed');
  };
  const stop = reportInTurns(report, 1);
  await until(async () => steps.length >= 3);
  stop();
  const { length } = steps;
  expect(steps).toEqual(Array.from({ length }, (_, n) => n + 1));
  await Bun.sleep(20);
  expect(steps).toHaveLength(length);
  reportInTurns(null, 1)();
});
