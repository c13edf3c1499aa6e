// Faults that a review of answers found, one test each.
import { describe, expect, test } from 'bun:test';
import { itemYaml, SHELF, until } from '../../helpers/harness.ts';
import { openModelStall } from './model-stall.ts';
import { type Line, openMessages } from './scripted-messages.ts';

const messages = await openMessages(() => {});
const { stall, ask, row } = await openModelStall(messages);
const anthropic = await openModelStall(messages, { engine: 'anthropic' });
const QUOTED = 'It saves heat: “the cold water would otherwise chill both” [1].';
const SHOWN = 'It saves heat: “…the cold water would otherwise chill both” [1].';
const POINTER = {
  type: 'search_result_location',
  search_result_index: 0,
  start_block_index: 0,
  end_block_index: 1,
};
const stopped = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } };

describe('an answer with citations of its own', () => {
  test.each([
    [
      'a false quotation loses its marks',
      'They say “herons are lazy birds all day long”.',
      'They say herons are lazy birds all day long. [1]',
    ],
    [
      'a true quotation is the slice of the book',
      'It saves heat: “the cold water … otherwise chill both”.',
      'It saves heat: “…the cold water would otherwise chill both” [1].',
    ],
    ['markers of the model are dropped', 'It saves heat[1]. [2] 【1】', 'It saves heat. [1]'],
  ])('%s', async (_, said, expected) => {
    for (const pieces of [[said], [...said]]) {
      messages.play((line) => line.say(pieces, [POINTER]));
      const { done, text } = await anthropic.ask();
      expect(text).toBe(expected);
      expect(done).toMatchObject({ outcome: 'answered', citations: [{ n: 1 }] });
    }
  });

  test('a quotation of another paragraph than the cited one loses its marks', async () => {
    const files = {
      ...SHELF,
      'books/paid-book/item.yaml': itemYaml({ id: 'paid-id', unitAmountCents: 1900 }),
      'books/paid-book/01.md':
        '# A\n\nThe heron stands on one leg in the marsh.\n\nThe owl hunts at night in the old wood.\n',
    };
    const other = await openModelStall(messages, { engine: 'anthropic', wholeBookTokens: 1000 }, files);
    const at = {
      type: 'content_block_location',
      document_index: 0,
      start_block_index: 0,
      end_block_index: 1,
    };
    messages.play((line) => line.say(['It rests, since “the owl hunts at night in the old wood”.'], [at]));
    const { text } = await other.ask();
    expect(text).toBe('It rests, since the owl hunts at night in the old wood. [1]');
  });
});

describe.each(['compat', 'anthropic'] as const)('reasoning of %s', (engine) => {
  test.each([
    [
      'before a lone closing tag',
      ['Hidden thought. It says “stands on one leg” [7].', '</think>\n\n', QUOTED],
    ],
    ['in <thinking>', ['<thinking>Hidden thought</thinking>', QUOTED]],
    [
      'in a channel',
      [
        '<|channel|>analysis<|message|>Hidden thought<|end|><|start|>assistant<|channel|>final<|message|>',
        QUOTED,
      ],
    ],
    [
      'in the middle',
      ['<think>Hidden thought</think>It saves heat: <reasoning>hidden thought</reasoning>', QUOTED.slice(15)],
    ],
    ['in several parts', ['Hidden thought</think>Hidden thought</think>', QUOTED]],
    ['in <antThinking>', ['<antThinking>Hidden thought</antThinking>', QUOTED]],
    ['in <chain_of_thought>', ['<chain_of_thought>Hidden thought</chain_of_thought>', QUOTED]],
    ['in <cot>', ['<cot>Hidden thought</cot>', QUOTED]],
  ])('%s is never shown', async (_, pieces) => {
    // Each model is a new one, of which nothing is known.
    const other = await openModelStall(messages, { engine });
    for (const split of [pieces, [...pieces.join('')]]) {
      messages.play((line) => line.say(split));
      const { done, text, body } = await other.ask();
      expect(body).not.toMatch(/hidden/i);
      expect(text.trim()).toBe(SHOWN);
      expect(done?.outcome).toBe('answered');
    }
  });
});

