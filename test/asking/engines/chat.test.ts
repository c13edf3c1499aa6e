// Chat completions: what differs from the Messages API. The faults and lies that both meet are in faults.test.ts and
// hostile.test.ts.
import { expect, test } from 'bun:test';
import type { ModelConfig } from '../../../src/platform/config/model.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { examineStall } from '../../../src/office/doctor/doctor.ts';
import { createSubject } from '../../../src/office/doctor/subject.ts';
import { itemYaml, SHELF } from '../../helpers/harness.ts';
import { modelConfig, openModelStall } from './model-stall.ts';
import { type Line, openMessages, type Received, type Script } from './scripted-messages.ts';

const messages = await openMessages((line) => line.say(['x']));
const QUOTED = 'It saves heat: “the cold water would otherwise chill both” [1].';
const CHAT = { protocol: 'chat' } as const;

/** A stream that counts no tokens. */
const sayUncounted = (line: Line, text: string): void => {
  line.start(null);
  line.text([text]);
  line.stop('end_turn', null);
};
const chunk = (content: string, finish_reason: string): string => {
  const usage = { prompt_tokens: 31, completion_tokens: 12 };
  return `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason }], usage })}\n\n`;
};
const promptOf = ({ body }: Received): string => String(body.messages[0]!.content[0]!['text']);
const isProbe = (received: Received): boolean => /^The first number is \d/.test(promptOf(received));
const numbersOf = (received: Received): string[] => promptOf(received).match(/\d{5}/g) ?? [];
const probes = (): Received[] => messages.received.filter(isProbe);

/** Answers a probe with the numbers of these places, and any question with a quote; it counts no tokens. */
const uncounted =
  (quote: string, ...places: readonly number[]): Script =>
  (line, received) =>
    sayUncounted(
      line,
      isProbe(received) ? places.map((place) => numbersOf(received)[place]).join(', ') : quote,
    );

test('a question goes as one chat with the prompt of the Messages API, and its answer is cited and counted', async () => {
  const [asMessages, asChat] = [await openModelStall(messages), await openModelStall(messages, CHAT)];
  messages.play((line) => line.say([...QUOTED]));
  await asMessages.ask();
  const { done, text } = await asChat.ask();
  expect(text).toMatch(/“…the cold water would otherwise chill both” \[1\]/);
  expect(done).toMatchObject({ outcome: 'answered', engine: 'compat', inputTokens: 20, outputTokens: 9 });
  const [one, other] = messages.received;
  expect(other).toMatchObject({
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer sk-very-secret-key' },
    body: {
      model: 'script-1',
      max_tokens: 2048,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
    },
  });
  const unseeded = (text: string) => text.replace(/question-[0-9a-f]{8}/g, 'question');
  expect(other!.body.system).toBe(one!.body.system);
  expect(unseeded(promptOf(other!))).toBe(
    unseeded(one!.body.messages[0]!.content.map(({ text }) => text).join('\n\n')),
  );
});

test('tokens that are counted after the last words count', async () => {
  const { ask } = await openModelStall(messages, CHAT);
  messages.play((line) => {
    line.start(null);
    line.text([QUOTED]);
    line.raw('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n');
    line.raw('data: {"choices":[],"usage":{"prompt_tokens":31,"completion_tokens":12}}\n\n');
    line.raw('data: [DONE]\n\n');
  });
  expect((await ask()).done).toMatchObject({ outcome: 'answered', inputTokens: 31, outputTokens: 12 });
});

test('words and the reason to stop may come in one chunk', async () => {
  const { ask } = await openModelStall(messages, CHAT);
  messages.play((line) => {
    line.raw(chunk(QUOTED, 'length'));
    line.end();
  });
  expect((await ask()).done).toMatchObject({ outcome: 'answered', truncated: true, inputTokens: 31 });
});

test('an empty reason is none, and a stream may end by [DONE] alone', async () => {
  const { ask } = await openModelStall(messages, CHAT);
  messages.play(async (line) => {
    line.raw(chunk('It saves heat: ', ''));
    // Longer than an answer that has its reason is waited for.
    await Bun.sleep(800);
    line.raw(`${chunk('“the cold water would otherwise chill both” [1].', '')}data: [DONE]\n\n`);
  });
  expect((await ask()).done).toMatchObject({ outcome: 'answered', truncated: false, outputTokens: 12 });
});

test.each([400, 422])(
  'a server that refuses stream_options with %d is asked without, and from then on at once',
  async (code) => {
    const { ask } = await openModelStall(messages, CHAT);
    messages.play((line, { body }) =>
      'stream_options' in body ? line.status(code, { error: { type: 'x' } }) : line.say([QUOTED]),
    );
    for (const requests of [2, 3]) {
      expect((await ask()).done).toMatchObject({ outcome: 'answered' });
      expect(messages.received).toHaveLength(requests);
    }
  },
);

