import { expect, test } from 'bun:test';
import { until } from '../helpers/harness.ts';
import { createVisitor, hidden } from '../platform/site/visitor.ts';
import { aborted, openScripted, text } from './engines/scripted-engine.ts';

test('an account has four open answers, by whatever door it asks', async () => {
  let begun = 0;
  // Says no more until its reader leaves.
  const { stall, reader, ask } = await openScripted(async function* (question) {
    begun++;
    yield text('A heron.');
    await aborted(question);
  });
  const cookie = await stall.signIn(reader.email);
  const leave = new AbortController();
  const byPage = async () => {
    const reading = createVisitor(stall, cookie);
    const token = hidden((await reading.open('/books/paid-book/ask')).html, 'token');
    return (await reading.send('/books/paid-book/ask', { question: 'heron', token })).text;
  };
  const byTool = async () => {
    const call = { name: 'ask_book', arguments: { item: 'paid-book', question: 'heron' } };
    const response = await stall.fetch('/mcp', {
      method: 'POST',
      headers: {
        ...reader.headers,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    });
    return response.text();
  };
  const open = await Promise.all(Array.from({ length: 4 }, () => ask(leave.signal)));
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  // A response that nobody reads is collected, which ends its answer and frees its place.
  const read = open.map((response) => response.text().catch(() => ''));
  await until(() => begun === 4);
  const full = 'Cannot answer more than 4 questions of one account at once';
  expect(await (await ask()).text()).toContain(full);
  expect(await byPage()).toContain(full);
  expect(await byTool()).toContain(full);
  leave.abort();
  await Promise.all(read);
});