describe('reasoning', () => {
  test('shown before its closing tag ends the answer, and is held back from then on', async () => {
    const timeouts = { firstByte: 60_000, idle: 60_000, total: 60_000 };
    const other = await openModelStall(messages, { timeouts });
    const script = async (line: Line): Promise<void> => {
      line.start();
      line.delta('Hidden thought. ');
      await Bun.sleep(2500);
      line.delta('More of it.</think>');
      line.text([QUOTED]);
      line.stop();
    };
    messages.play(script);
    expect(await other.ask()).toMatchObject({ status: 200, code: 'MODEL_FAILED' });
    expect(other.stall.log.some(({ event }) => event === 'model-reasoning')).toBe(true);
    messages.play(script);
    const { text, done } = await other.ask();
    expect([text, done?.outcome]).toEqual([SHOWN, 'answered']);
  });
});

test('an answer that pauses before its first quotation is shown all the same', async () => {
  messages.play(async (line) => {
    line.start();
    line.delta('It rests. ');
    await Bun.sleep(1500);
    line.text([QUOTED]);
    line.stop();
  });
  const { events } = await ask();
  expect(events[0]?.data).toEqual({ text: 'It rests.' });
});

describe('a good answer stays one', () => {
  const whole = (line: Line): void => {
    line.start();
    line.text([QUOTED]);
  };
  test.each<[string, (line: Line) => void]>([
    [
      'with more after message_stop in the same packet',
      (line) => {
        whole(line);
        const end = [stopped, { type: 'message_stop' }, { type: 'error', error: { type: 'api_error' } }];
        line.raw(`${end.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: {broken\n\n`);
        line.end();
      },
    ],
    [
      'with empty data, pings without JSON and a [DONE] with a blank',
      (line) => {
        line.raw('data:\n\ndata: \n\nevent: ping\ndata: now\n\n');
        whole(line);
        line.raw('event: keepalive\ndata: x\n\n');
        line.send(stopped);
        line.raw('data: [DONE] \n\n');
        line.end();
      },
    ],
    [
      'with its content type in capitals',
      (line) => {
        line.head('Text/Event-Stream; Charset=UTF-8');
        whole(line);
        line.stop();
      },
    ],
    [
      'cut right after its stop reason',
      (line) => {
        whole(line);
        line.send(stopped);
        setTimeout(line.reset, 50);
      },
    ],
    [
      'with an error after its stop reason',
      (line) => {
        whole(line);
        line.send(stopped);
        line.send({ type: 'error', error: { type: 'api_error' } });
        line.end();
      },
    ],
  ])('%s', async (_, script) => {
    messages.play(script);
    const { done, text } = await ask();
    expect([done?.outcome, text]).toEqual(['answered', SHOWN]);
  });

  test.each(['in silence', 'with pings'])('at once if its connection lingers %s', async (how) => {
    const timeouts = { firstByte: 60_000, idle: 60_000, total: 60_000 };
    const patient = await openModelStall(messages, { timeouts });
    messages.play(async (line) => {
      whole(line);
      line.send(stopped);
      while (how === 'with pings' && messages.open() > 0) {
        line.raw('event: ping\ndata: {}\n\n');
        await Bun.sleep(50);
      }
    });
    const { done } = await patient.ask();
    expect(done).toMatchObject({ outcome: 'answered', outputTokens: 9 });
    await until(() => messages.open() === 0);
  });

  test('with a last count of uncached tokens alone, which is no cut prompt', async () => {
    const files = {
      ...SHELF,
      'books/paid-book/item.yaml': itemYaml({ id: 'paid-id', unitAmountCents: 1900 }),
      'books/paid-book/01.md': 'The cold water would otherwise chill both of them in the marsh.\n\n'.repeat(
        200,
      ),
    };
    const other = await openModelStall(
      messages,
      { engine: 'anthropic', wholeBookTokens: 100_000, contextTokens: 100_000 },
      files,
    );
    messages.play((line) => {
      line.start({ input_tokens: 20, cache_read_input_tokens: 4000, output_tokens: 1 });
      line.text(['It saves heat.'], [{ ...POINTER, type: 'content_block_location', document_index: 0 }]);
      line.stop('end_turn', { input_tokens: 20, output_tokens: 9 });
    });
    expect((await other.ask()).done).toMatchObject({ outcome: 'answered', inputTokens: 4020 });
  });
});

test('an answer declined after some text says so', async () => {
  messages.play((line) => (line.start(), line.text([QUOTED]), line.stop('refusal')));
  const { done, text } = await ask();
  expect([done?.outcome, text]).toEqual([
    'declined',
    `${SHOWN}\n\nThe model declined to answer this question.`,
  ]);
});

