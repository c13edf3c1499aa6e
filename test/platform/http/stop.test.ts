import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { openStall, parseEvents } from '../../helpers/harness.ts';
import { end, openScripted, text } from '../../asking/engines/scripted-engine.ts';

test('a stall that stops is not ready, ends its answers, and writes their rows', async () => {
  const { promise: going, resolve: letGo } = Promise.withResolvers<void>();
  const { stall, ask } = await openScripted(async function* () {
    yield text('One. ');
    await going;
    yield text('Two.');
    yield end();
  });
  expect((await stall.fetch('/readyz')).status).toBe(200);
  const body = (await ask()).text();
  const closed = stall.close();
  const ready = await stall.fetch('/readyz');
  expect([ready.status, (await stall.fetch('/livez')).status]).toEqual([503, 200]);
  await stall.app.publish();
  expect((await stall.fetch('/readyz')).status).toBe(503);
  letGo();
  expect(parseEvents(await body).map(({ event }) => event)).toEqual(['chunk', 'chunk', 'done']);
  await closed;
  const db = new Database(join(stall.data, 'bookstall.db'), { readonly: true });
  expect(db.query('SELECT outcome, answer_bytes AS bytes FROM fetch_logs').all()).toEqual([
    { outcome: 'unsupported', bytes: 9 },
  ]);
  expect(db.query('SELECT count(stopped_at) AS n FROM server_starts').get()).toEqual({ n: 1 });
  db.close();
  await expect(stall.fetch('/livez')).rejects.toThrow();
});

test('a second stall on the same port or data directory is refused in a sentence', async () => {
  const stall = await openStall();
  const port = Number(new URL(stall.url).port);
  await expect(openStall({ config: { port } })).rejects.toThrow(
    `Cannot listen on 127.0.0.1:${port}: another program uses the port; stop it, or choose another --port`,
  );
  await expect(openStall({ config: { data: stall.data } })).rejects.toThrow(
    'another bookstall serves from it',
  );
  expect((await stall.fetch('/livez')).status).toBe(200);
});
