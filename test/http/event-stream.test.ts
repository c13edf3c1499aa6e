import { expect, test } from 'bun:test';
import { frame, openEventStream } from '../../src/http/event-stream.ts';

const SILENCE = 120;
const decoder = new TextDecoder();

async function collect(source: AsyncGenerator<string>): Promise<string> {
  const frames = await openEventStream(
    source,
    (data) => frame('chunk', data),
    () => frame('error', 'failed'),
    SILENCE,
  );
  let sent = '';
  for await (const chunk of frames) sent += decoder.decode(chunk);
  return sent;
}

test('an event is its name and one line of data, whatever the data holds', () => {
  expect(decoder.decode(frame('chunk', { text: 'a\nb\r\n\nid: 5\nevent: done\u2028' }))).toBe(
    'event: chunk\ndata: {"text":"a\\nb\\r\\n\\nid: 5\\nevent: done\u2028"}\n\n',
  );
});

test('a source that speaks in time gets no comment', async () => {
  async function* source() {
    yield 'a';
    yield 'b';
  }
  expect(await collect(source())).toBe('event: chunk\ndata: "a"\n\nevent: chunk\ndata: "b"\n\n');
});

test('silence before the first event commits the answer, and every silence gets comment lines', async () => {
  async function* source() {
    await Bun.sleep(SILENCE * 3.5);
    yield 'a';
    await Bun.sleep(SILENCE * 2.5);
    yield 'b';
  }
  const start = performance.now();
  const opened = await openEventStream(
    source(),
    (data) => frame('chunk', data),
    () => frame('error', ''),
    SILENCE,
  );
  expect(performance.now() - start).toBeLessThan(SILENCE * 3);
  let sent = '';
  for await (const chunk of opened) sent += decoder.decode(chunk);
  const blocks = sent.split('\n\n').filter((block) => block !== '');
  expect(blocks.map((block) => block[0]).join('')).toMatch(/^:{2,4}e:{1,3}e$/);
});

test('what is thrown before the first event is thrown; after a silence it is the last event', async () => {
  async function* source(pause: number): AsyncGenerator<string> {
    await Bun.sleep(pause);
    throw new Error('broken');
  }
  await expect(collect(source(0))).rejects.toThrow('broken');
  expect(await collect(source(SILENCE * 1.5))).toEndWith('event: error\ndata: "failed"\n\n');
});

test('leaving a stream returns its source', async () => {
  let isReturned = false;
  async function* source() {
    try {
      yield 'a';
      yield 'b';
    } finally {
      isReturned = true;
    }
  }
  const frames = await openEventStream(
    source(),
    (data) => frame('chunk', data),
    () => frame('error', ''),
    SILENCE,
  );
  await frames.next();
  await frames.return(undefined);
  expect(isReturned).toBe(true);
});