test('a server that refuses a question for another reason is asked for its tokens again', async () => {
  const { ask } = await openModelStall(messages, CHAT);
  messages.play((line, _, attempt) => (attempt <= 2 ? line.status(400) : line.say([QUOTED])));
  expect(await ask()).toMatchObject({ status: 502, code: 'MODEL_FAILED' });
  expect((await ask()).done).toMatchObject({ outcome: 'answered' });
  expect(messages.received.map(({ body }) => 'stream_options' in body)).toEqual([true, false, true]);
});

test('an answer of the Messages API is another protocol', async () => {
  const { ask } = await openModelStall(messages, CHAT);
  messages.play((line) => {
    line.raw('event: message_start\ndata: {"type":"message_start","message":{}}\n\n');
    line.raw('event: message_stop\ndata: {"type":"message_stop"}\n\n');
    line.end();
  });
  expect(await ask()).toMatchObject({ status: 502, code: 'MODEL_FAILED' });
});

const paragraph = (i: number) => `Heron ${i} stands on one leg in the marsh and waits. `.repeat(12);
const LONG = {
  ...SHELF,
  'books/paid-book/01.md': Array.from({ length: 20 }, (_, i) => `## Part ${i}\n\n${paragraph(i)}\n`).join(
    '\n',
  ),
  'books/paid-book/item.yaml': itemYaml({ id: 'paid-id', unitAmountCents: 1900 }),
};
const WAITS = 'It waits: “stands on one leg in the marsh” [1].';

test('without usage tokens are estimated, and one prompt of the largest size asks for three numbers', async () => {
  const { ask, row, stall } = await openModelStall(messages, CHAT, LONG);
  messages.play(uncounted(WAITS, 0, 1, 2));
  const { done } = await ask();
  expect(done).toMatchObject({ outcome: 'answered', outputTokens: Math.ceil(WAITS.length / 4) });
  const [question, probe] = messages.received;
  expect(isProbe(question!)).toBe(false);
  const lines = promptOf(probe!).split('\n');
  const places = numbersOf(probe!).map((number) => lines.findIndex((line) => line.includes(number)));
  expect(places).toEqual([0, (lines.length - 1) / 2, lines.length - 1]);
  // The largest prompt of these settings: three quarters of the window without the answer's tokens.
  expect(promptOf(probe!).length / promptOf(question!).length).toBeWithin(0.95, 1.6);
  // Both prompts cost.
  expect(done!.inputTokens).toBeGreaterThan(7000);
  expect(await row()).toMatchObject({ inputTokens: done!.inputTokens });
  await ask();
  expect(probes()).toHaveLength(1);
  expect(stall.log.filter(({ event }) => event === 'model-no-usage')).toMatchObject([{ prompts: 'whole' }]);
});

test.each([
  ['the first number is missing', [1, 2]],
  ['the middle number is missing', [0, 2]],
  ['the last number is missing', [0, 1]],
])('a prompt was cut if %s: the answer is refused, and so is the next, unasked', async (_, places) => {
  const { ask, row, stall } = await openModelStall(messages, CHAT, LONG);
  messages.play(uncounted(WAITS, ...places));
  expect(await ask()).toMatchObject({ status: 502, code: 'MODEL_FAILED' });
  expect(messages.received).toHaveLength(2);
  expect((await row())!.inputTokens).toBeGreaterThan(7000);
  expect(await ask()).toMatchObject({ status: 502, code: 'MODEL_FAILED' });
  expect(messages.received).toHaveLength(2);
  expect(await row()).toMatchObject({ outcome: 'failed', inputTokens: 0, outputTokens: 0 });
  expect(stall.log.filter(({ event }) => event === 'model-cut-prompt')).toHaveLength(2);
});

test.each<[string, Script]>([
  ['is garbled', (line) => sayUncounted(line, '17, then 4')],
  ['fails', (line) => line.status(401)],
])('a test for three numbers that %s is made again after ten minutes', async (_, script) => {
  let time = Date.now();
  const { ask } = await openModelStall(messages, CHAT, LONG, () => time);
  messages.play((line, received, attempt) =>
    isProbe(received) ? script(line, received, attempt) : sayUncounted(line, WAITS),
  );
  await ask();
  time += 9 * 60_000;
  await ask();
  expect(probes()).toHaveLength(1);
  messages.play(uncounted(WAITS, 0, 1, 2));
  time += 2 * 60_000;
  for (const _ of [1, 2]) expect((await ask()).done).toMatchObject({ outcome: 'answered' });
  time += 60 * 60_000;
  expect((await ask()).done).toMatchObject({ outcome: 'answered' });
  expect(probes()).toHaveLength(1);
});

