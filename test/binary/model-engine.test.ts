import { expect, test } from 'bun:test';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openMessages } from '../asking/engines/scripted-messages.ts';
import { parseEvents } from '../helpers/harness.ts';
import { addReader, buildProgram, run, serve, stallDirectory } from './program.ts';

await buildProgram();
const KEY = 'sk-very-secret-key';
const messages = await openMessages((line) =>
  line.say(['It saves heat: ', '“the cold water would ', 'otherwise chill both” [1].']),
);
const settings = (engine: string) => ({
  BOOKSTALL_ENGINE: engine,
  BOOKSTALL_MODEL: 'script-1',
  BOOKSTALL_MODEL_URL: messages.url,
  BOOKSTALL_MODEL_KEY: KEY,
  BOOKSTALL_WHOLE_BOOK_TOKENS: '0',
  BOOKSTALL_PRICE_INPUT: '2',
  BOOKSTALL_PRICE_OUTPUT: '10',
  // Facts of its caller's machine that a model's server must not see.
  ANTHROPIC_CUSTOM_HEADERS: 'X-Stray: yes',
  HTTP_PROXY: 'http://127.0.0.1:1',
});

async function ask(stall: Awaited<ReturnType<typeof serve>>, headers: Record<string, string>) {
  const response = await stall.fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ book_id: 'paid-id', query: 'Why does the heron stand on one leg?' }),
  });
  return parseEvents(await response.text());
}

test('the program with BOOKSTALL_ENGINE=compat streams an answer with a verified citation, and tells what it cost', async () => {
  const directory = stallDirectory();
  const stall = await serve(directory, [], { env: settings('compat') });
  const reader = await addReader(stall, 'reader@example.org', 'paid-book');
  const events = await ask(stall, reader.headers);
  expect(events.at(-1)).toMatchObject({
    event: 'done',
    data: {
      outcome: 'answered',
      engine: 'compat',
      model: 'script-1',
      citations: [{ n: 1, quote: 'the cold water would otherwise chill both' }],
    },
  });
  expect(messages.received[0]).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': KEY } });
  expect(messages.received[0]!.headers['x-stray']).toBeUndefined();
  const env = { BOOKSTALL_PRICE_INPUT: '2', BOOKSTALL_PRICE_OUTPUT: '10' };
  const usage = await run(['logs', '--kind', 'usage', '--json'], { cwd: directory, env });
  expect(JSON.parse(usage.out)).toMatchObject({
    engine: 'compat',
    questions: 1,
    // Of a look-up, and of the request that answers.
    inputTokens: 40,
    outputTokens: 18,
    cost: 0.0003,
  });
  const doctor = await run(['doctor', '--json'], { cwd: directory });
  const lines = JSON.parse(doctor.out) as { check: string; status: string; sentence: string }[];
  const said = (name: string) => lines.find(({ check }) => check === name);
  // The scripted model counts 20 tokens of a prompt of thousands, which is what a silent cut looks like.
  expect(said('engine')).toMatchObject({
    status: 'fail',
    remedy: expect.stringContaining('context size') as string,
  });
  expect(await stall.stop()).toBe(0);
  expect(stall.err.text() + stall.out.text() + doctor.out + doctor.err + usage.out).not.toContain(KEY);
});

test('the program with BOOKSTALL_ENGINE=anthropic loads the SDK at the first question', async () => {
  const stall = await serve(stallDirectory(), [], { env: settings('anthropic') });
  const reader = await addReader(stall, 'reader@example.org', 'paid-book');
  messages.play((line) =>
    line.say(
      ['It saves heat.'],
      [{ type: 'search_result_location', search_result_index: 0, start_block_index: 0, end_block_index: 1 }],
    ),
  );
  expect((await ask(stall, reader.headers)).at(-1)?.data).toMatchObject({
    outcome: 'answered',
    engine: 'anthropic',
  });
  const { headers } = messages.received[0]!;
  expect(headers).toMatchObject({ authorization: `Bearer ${KEY}` });
  expect(headers['x-stray']).toBeUndefined();
  expect(await stall.stop()).toBe(0);
});

test('the program answers by chat completions', async () => {
  const env = { ...settings('compat'), BOOKSTALL_MODEL_PROTOCOL: 'chat' };
  const stall = await serve(stallDirectory(), [], { env });
  const reader = await addReader(stall, 'reader@example.org', 'paid-book');
  messages.play((line) => line.say(['It saves heat: “the cold water would otherwise chill both” [1].']));
  expect((await ask(stall, reader.headers)).at(-1)?.data).toMatchObject({
    outcome: 'answered',
    engine: 'compat',
  });
  expect(messages.received[0]).toMatchObject({ path: '/v1/chat/completions' });
  expect(await stall.stop()).toBe(0);
});

test('a model without its settings is refused at start, each problem named', async () => {
  const { code, err } = await run(['serve'], {
    cwd: stallDirectory(),
    env: { BOOKSTALL_ENGINE: 'anthropic' },
  });
  expect(code).toBe(2);
  expect(err).toContain('BOOKSTALL_MODEL: ');
  expect(err).toContain('BOOKSTALL_MODEL_KEY: ');
});

test('kill -9 amid an answer: after a restart its estimate counts towards the daily tokens', async () => {
  const directory = stallDirectory();
  const env = { ...settings('compat'), BOOKSTALL_DAILY_TOKENS: '20' };
  const stall = await serve(directory, [], { env });
  const reader = await addReader(stall, 'reader@example.org', 'paid-book');
  const asked = new Promise<void>((resolve) => messages.play(() => resolve()));
  const answer = ask(stall, reader.headers).catch(() => []);
  await asked;
  stall.kill('SIGKILL');
  await Promise.all([stall.exited, answer]);
  const next = await serve(directory, [], { env });
  const response = await next.fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...reader.headers },
    body: JSON.stringify({ book_id: 'paid-id', query: 'Why does the heron stand on one leg?' }),
  });
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    429,
    'RATE_LIMITED',
  ]);
  expect(messages.received).toHaveLength(1);
  expect(await next.stop()).toBe(0);
});

test('no book goes to a proxy on its way to an http address that was allowed', async () => {
  const proxied: string[] = [];
  const proxy = createServer((request, response) => {
    proxied.push(String(request.url));
    response.end();
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const env = {
    ...settings('compat'),
    HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    BOOKSTALL_MODEL_URL: 'http://model.invalid:8080',
    BOOKSTALL_MODEL_HTTP: 'allow',
  };
  const stall = await serve(stallDirectory(), [], { env });
  const reader = await addReader(stall, 'reader@example.org', 'paid-book');
  const response = await stall.fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...reader.headers },
    body: JSON.stringify({ book_id: 'paid-id', query: 'Why does the heron stand on one leg?' }),
  });
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    503,
    'MODEL_UNAVAILABLE',
  ]);
  expect(proxied).toEqual([]);
  expect(await stall.stop()).toBe(0);
  proxy.close();
});
