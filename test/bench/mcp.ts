// The stall as an MCP server: calls a second beside the bare SDK, beside installs, and the memory of open questions.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openOffice } from '../helpers/office.ts';
import { headersOf, messageOf } from '../agents/mcp/raw-message.ts';
import { type Era, ERAS } from '../agents/mcp/mcp-client.ts';
import { itemYaml, writeFiles } from '../helpers/harness.ts';
import { buildBare } from './bare-build.ts';
import { freePort, own } from './child.ts';
import { mb, ms, rate, ratio, type Row } from './figure.ts';
import { describe, request, runOpenLoop } from './open-loop.ts';
import { alternate } from './rounds.ts';
import { quantile, scratch, startStallUnder, type StallProcess } from './stall-process.ts';
import { wrk } from './wrk.ts';

const COMMAND = 'bun run bench:mcp';
const ROUNDS = 3;
const ASKS = 200;
const PER_ACCOUNT = 4;
const WARM_ROUNDS = 10;
const INSTALLS = 400;
const LONGEST_CALL = 20;
const MOST_PER_ASK = 96 * 1024;
const SENTENCE = 'The grey heron stands on one leg because the cold water would otherwise chill both. ';
/** A chapter of 2.6 KB. */
const CHAPTER = `# The heron\n\n${SENTENCE.repeat(31).slice(0, 2587)}`;
const READ = { name: 'read_chapter', arguments: { item: 'heron', path: '01.md' } };
const ASK = {
  name: 'ask_book',
  arguments: { item: 'heron', question: 'Why does the heron stand on one leg?' },
};

/** A model that takes every question and answers none. */
async function openSilentModel() {
  let waiting = 0;
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      waiting++;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': waiting\n\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, waiting: () => waiting };
}

type Model = Awaited<ReturnType<typeof openSilentModel>>;

/** Calls of 2.6 KB in both eras, 400 installs a second beside them, and 200 open questions. */
export async function measureMcp(): Promise<readonly Row[]> {
  const model = await openSilentModel();
  const content = scratch('mcp');
  const data = join(scratch('mcp-data'), 'data');
  mkdirSync(data);
  writeFiles(content, { 'books/heron/item.yaml': itemYaml({ id: 'heron' }), 'books/heron/01.md': CHAPTER });
  const settings = {
    BOOKSTALL_ENGINE: 'compat',
    BOOKSTALL_MODEL_URL: model.url,
    BOOKSTALL_MODEL: 'bench',
    BOOKSTALL_CONTEXT_TOKENS: '32768',
    // A refused question never comes to the model, for which the rounds below wait.
    BOOKSTALL_DAILY_QUESTIONS: '1000000',
    BOOKSTALL_DAILY_TOKENS: '1000000000000',
    BOOKSTALL_FIRST_BYTE_MS: '600000',
    BOOKSTALL_IDLE_MS: '600000',
    BOOKSTALL_TOTAL_MS: '600000',
  };
  const environment = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const port = freePort();
  const stall = await startStallUnder(['env', ...environment], content, data, port);
  const keys = await addReaders(data, ASKS / PER_ACCOUNT + 2);
  const rows = [await measureFirst(stall, keys[0]!)];
  for (const era of ERAS) rows.push(await measureCalls(stall, era, keys[0]!));
  rows.push(await measureBeside(port, keys[0]!), await measureAsks(stall, model, keys));
  await stall.stop();
  return rows;
}

async function addReaders(data: string, count: number): Promise<readonly string[]> {
  const office = await openOffice(data);
  const keys: string[] = [];
  for (let n = 0; n < count; n++) {
    await office.accounts.add(`reader${n}@example.org`);
    keys.push((await office.keys.create(`reader${n}@example.org`, 'bench', { days: 1 })).key);
  }
  await office.close();
  return keys;
}

function call(url: string, key: string, message: object, init: RequestInit = {}): Promise<Response> {
  const headers = { ...headersOf(message), Authorization: `Bearer ${key}` };
  return fetch(url, { ...init, method: 'POST', headers, body: JSON.stringify(message) });
}

/** The first message loads the protocol's server; before it a stall has the memory of one without MCP. */
async function measureFirst(stall: StallProcess, key: string): Promise<Row> {
  const before = stall.rss();
  const startedAt = performance.now();
  await (await call(`${stall.url}/mcp`, key, messageOf('2026-07-28', 'tools/list', {}))).bytes();
  const took = performance.now() - startedAt;
  return {
    figure: 'the first message, which loads the protocol',
    bound: '',
    measured: `${ms(took)}, RSS ${mb(before)}, then ${mb(stall.rss())}`,
    ratio: '',
    isMet: null,
    command: COMMAND,
  };
}

