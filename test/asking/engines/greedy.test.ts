// A model server that takes too much time, memory, tokens or log space.
import { describe, expect, test } from 'bun:test';
import { itemYaml, SHELF, until } from '../../helpers/harness.ts';
import { openModelStall } from './model-stall.ts';
import { openMessages } from './scripted-messages.ts';

const messages = await openMessages(() => {});
const { stall, ask, post, row } = await openModelStall(messages);
const QUOTED = 'It saves heat: “the cold water would otherwise chill both” [1].';

test('an answer ends with its message, even if the server keeps the connection open', async () => {
  messages.play((line) => {
    line.start();
    line.text([QUOTED]);
    line.send({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } });
    line.send({ type: 'message_stop' });
  });
  const { done } = await ask();
  expect(done).toMatchObject({ outcome: 'answered', outputTokens: 9 });
  await until(() => messages.open() === 0);
});

test('a content type that repeats the key is not logged', async () => {
  messages.play((line) => line.status(200, {}, { 'content-type': 'sk-very-secret-key' }));
  expect((await ask()).code).toBe('MODEL_FAILED');
  expect(JSON.stringify(stall.log)).not.toContain('sk-very-secret-key');
});

test.each(['compat', 'anthropic'] as const)('an endless error body is not read: %s', async (engine) => {
  let taken = () => 0;
  const other = await openModelStall(messages, { engine });
  messages.play((line) => void (taken = line.flood(401)));
  expect((await other.ask()).code).toBe('MODEL_FAILED');
  await until(() => messages.open() === 0);
  expect(taken()).toBeLessThan(32 * 2 ** 20);
});

describe('tokens', () => {
  test('of an abandoned answer count as far as it had come', async () => {
    messages.play(async (line) => {
      line.start();
      for (let n = 0; n < 400; n++) line.delta('It rests in the marsh all day long. ');
      await line.gone;
    });
    const controller = new AbortController();
    const reader = (await post(undefined, { signal: controller.signal })).body!.getReader();
    for (let bytes = 0; bytes < 400 * 36;) bytes += (await reader.read()).value?.length ?? 0;
    controller.abort();
    await until(async () => (await row())?.outcome === 'abandoned');
    expect((await row())?.outputTokens).toBeGreaterThan(3000);
  });

  test.each(['{}', '{"output_tokens":1}'])('are estimated if the server counts %s', async (told) => {
    messages.play((line) => {
      line.start();
      line.text(['It rests. '.repeat(400), QUOTED]);
      line.stop('end_turn', JSON.parse(told));
    });
    expect((await ask()).done?.outputTokens).toBeGreaterThan(900);
  });

  test.each(['1e999', '1e300', '1152921504606846976', '100000000'])(
    'that no request can have, %s, are estimated instead',
    async (many) => {
      messages.play((line) => {
        line.raw(
          `data: {"type":"message_start","message":{"usage":{"input_tokens":${many},"output_tokens":${many}}}}\n\n`,
        );
        line.text([QUOTED]);
        line.stop();
      });
      expect((await ask()).done?.outcome).toBe('answered');
      const { outcome, inputTokens, outputTokens } = (await row())!;
      expect(outcome).toBe('answered');
      expect(inputTokens).toBeGreaterThan(10);
      expect(inputTokens + outputTokens).toBeLessThan(1000);
    },
  );

  test('of a prompt sent twice count twice', async () => {
    const paragraph = (n: number) => `Heron ${n} stands on one leg in the marsh and waits. `.repeat(12);
    const long = Array.from({ length: 20 }, (_, n) => `## Part ${n}\n\n${paragraph(n)}\n`).join('\n');
    const files = {
      ...SHELF,
      'books/paid-book/01.md': long,
      'books/paid-book/item.yaml': itemYaml({ id: 'paid-id', unitAmountCents: 1900 }),
    };
    const other = await openModelStall(messages, {}, files);
    messages.play((line, _, attempt) => {
      line.start({ input_tokens: attempt === 1 ? 900 : 5000, output_tokens: 1 });
      line.text(['It waits: “stands on one leg in the marsh and waits” [1].']);
      line.stop();
    });
    expect((await other.ask()).done).toMatchObject({ inputTokens: 5900, outputTokens: 10 });
    expect(await other.row()).toMatchObject({ inputTokens: 5900, outputTokens: 10 });
  });

  test('of a question that was accepted and then cut are estimated', async () => {
    messages.play((line) => (line.raw(': hello\n\n'), void setTimeout(line.reset, 50)));
    expect((await ask()).code).toBe('MODEL_FAILED');
    expect((await row())?.inputTokens).toBeGreaterThan(10);
    messages.play((line) => line.status(401));
    expect((await ask()).code).toBe('MODEL_FAILED');
    expect((await row())?.inputTokens).toBe(0);
  });
});