test.each<[string, Script]>([
  ['refuses the long prompt as too long', (line) => line.status(400, { error: 'maximum context length' })],
  ['fails', (line) => line.status(401)],
  ['only thinks', (line) => sayUncounted(line, '<think>Where')],
])('a server that counts no tokens and %s: answers are given', async (_, script) => {
  const { ask } = await openModelStall(messages, CHAT, LONG);
  messages.play((line, received, attempt) =>
    isProbe(received) ? script(line, received, attempt) : sayUncounted(line, WAITS),
  );
  for (const _ of [1, 2]) expect((await ask()).done).toMatchObject({ outcome: 'answered' });
  expect(probes()[0]).toBeDefined();
  expect(isProbe(messages.received.at(-1)!)).toBe(false);
});

test('where usage is given, no prompt is asked for numbers, and a cut one shows by the count', async () => {
  const { ask } = await openModelStall(messages, CHAT, LONG);
  messages.play((line) => (line.start({ input_tokens: 300 }), line.text([WAITS]), line.stop()));
  expect(await ask()).toMatchObject({ status: 502, code: 'MODEL_FAILED' });
  expect(probes()).toHaveLength(0);
  expect(messages.received).toHaveLength(2);
});

const { content, data } = (await openModelStall(messages)).stall;
const config = { ...readConfig({}, { environment: {} }), content, data };

/** The doctor's finding about the engine. */
async function diagnose(more: Partial<ModelConfig>) {
  const subject = createSubject({ ...config, model: modelConfig(messages.url, more) }, { state: 'stopped' });
  for await (const diagnosis of examineStall({ ...subject, entries: async () => [] }))
    if (diagnosis.check === 'engine') return diagnosis;
  throw new Error('There is no check "engine"');
}

const CITED = '“the cold water of the marsh would otherwise chill both of them” [1]';
const HONEST = { input_tokens: 5000, output_tokens: 1 };
/** A server that speaks one of the two. */
const only =
  (path: string): Script =>
  (line, received) =>
    received.path === path
      ? (line.start(HONEST), line.text([CITED]), line.stop())
      : line.status(404, { error: { type: 'not_found_error' } });

test.each<[string, Script, Partial<ModelConfig>, object]>([
  [
    'the Messages API',
    only('/v1/messages'),
    {},
    { status: 'ok', sentence: 'speaks the Messages API, read 5000 tokens' },
  ],
  [
    'chat completions',
    only('/v1/chat/completions'),
    CHAT,
    { status: 'ok', sentence: 'speaks chat completions, read 5000 tokens' },
  ],
  [
    'chat completions, not the Messages API',
    only('/v1/chat/completions'),
    {},
    {
      status: 'fail',
      sentence: 'speaks chat completions, not the Messages API',
      remedy: 'Set BOOKSTALL_MODEL_PROTOCOL=chat',
    },
  ],
  [
    'the Messages API, not chat completions',
    only('/v1/messages'),
    CHAT,
    {
      status: 'fail',
      sentence: 'speaks the Messages API, not chat completions',
      remedy: 'Set BOOKSTALL_MODEL_PROTOCOL=messages',
    },
  ],
  [
    'neither',
    (line) => line.status(404),
    CHAT,
    {
      status: 'fail',
      sentence: 'gave no answer: The model server refused (404)',
      remedy: 'speaks chat completions at',
    },
  ],
  ['neither, busy', (line) => line.status(503), CHAT, { status: 'fail', sentence: 'gave no answer' }],
  [
    'chat completions, uncounted',
    uncounted(CITED, 0, 1, 2),
    CHAT,
    {
      status: 'ok',
      sentence: 'by estimate in two prompts: it counts none (long ones: whole)',
    },
  ],
  [
    'chat completions, and cuts',
    uncounted(CITED, 2),
    CHAT,
    {
      status: 'fail',
      sentence: 'cuts prompts that are longer than its context size',
      remedy: 'BOOKSTALL_CONTEXT_TOKENS',
    },
  ],
])('the doctor says of an address that speaks %s', async (name, script, more, expected) => {
  messages.play(script);
  const { status, sentence, remedy } = await diagnose(more);
  // One that is busy is asked again, but not in the other protocol.
  if (name === 'neither, busy') expect(messages.received).toHaveLength(3);
  const said = expected as { readonly status: string; readonly sentence: string; readonly remedy?: string };
  expect([status, sentence, remedy ?? '']).toEqual([
    said.status,
    expect.stringContaining(said.sentence),
    expect.stringContaining(said.remedy ?? ''),
  ]);
});