async function measureCalls(stall: StallProcess, era: Era, key: string): Promise<Row> {
  const answer = await call(`${stall.url}/mcp`, key, messageOf(era, 'tools/call', READ));
  const file = join(scratch('mcp-bare'), 'text');
  const body = await answer.text();
  const data = /^data: (.*)$/m.exec(body)?.[1] ?? body;
  writeFileSync(
    file,
    (JSON.parse(data) as { result: { content: { text: string }[] } }).result.content[0]!.text,
  );
  const barePort = freePort();
  const bare = own(
    Bun.spawn([buildBare('bare-mcp.ts'), String(barePort), file], { stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const bareUrl = `http://127.0.0.1:${barePort}/mcp`;
  while (
    !(await fetch(bareUrl).then(
      () => true,
      () => false,
    ))
  )
    await Bun.sleep(5);
  const [ours, theirs] = [scriptOf(era, key), scriptOf(era, null)];
  const run = await alternate(ROUNDS, {
    ours: () => wrk(`${stall.url}/mcp`, { script: ours }),
    bare: () => wrk(bareUrl, { script: theirs }),
  });
  bare.kill();
  return {
    figure: `tools/call of ${CHAPTER.length.toLocaleString('en')} bytes at ${era}, with a key, against the bare SDK`,
    bound: '>= 0.8 x',
    measured: `${rate(run.ours)} against ${rate(run.bare)}`,
    ratio: ratio(run.ours, run.bare),
    isMet: run.ours >= 0.8 * run.bare,
    command: COMMAND,
  };
}

/** A wrk script that reads the chapter. */
function scriptOf(era: Era, key: string | null): string {
  const message = messageOf(era, 'tools/call', READ);
  const headers = { ...headersOf(message), ...(key === null ? {} : { Authorization: `Bearer ${key}` }) };
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"\n`);
  const file = join(scratch('mcp-wrk'), 'call.lua');
  writeFileSync(file, `wrk.method = "POST"\nwrk.body = [[${JSON.stringify(message)}]]\n${lines.join('')}`);
  return file;
}

async function measureBeside(port: number, key: string): Promise<Row> {
  const message = messageOf('2026-07-28', 'tools/call', READ);
  const headers = { ...headersOf(message), Authorization: `Bearer ${key}` };
  const text = request('/mcp', headers, message);
  const { calls, installs } = await runOpenLoop({
    port,
    seconds: 15,
    streams: [
      { name: 'installs', rate: INSTALLS, requests: [request('/api/install/heron')] },
      { name: 'calls', rate: 40, requests: [text] },
    ],
  });
  const p99 = quantile(calls.sorted, 0.99);
  return {
    figure: `40 tools/call a second beside ${INSTALLS} installs a second, p99`,
    bound: `< ${LONGEST_CALL} ms`,
    measured: `${describe(calls)}; installs ${describe(installs)}`,
    ratio: '',
    isMet: p99 < LONGEST_CALL && calls.failed + installs.failed === 0,
    command: COMMAND,
  };
}

/** Questions whose readers leave before there is an answer. */
async function askAndLeave(stall: StallProcess, model: Model, keys: readonly string[]): Promise<void> {
  const before = model.waiting();
  const { signal, abort } = openAbort();
  const message = messageOf('2026-07-28', 'tools/call', ASK);
  const open = keys.flatMap((key) =>
    Array.from({ length: PER_ACCOUNT }, () =>
      call(`${stall.url}/mcp`, key, message, { signal }).then(
        (answer) => answer.text().catch(() => ''),
        () => '',
      ),
    ),
  );
  while (model.waiting() < before + open.length) await Bun.sleep(20);
  abort();
  await Promise.all(open);
  await Bun.sleep(1500);
}

function openAbort() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

async function measureAsks(stall: StallProcess, model: Model, keys: readonly string[]): Promise<Row> {
  const open: Promise<Response>[] = [];
  const ask = (key: string): void => {
    open.push(call(`${stall.url}/mcp`, key, messageOf(ERAS[open.length % 2]!, 'tools/call', ASK)));
  };
  // The first ones load code and let the heap grow once, which is not the questions' memory.
  for (let round = 0; round < WARM_ROUNDS; round++) await askAndLeave(stall, model, keys.slice(2, 12));
  const asked = model.waiting();
  for (let n = 0; n < PER_ACCOUNT; n++) ask(keys[0]!);
  while (model.waiting() < asked + PER_ACCOUNT) await Bun.sleep(20);
  await Bun.sleep(3000);
  const before = stall.rss();
  for (const key of keys.slice(1, 1 + ASKS / PER_ACCOUNT)) for (let n = 0; n < PER_ACCOUNT; n++) ask(key);
  while (model.waiting() < asked + PER_ACCOUNT + ASKS) await Bun.sleep(20);
  await Bun.sleep(5000);
  const each = (stall.rss() - before) / ASKS;
  const statuses = new Set((await Promise.all(open)).map(({ status }) => status));
  return {
    figure: `RSS of one of ${ASKS} open questions`,
    bound: `< ${MOST_PER_ASK / 1024} KB`,
    measured: `${(each / 1024).toFixed(1)} KB`,
    ratio: '',
    isMet: each < MOST_PER_ASK && statuses.size === 1 && statuses.has(200),
    command: COMMAND,
  };
}
