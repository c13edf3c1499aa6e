import { expect, test } from 'bun:test';
import type { AnswerEvent, Question } from '../../../src/asking/engines/engine.ts';
import { parseEvents, type Stall, until } from '../../helpers/harness.ts';
import { openSocket } from './raw-socket.ts';
import { aborted, BODY, openScripted, outcomes, text } from '../../asking/engines/scripted-engine.ts';

/** Tells whether the engine was let go. */
function createPatient(before: readonly AnswerEvent[]) {
  const state = { asked: 0, left: 0 };
  async function* script(question: Question) {
    state.asked++;
    try {
      yield* before;
      await aborted(question);
    } finally {
      state.left++;
    }
  }
  return { state, script };
}

test.each<[string, AnswerEvent[]]>([
  ['after the first content', [text('One. ')]],
  ['before any content', []],
])(
  'a reader who leaves %s: the row is abandoned, the engine let go, the place free again',
  async (_, before) => {
    const { state, script } = createPatient(before);
    const { stall, ask } = await openScripted(script);
    for (let n = 1; n <= 6; n++) {
      const leaving = new AbortController();
      const answer = ask(leaving.signal).then((response) => response.body?.getReader().read());
      await until(() => state.asked === n);
      if (before.length > 0) await answer;
      leaving.abort();
      await answer.catch(() => {});
      await until(() => state.left === n);
      await until(async () => (await outcomes(stall)).every((outcome) => outcome === 'abandoned'));
    }
    expect(await outcomes(stall)).toEqual(Array<string>(6).fill('abandoned'));
    await until(() => stall.log.filter(({ route }) => route === '/api/agent/fetch').length === 6);
    expect((await stall.fetch('/livez')).status).toBe(200);
    expect(stall.log.filter(({ event }) => event === 'internal-error')).toEqual([]);
  },
);

test('a client that stops reading pauses the engine instead of filling memory', async () => {
  let sent = 0;
  const piece = 'x'.repeat(65_536);
  const { stall, reader } = await openScripted(async function* ({ signal }) {
    for (; !signal.aborted; sent++) yield text(piece);
  });
  const socket = openSocket(
    stall.url,
    [
      'POST /api/agent/fetch HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      `Content-Length: ${BODY.length}`,
      `Authorization: Bearer ${reader.key}`,
    ],
    BODY,
  );
  socket.pause();
  await until(() => sent > 0);
  await Bun.sleep(500);
  const filled = sent;
  await Bun.sleep(700);
  expect(sent - filled).toBeLessThanOrEqual(1);
  expect(filled * piece.length).toBeLessThan(64 * 1024 * 1024);
  expect((await stall.fetch('/livez')).status).toBe(200);
  socket.destroy();
  await until(async () => (await outcomes(stall))[0] === 'abandoned');
});

test.each<[string, (stall: Stall, reader: { email: string; keyId: number }) => Promise<unknown>]>([
  ['the key', ({ app }, { keyId }) => app.admin.keys.revoke(String(keyId))],
  ['the grant', ({ app }, { email }) => app.admin.grants.revoke(email, 'paid-book', null)],
  ['the account', ({ app }, { email }) => app.admin.accounts.disable(email)],
])('removing %s ends a silent stream with ACCESS_DENIED', async (_, revoke) => {
  const { state, script } = createPatient([text('One. ')]);
  const { stall, reader, ask } = await openScripted(script);
  const response = await ask();
  const body = response.text();
  await revoke(stall, reader);
  const events = parseEvents(await body);
  expect(events.map(({ event }) => event)).toEqual(['chunk', 'error']);
  expect(events[1]?.data).toEqual({ error: expect.any(String), code: 'ACCESS_DENIED' });
  await until(() => state.left === 1);
  expect(await outcomes(stall)).toEqual(['refused']);
});

test('revoking the grant ends a stream that never falls silent', async () => {
  const { stall, reader, ask } = await openScripted(async function* ({ signal }) {
    for (; !signal.aborted; await Bun.sleep(5)) yield text('word ');
  });
  const response = await ask();
  const body = response.text();
  await stall.app.admin.grants.revoke(reader.email, 'paid-book', null);
  expect(parseEvents(await body).at(-1)).toMatchObject({ event: 'error', data: { code: 'ACCESS_DENIED' } });
});

test('the fifth open answer of an account is 429 with Retry-After 1, another account is served', async () => {
  const { state, script } = createPatient([text('One. ')]);
  const { stall, ask } = await openScripted(script);
  const leaving = new AbortController();
  const open = await Promise.all([1, 2, 3, 4].map(() => ask(leaving.signal)));
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const fifth = await ask();
  expect([fifth.status, fifth.headers.get('retry-after'), fifth.headers.get('ratelimit')]).toEqual([
    429,
    '1',
    null,
  ]);
  expect(await fifth.json()).toMatchObject({ code: 'RATE_LIMITED' });
  const other = await stall.reader('other@example.org', 'paid-book');
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...other.headers },
    body: BODY,
  };
  const served = await stall.fetch('/api/agent/fetch', init);
  expect(served.status).toBe(200);
  await served.body?.cancel();
  leaving.abort();
  await until(() => state.left === 5);
  await until(async () => {
    const again = await ask();
    await again.body?.cancel();
    return again.status === 200;
  });
});
