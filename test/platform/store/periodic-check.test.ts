import { expect, test } from 'bun:test';
import { withPeriodicCheck } from '../../../src/asking/answer.ts';
import { until } from '../../helpers/harness.ts';

const { signal } = new AbortController();

test('an event is not kept in memory after it was passed on', async () => {
  const passed: WeakRef<object>[] = [];
  async function* source() {
    for (let n = 0; n < 500; n++) {
      const event = { text: 'x'.repeat(1000) + n };
      passed.push(new WeakRef(event));
      yield event;
    }
    await Bun.sleep(50);
    Bun.gc(true);
    yield { alive: passed.filter((event) => event.deref() !== undefined).length };
  }
  let last = {};
  for await (const event of withPeriodicCheck<object>(source(), signal, () => {})) last = event;
  expect((last as { alive: number }).alive).toBeLessThan(50);
});

test('a silent stream is checked, and an error of the check ends it and returns the source', async () => {
  let isReturned = false;
  async function* source() {
    try {
      yield 'a';
      await Bun.sleep(5000);
      yield 'b';
    } finally {
      isReturned = true;
    }
  }
  const events: string[] = [];
  const check = (): void => {
    throw new Error('no longer');
  };
  const read = async (): Promise<void> => {
    for await (const event of withPeriodicCheck(source(), signal, check)) events.push(event);
  };
  await expect(read()).rejects.toThrow('no longer');
  expect(events).toEqual(['a']);
  await until(() => isReturned);
});

test('an aborted signal ends a silent stream without an error', async () => {
  const controller = new AbortController();
  async function* source() {
    yield 'a';
    await new Promise(() => {});
  }
  const events = withPeriodicCheck(source(), controller.signal, async () => {});
  expect((await events.next()).value).toBe('a');
  setTimeout(() => controller.abort(), 20);
  expect(await events.next()).toEqual({ done: true, value: undefined });
});
