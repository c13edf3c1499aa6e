import { expect, test } from 'bun:test';
import { openStore } from '../../../src/store/store.ts';
import { parseEvents } from '../../harness.ts';
import { openSellingStall } from '../../sales/selling-stall.ts';
import { completed, refund } from '../../sales/stripe-events.ts';
import { aborted, BODY, scriptedEngine, text } from '../scripted-engine.ts';

const BUYERS = 40;

test('refunds end the answers that are streaming to their buyers, and no other', async () => {
  const engine = scriptedEngine(async function* (question) {
    yield text('One. ');
    await aborted(question);
  });
  const stall = await openSellingStall({ engine });
  const buyers = await Promise.all(
    Array.from({ length: BUYERS }, (_, n) => stall.reader(`buyer${n}@example.org`)),
  );
  const buy = (email: string, n: number) =>
    stall.stripe(completed(`b${n}`, 0, { customer_details: { email } }));
  for (const [n, { email }] of buyers.entries()) expect((await buy(email, n)).status).toBe(200);
  const granted = await stall.reader('granted@example.org', 'paid-book');
  const ask = (headers: Record<string, string>, signal?: AbortSignal) =>
    stall.fetch('/api/agent/fetch', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: BODY,
      ...(signal === undefined ? {} : { signal }),
    });
  const leaving = new AbortController();
  const other = await ask(granted.headers, leaving.signal);
  const answers = await Promise.all(buyers.map(({ headers }) => ask(headers)));
  expect(answers.map(({ status }) => status)).toEqual(Array<number>(BUYERS).fill(200));

  await Promise.all(buyers.map((_, n) => stall.stripe(refund('refund.created', `b${n}`, 60))));
  const ends = await Promise.all(answers.map(async (answer) => parseEvents(await answer.text()).at(-1)));
  for (const end of ends) expect(end).toMatchObject({ event: 'error', data: { code: 'ACCESS_DENIED' } });
  const reads = await openStore(stall.data);
  expect((await reads.listGrants(null)).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1);
  await reads.close();
  const reader = other.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('One. ');
  leaving.abort();
});
