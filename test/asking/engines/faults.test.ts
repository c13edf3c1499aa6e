import { expect, test } from 'bun:test';
import { until } from '../../helpers/harness.ts';
import { modelConfig, openModelStall } from './model-stall.ts';
import { type Line, openMessages, type Script } from './scripted-messages.ts';

// Long enough for a busy machine: an attempt and its repetition must fit.
const TIMEOUTS = { firstByte: 1500, idle: 1500, total: 3500 };
const elsewhere = await openMessages((line) => line.say(['Stolen.']));
const messages = await openMessages(() => {});
const asMessages = await openModelStall(messages, { timeouts: TIMEOUTS });
const chat = await openMessages(() => {});
const asChat = await openModelStall(chat, { timeouts: TIMEOUTS, protocol: 'chat' });
const SERVERS = [
  [messages, asMessages],
  [chat, asChat],
] as const;
const { stall, ask } = asMessages;

const QUOTED = 'It saves heat: “the cold water would otherwise chill both” [1].';
const begun =
  (more: (line: Line) => void): Script =>
  (line) => {
    line.start();
    line.delta('It rests. ');
    more(line);
  };
const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Script =>
  (line) =>
    line.status(
      code,
      { type: 'error', error: { type: 'some_error', message: 'secret of the upstream' } },
      headers,
    );

const NESTED = '['.repeat(400_000) + ']'.repeat(400_000);

type Expected = readonly [status: number, end: string, logged: string, requests: number];
const FAILED: Expected = [502, 'MODEL_FAILED', 'failed', 1];
const CUT: Expected = [200, 'MODEL_FAILED', 'failed', 1];
// The second pause is longer than these timeouts.
const BUSY: Expected = [503, 'MODEL_UNAVAILABLE', 'failed', 2];
const LATE: Expected = [504, 'MODEL_TIMEOUT', 'failed', 1];
const STALLED: Expected = [200, 'MODEL_TIMEOUT', 'failed', 1];
const ANSWERED: Expected = [200, 'answered', 'answered', 1];

