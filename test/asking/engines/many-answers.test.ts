// Bun sends 256 requests of `fetch` at once, and queues the others unseen.
import { expect, test } from 'bun:test';
import { sendRaw } from '../../platform/http/raw-socket.ts';
import { until } from '../../helpers/harness.ts';
import { openModelStall } from './model-stall.ts';
import { openMessages } from './scripted-messages.ts';

const ANSWERS = 300;
const AT_ONCE = 240;

test('of 300 answers at once those that the model can give run, and the others are refused at once', async () => {
  const open: (() => void)[] = [];
  const messages = await openMessages(async (line) => {
    await new Promise<void>((resolve) => open.push(resolve));
    line.say(['It saves heat: “the cold water would otherwise chill both” [1].']);
  });
  const timeouts = { firstByte: 60_000, idle: 60_000, total: 60_000 };
  const { stall } = await openModelStall(messages, { timeouts });
  const readers = [];
  for (let n = 0; n < ANSWERS / 4; n++)
    readers.push(await stall.reader(`reader${n}@example.org`, 'paid-book'));
  const body = JSON.stringify({ book_id: 'paid-id', query: 'Why does the heron stand on one leg?' });
  let refused = 0;
  const asked = readers.flatMap(({ headers }) =>
    Array.from({ length: 4 }, async () => {
      const lines = [
        'POST /api/agent/fetch HTTP/1.1',
        'Host: x',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        `Authorization: ${headers.Authorization}`,
      ];
      const answer = await sendRaw(stall.url, lines, body);
      if (answer?.status === 503) refused++;
      return answer!;
    }),
  );
  // While all that can run are still running.
  await until(() => refused === ANSWERS - AT_ONCE && open.length === AT_ONCE);
  for (const answer of open) answer();
  const answers = await Promise.all(asked);
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(AT_ONCE);
  for (const { status, body: text, headers } of answers) {
    if (status === 200) expect(text).toContain('"outcome":"answered"');
    else {
      expect([status, JSON.parse(text).code]).toEqual([503, 'MODEL_UNAVAILABLE']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
  }
});
