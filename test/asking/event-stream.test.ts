import { expect, test } from 'bun:test';
import { encodeEvent, openEventStream } from '../../src/asking/event-stream.ts';

const SILENCE = 120;
const decoder = new TextDecoder();

async function collect(source: AsyncGenerator<string>): Promise<string> {
  const frames = await openEventStream(source, {
    encode: (data) => encodeEvent('chunk', data),
    onError: () => encodeEvent('error', 'failed'),
    silence: SILENCE,
  });
  let sent = '';
  for await (const chunk of frames) sent += decoder.decode(chunk);
  return sent;
}

test('an event is its name and one line of data, whatever the data holds', () => {
  expect(decoder.decode(encodeEvent('chunk', { text: 'a\nb\r\n\nid: 5\nevent: done\u2028' }))).toBe(
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
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* source() {
    await first.promise;
    yield 'a';
    await second.promise;
    yield 'b';
  }
  const start = performance.now();
  const opened = await openEventStream(source(), {
    encode: (data) => encodeEvent('chunk', data),
    onError: () => encodeEvent('error', ''),
    silence: SILENCE,
  });
  // The source has said nothing yet.
  let sent = '';
  const kinds = (): string => sent.replaceAll(/([:e]).*\n(?:data.*\n)?\n/g, '$1');
  for await (const chunk of opened) {
    sent += decoder.decode(chunk);
    if (kinds().startsWith('::')) first.resolve();
    if (kinds().includes('e:')) second.resolve();
  }
  expect(kinds()).toMatch(/^:{2,}e:+e$/);
  // No comment comes before its silence.
  const comments = kinds().replaceAll('e', '').length;
  expect(performance.now() - start).toBeGreaterThan(comments * (SILENCE - 5));
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
  const frames = await openEventStream(source(), {
    encode: (data) => encodeEvent('chunk', data),
    onError: () => encodeEvent('error', ''),
    silence: SILENCE,
  });
  await frames.next();
  await frames.return(undefined);
  expect(isReturned).toBe(true);
});
