import { expect, test } from 'bun:test';
import { Refusal } from '../../../src/platform/base/refusal.ts';
import { parseEvents } from '../../helpers/harness.ts';
import { end, openScripted, outcomes, text } from '../../asking/engines/scripted-engine.ts';

const unavailable = new Refusal('model-unavailable', 'Cannot reach the model: try again later', 9);
// prettier-ignore
test.each<[string, Error, number, string, string | null]>([
  ['an unavailable model', unavailable, 503, 'MODEL_UNAVAILABLE', '9'],
  ['a failed model', new Refusal('model-failed', 'Cannot use the answer'), 502, 'MODEL_FAILED', null],
  ['a slow model', new Refusal('model-timeout', 'Cannot wait longer'), 504, 'MODEL_TIMEOUT', null],
  ['a bug', new Error('secret inside'), 500, 'INTERNAL', null],
])('%s: plain JSON before the first content, an error event after it', async (_, error, status, code, retryAfter) => {
  let isLate = false;
  const { stall, ask } = await openScripted(async function* () {
    if (isLate) yield text('One. ');
    throw error;
  });
  const early = await ask();
  const body = (await early.json()) as { error: string };
  expect([early.status, early.headers.get('retry-after'), body]).toEqual([status, retryAfter, { error: expect.any(String), code } as never]);
  isLate = true;
  const late = await ask();
  expect(late.status).toBe(200);
  const events = parseEvents(await late.text());
  expect(events.map(({ event, data }) => [event, data['code']])).toEqual([['chunk', undefined], ['error', code]]);
  expect(JSON.stringify([body, events])).not.toContain('secret inside');
  expect(await outcomes(stall)).toEqual(['failed', 'failed']);
});

test('an engine that stops without an end is a failed model', async () => {
  const { stall, ask } = await openScripted(async function* () {
    yield text('One. ');
  });
  expect(parseEvents(await (await ask()).text()).at(-1)).toMatchObject({
    event: 'error',
    data: { code: 'MODEL_FAILED' },
  });
  expect(await outcomes(stall)).toEqual(['failed']);
});

test('what an engine says after its end is not sent', async () => {
  const { stall, ask } = await openScripted(async function* () {
    yield text('One. ');
    yield end();
    yield text('Two. ');
    yield end();
  });
  expect(parseEvents(await (await ask()).text()).map(({ event }) => event)).toEqual(['chunk', 'done']);
  expect(await outcomes(stall)).toEqual(['unsupported']);
});