test('a decomposed book is quoted in composed characters, at its own offsets', async () => {
  const content = 'Hier ist es so: der Bär läuft über die Brücke nach Köln.\n'.normalize('NFD');
  const files = {
    ...SHELF,
    'books/paid-book/item.yaml': itemYaml({ id: 'paid-id', unitAmountCents: 1900 }),
    'books/paid-book/01.md': content,
  };
  const other = await openModelStall(messages, {}, files);
  messages.play((line) => line.say(['So ist es: “der Bär läuft über die Brücke nach Köln” [1].']));
  const { done } = await other.ask('Wohin läuft der Bär?');
  expect(done?.outcome).toBe('answered');
  const [{ start, end, quote } = { start: 0, end: 0, quote: '' }] = done!.citations;
  expect(quote).toBe(content.slice(start, end));
  expect(quote.normalize('NFC')).toContain('der Bär läuft über die Brücke nach Köln');
});

test('a question longer than the window is refused before the model is asked', async () => {
  const small = await openModelStall(messages, { contextTokens: 4096 });
  messages.play((line) => line.say([QUOTED]));
  const { status, code, body } = await small.ask('鷺は'.repeat(4000).slice(0, 8000));
  expect([status, code]).toEqual([400, 'INVALID_REQUEST']);
  expect(body).toContain('shorten the question');
  expect(messages.received).toHaveLength(0);
});

test.each([
  {
    error: {
      code: 400,
      message: 'the request exceeds the available context size',
      type: 'exceed_context_size_error',
    },
  },
  { error: { type: 'BadRequestError', message: "This model's maximum context length is 4096 tokens" } },
])(
  'a prompt that the server refuses as too long is asked again with half of the passages: %j',
  async (refusal) => {
    const paragraph = (n: number) => `Heron ${n} stands on one leg in the marsh and waits. `.repeat(12);
    const files = {
      ...SHELF,
      'books/paid-book/01.md': Array.from({ length: 20 }, (_, n) => `## Part ${n}\n\n${paragraph(n)}\n`).join(
        '\n',
      ),
      'books/paid-book/item.yaml': itemYaml({ id: 'paid-id', unitAmountCents: 1900 }),
    };
    const other = await openModelStall(messages, {}, files);
    messages.play((line, _, attempt) =>
      attempt === 1
        ? line.status(400, refusal)
        : (line.start({}),
          line.text(['It waits: “stands on one leg in the marsh and waits” [1].']),
          line.stop('end_turn', {})),
    );
    expect((await other.ask()).done?.outcome).toBe('answered');
    const [first, second] = messages.received.map(({ body }) => JSON.stringify(body).length);
    expect(second!).toBeLessThan(first! * 0.7);
    messages.play((line) => line.status(400, refusal));
    const { status, body } = await other.ask();
    expect([status, messages.received.length]).toEqual([502, 2]);
    expect(body).toContain('do not fit its context window');
  },
);

test('the estimate of an answer is on disk before the model is asked', async () => {
  let atRequest: unknown;
  const limited = await openModelStall(messages, { dailyTokens: 100_000 });
  messages.play(async (line) => {
    atRequest = await limited.row();
    line.say([QUOTED]);
  });
  await limited.ask();
  expect(atRequest).toMatchObject({ outcome: 'running' });
  expect((atRequest as { inputTokens: number }).inputTokens).toBeGreaterThan(10);
  expect(await limited.row()).toMatchObject({ outcome: 'answered', inputTokens: 20, outputTokens: 9 });
});

test('an answer without an end is cut, and its connection closed', async () => {
  let sent = 0;
  messages.play(async (line) => {
    line.start();
    line.delta(`${QUOTED} `);
    let isGone = false;
    void line.gone.then(() => (isGone = true));
    for (; !isGone && sent < 8_000_000; sent += 5000) {
      line.delta('word '.repeat(1000));
      await Bun.sleep(1);
    }
  });
  const { done, text } = await ask();
  expect(done).toMatchObject({ outcome: 'answered', truncated: true });
  expect(text.length).toBeLessThan(70_000);
  await until(() => messages.open() === 0);
  expect(sent).toBeLessThan(4_000_000);
  expect(await row()).toMatchObject({ outcome: 'answered' });
  expect(stall.log.filter(({ event }) => event === 'internal-error')).toEqual([]);
});