/** The fourth says what chat completions come to, if it differs; null if they send nothing like it. */
test.each<[string, Script, Expected, (Expected | null)?]>([
  ['reset before its first byte', (line) => line.reset(), BUSY],
  ['silent before its first byte', () => {}, LATE],
  ['silent after its headers', (line) => line.raw(': hello\n\n'), LATE],
  ['silent after its first words', begun(() => {}), STALLED],
  ['reset after its first words', begun((line) => void setTimeout(line.reset, 100)), CUT],
  ['cut before message_stop', begun((line) => line.end()), CUT],
  ['closed without an event', (line) => (line.raw(''), line.end()), FAILED],
  ['JSON in place of events', (line) => line.status(200, { type: 'message', content: [] }), FAILED],
  ['HTML in place of events', (line) => line.status(200, '<html>', { 'content-type': 'text/html' }), FAILED],
  [
    'another protocol',
    (line) => (line.raw('data: {"choices":[{"delta":{"content":"hi"}}]}\n\ndata: [DONE]\n\n'), line.end()),
    FAILED,
    null,
  ],
  ['no event lines', (line) => (line.nameless(), line.say([QUOTED])), ANSWERED],
  ['bad JSON', begun((line) => line.raw('event: content_block_delta\ndata: {"type":\n\n')), CUT],
  ['400,000 lists in each other', begun((line) => line.raw(`data: ${NESTED}\n\n`)), CUT],
  ['400,000 values in one event', begun((line) => line.raw(`data: [0${',0'.repeat(400_000)}]\n\n`)), CUT],
  ['message_start twice', (line) => (line.start(), line.say([QUOTED])), ANSWERED],
  [
    'no usage',
    (line) => (
      line.send({ type: 'message_start', message: {} }),
      line.text([QUOTED]),
      line.stop('end_turn', null)
    ),
    ANSWERED,
    [200, 'answered', 'answered', 2],
  ],
  ['400', status(400), FAILED, [502, 'MODEL_FAILED', 'failed', 2]],
  ['401', status(401), FAILED],
  ['403', status(403), FAILED],
  ['413', status(413), FAILED],
  [
    '429 with a huge Retry-After',
    status(429, { 'retry-after': '86400' }),
    [503, 'MODEL_UNAVAILABLE', 'failed', 1],
  ],
  ['307 elsewhere', status(307, { location: `${elsewhere.url}/v1/messages` }), FAILED],
  [
    'an overload mid-stream',
    begun((line) =>
      line.send({ type: 'error', error: { type: 'overloaded_error', message: 'secret of the upstream' } }),
    ),
    [200, 'MODEL_UNAVAILABLE', 'failed', 1],
  ],
  [
    'another error mid-stream',
    begun((line) => line.send({ type: 'error', error: { type: 'invalid_request_error' } })),
    CUT,
  ],
  [
    'thinking first',
    (line) => {
      line.start();
      line.send({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: 'hidden thought' },
      });
      line.send({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'thinking_delta', thinking: 'hidden thought' },
      });
      line.send({ type: 'content_block_stop', index: 0 });
      line.text([QUOTED], [], 1);
      line.stop();
    },
    ANSWERED,
  ],
  [
    'thinking in its text',
    (line) => line.say(['<thi', 'nk>hidden thought</th', 'ink>\n\n', QUOTED]),
    ANSWERED,
  ],
  [
    '[DONE] at the end',
    (line) => (
      line.start(),
      line.text([QUOTED]),
      line.send({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }),
      line.raw('data: [DONE]\n\n'),
      line.end()
    ),
    ANSWERED,
  ],
  ['indices that are wrong', (line) => (line.start(), line.delta(QUOTED, -1), line.stop()), ANSWERED],
  [
    'unknown events and fields',
    (line) => (
      line.send({ type: 'constructor' }),
      line.send({ type: 'ping' }),
      line.start(),
      line.send({ type: 'content_block_delta', delta: { type: 'new_delta', text: 'x' } }),
      line.text([QUOTED]),
      line.stop()
    ),
    ANSWERED,
  ],
  [
    'CR LF and bytes one by one',
    async (line) => {
      const event = `event: content_block_delta\r\ndata: ${JSON.stringify({ type: 'content_block_delta', delta: { type: 'text_delta', text: QUOTED } })}\r\n\r\n`;
      line.start();
      for (const letter of event) line.raw(letter);
      line.stop();
    },
    ANSWERED,
    null,
  ],
  [
    'a stream without an end',
    async (line) => {
      line.start();
      for (const timer = performance.now(); performance.now() - timer < 2500; await Bun.sleep(20))
        line.delta('and on ');
    },
    STALLED,
  ],
  [
    'pings without an end',
    async (line) => {
      for (const timer = performance.now(); performance.now() - timer < 2500; await Bun.sleep(50))
        line.raw('event: ping\ndata: {"type": "ping"}\n\n');
    },
    LATE,
  ],
  [
    'a line without an end',
    (line) => {
      for (let i = 0; i < 90; i++) line.raw('x'.repeat(50_000));
    },
    FAILED,
  ],
  ['a refusal', (line) => (line.start(), line.stop('refusal')), [200, 'declined', 'declined', 1]],
  ['max_tokens', (line) => (line.start(), line.text([QUOTED]), line.stop('max_tokens')), ANSWERED],
  [
    'a window exceeded',
    (line) => (line.start(), line.text([QUOTED]), line.stop('model_context_window_exceeded')),
    ANSWERED,
  ],
  ['not a word', (line) => (line.start(), line.stop()), [200, 'unsupported', 'unsupported', 1]],
])(
  'a model server with %s: one end, a true row, no connection left',
  async (name, script, expected, inChat = expected) => {
    const examine = async ([server, { stall, ask, row }]: (typeof SERVERS)[number], to: Expected | null) => {
      if (to === null) return;
      const [code, end, logged, requests] = to;
      server.play(script);
      const answer = await ask();
      expect([answer.status, answer.done?.outcome ?? answer.code]).toEqual([code, end]);
      const ends = answer.events.filter(({ event }) => event !== 'chunk');
      expect(ends).toHaveLength(code === 200 ? 1 : 0);
      expect(await row()).toMatchObject({
        outcome: logged,
        engine: 'compat',
        latencyMs: expect.any(Number) as number,
      });
      expect(server.received).toHaveLength(requests);
      expect(answer.done?.truncated ?? false).toBe(/max_tokens|exceeded/.test(name));
      // A citation's own address is the stall's.
      expect(answer.body.replaceAll(stall.url, '')).not.toMatch(
        /secret|hidden thought|127\.0\.0\.1|some_error/,
      );
      await until(() => server.open() === 0);
      expect(elsewhere.received).toHaveLength(0);
    };
    await Promise.all([examine(SERVERS[0], expected), examine(SERVERS[1], inChat)]);
  },
);

test.each([500, 503, 529, 429])(
  'a model server that answers %d is asked three times, then unavailable',
  async (code) => {
    const examine = async (server: typeof messages, protocol: 'messages' | 'chat') => {
      server.play(status(code, { 'retry-after': '0' }));
      // The pauses of two retries are longer than the other tests' timeouts.
      const patient = await openModelStall(server, { protocol });
      const answer = await patient.ask();
      expect([answer.status, answer.code, server.received.length]).toEqual([503, 'MODEL_UNAVAILABLE', 3]);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    };
    await Promise.all([examine(messages, 'messages'), examine(chat, 'chat')]);
  },
);

test('a model server that is busy once answers at the second attempt', async () => {
  messages.play((line, _, attempt) => (attempt === 1 ? line.status(529) : line.say([QUOTED])));
  expect((await ask()).done).toMatchObject({ outcome: 'answered' });
  expect(messages.received).toHaveLength(2);
});

test.each(['messages', 'chat'] as const)('a %s server that does not run is unavailable', async (protocol) => {
  const gone = await openMessages(() => {});
  gone.close();
  const { ask: askGone, row: rowGone } = await openModelStall(gone, { protocol });
  const answer = await askGone();
  expect([answer.status, answer.code]).toEqual([503, 'MODEL_UNAVAILABLE']);
  expect(await rowGone()).toMatchObject({ outcome: 'failed', inputTokens: 0, outputTokens: 0 });
});

test('no line of the log contains a key or a question', () => {
  expect(stall.log.length).toBeGreaterThan(30);
  const lines = JSON.stringify([stall.log, asChat.stall.log]);
  expect(lines).not.toContain(modelConfig('').key);
  expect(lines).not.toMatch(/one leg|secret of the upstream|hidden thought/);
});
