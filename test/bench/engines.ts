// The cost of a model's answer on its way through a stall: the delay of a chunk, and the memory of open
// streams.
import { mkdirSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { openOffice } from '../helpers/office.ts';
import { itemYaml, writeFiles } from '../helpers/harness.ts';
import { endChildren, freePort } from './child.ts';
import { formatTable, ms, type Row } from './figure.ts';
import { probe, quantile, scratch, startStallUnder } from './stall-process.ts';

const COMMAND = 'bun run bench:engines';
const STREAMS = 1000;
const PER_ACCOUNT = 4;
const CHUNKS = 500;
const PAUSE = 10;
const SLOW_READERS = 40;
const CROWDS = 4;
const POURED = 7_500_000;
const QUOTE = 'It rests: “stands on one leg because the cold water would otherwise chill both” [1]. ';
const sentAt: number[] = [];

/** A model that writes a chunk every few milliseconds and notes when, that begins and waits, or that pours text. */
const waiting: ServerResponse[] = [];
let mode: 'talk' | 'wait' | 'pour' = 'talk';
const model = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    send(response, { type: 'message_start', message: { usage: { input_tokens: 2000, output_tokens: 1 } } });
    if (mode === 'talk') void talk(response);
    else if (mode === 'pour') pour(response);
    else {
      send(response, { type: 'content_block_delta', delta: { type: 'text_delta', text: 'It rests. ' } });
      waiting.push(response);
    }
  });
});
await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
const modelUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}`;

function send(
  response: ServerResponse,
  event: { readonly type: string; readonly [key: string]: unknown },
): void {
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** Writes as fast as it is read. */
function pour(response: ServerResponse): void {
  let left = POURED;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= 4000;
      const text = 'word '.repeat(800);
      const event = { type: 'content_block_delta', delta: { type: 'text_delta', text } };
      if (!response.write(`data: ${JSON.stringify(event)}\n\n`)) return void response.once('drain', more);
    }
    response.end();
  };
  send(response, { type: 'content_block_delta', delta: { type: 'text_delta', text: QUOTE } });
  more();
}

async function talk(response: ServerResponse): Promise<void> {
  send(response, { type: 'content_block_delta', delta: { type: 'text_delta', text: QUOTE } });
  for (let i = 0; i < CHUNKS; i++) {
    await Bun.sleep(PAUSE);
    sentAt[i] = performance.now();
    send(response, { type: 'content_block_delta', delta: { type: 'text_delta', text: `w${i}. ` } });
  }
  send(response, { type: 'message_delta', delta: { stop_reason: 'end_turn' } });
  send(response, { type: 'message_stop' });
  response.end();
}

/** Reads a stream of chunks and gives how long each was under way, in milliseconds, sorted. */
async function delays(response: Response): Promise<readonly number[]> {
  const found: number[] = [];
  const decoder = new TextDecoder();
  for await (const bytes of response.body!) {
    const now = performance.now();
    for (const [, i] of decoder.decode(bytes).matchAll(/\bw(\d+)\./g)) found.push(now - sentAt[Number(i)]!);
  }
  return found.sort((a, b) => a - b);
}

const settings = {
  BOOKSTALL_ENGINE: 'compat',
  BOOKSTALL_MODEL: 'script',
  BOOKSTALL_MODEL_URL: modelUrl,
  BOOKSTALL_WHOLE_BOOK_TOKENS: '0',
  BOOKSTALL_LOOK_UP: 'off',
  BOOKSTALL_TOTAL_MS: '3600000',
  BOOKSTALL_IDLE_MS: '3600000',
  BOOKSTALL_DAILY_TOKENS: 'off',
  // Without it, 240 answers run at once.
  BUN_CONFIG_MAX_HTTP_REQUESTS: '2000',
};
const directory = scratch('engines');
const [content, data] = [join(directory, 'content'), join(directory, 'data')];
mkdirSync(content);
const paragraph =
  'The grey heron of the marsh stands on one leg because the cold water would otherwise chill both. ';
writeFiles(content, {
  'books/heron/item.yaml': itemYaml({ id: 'heron' }),
  'books/heron/01.md': Array.from({ length: 60 }, (_, i) => `## Part ${i}\n\n${paragraph.repeat(10)}\n`).join(
    '\n',
  ),
});
const environment = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
const stall = await startStallUnder(['env', ...environment], content, data, freePort());
const office = await openOffice(data);
const keys: string[] = [];
for (let i = 0; i < STREAMS / PER_ACCOUNT + 1; i++) {
  await office.accounts.add(`reader${i}@example.org`);
  keys.push((await office.keys.create(`reader${i}@example.org`, 'bench', { days: 1 })).key);
}
await office.close();

const ask = (key: string): Promise<Response> =>
  fetch(`${stall.url}/api/agent/fetch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ book_id: 'heron', query: 'Why does the heron stand on one leg?' }),
  });

const direct = await delays(await fetch(`${modelUrl}/v1/messages`, { method: 'POST', body: '{}' }));
// A model's first answer is held back to its end.
await (await ask(keys[0]!)).text();
const through = await delays(await ask(keys[0]!));
if (through.length !== CHUNKS) throw new Error(`${through.length} of ${CHUNKS} chunks came through`);

mode = 'wait';
const headers = { authorization: `Bearer ${keys.at(-1)!}` };
// The first requests load code, which is not the streams' memory.
for (let i = 0; i < 4; i++) void (await ask(keys[1]!));
await Bun.sleep(3000);
const before = stall.rss();
const opened = waiting.length;
const readers = keys.slice(2).flatMap((key) => Array.from({ length: PER_ACCOUNT }, () => key));
const asked = probe(`${stall.url}/api/cli/library`, headers);
for (const key of readers) {
  void ask(key);
  await Bun.sleep(5);
}
while (waiting.length < opened + readers.length) await Bun.sleep(50);
await Bun.sleep(5000);
const each = (stall.rss() - before) / readers.length;
const library = await asked.stop();

mode = 'pour';
for (const response of waiting) response.destroy();
await Bun.sleep(3000);
/** The RSS with one more crowd of readers who read nothing; all of them stay. */
async function rssWithCrowd(crowd: number): Promise<number> {
  const body = JSON.stringify({ book_id: 'heron', query: 'Why does the heron stand on one leg?' });
  for (const key of readers.slice(crowd * SLOW_READERS, (crowd + 1) * SLOW_READERS)) {
    const lines = ['POST /api/agent/fetch HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
    lines.push(`Content-Length: ${body.length}`, `Authorization: Bearer ${key}`, '', body);
    const socket = connect(Number(new URL(stall.url).port), '127.0.0.1').on('error', () => {});
    socket.write(lines.join('\r\n'));
    socket.pause();
  }
  await Bun.sleep(5000);
  return stall.rss();
}

// The first crowd grows the heap, which stays.
const crowds: number[] = [];
for (let crowd = 0; crowd < CROWDS; crowd++) crowds.push(await rssWithCrowd(crowd));
const slow = (crowds.at(-1)! - crowds[0]!) / SLOW_READERS / (CROWDS - 1);

const rows: readonly Row[] = [
  {
    figure: `a chunk's way through, p99 of ${CHUNKS}`,
    bound: '< 3 ms',
    measured: `${ms(quantile(through, 0.99))} (p50 ${ms(quantile(through, 0.5))})`,
    ratio: `without the stall ${ms(quantile(direct, 0.99))}`,
    isMet: quantile(through, 0.99) < 3,
    command: COMMAND,
  },
  {
    figure: `RSS of one of ${readers.length} open streams`,
    bound: '< 64 KB',
    measured: `${(each / 1024).toFixed(1)} KB`,
    ratio: '',
    isMet: each < 64 * 1024,
    command: COMMAND,
  },
  {
    figure: `RSS of one more of ${SLOW_READERS * CROWDS} readers who read nothing of ${POURED / 1e6} MB`,
    bound: '< 64 KB',
    measured: `${(slow / 1024).toFixed(1)} KB`,
    ratio: '',
    isMet: slow < 64 * 1024,
    command: COMMAND,
  },
  {
    figure: 'the library at the same time, p99',
    bound: '< 50 ms',
    measured: `${ms(quantile(library, 0.99))} (p50 ${ms(quantile(library, 0.5))}, ${library.length} asked)`,
    ratio: '',
    isMet: quantile(library, 0.99) < 50,
    command: COMMAND,
  },
];
process.stdout.write(formatTable(rows));
await endChildren();
process.exit(rows.every(({ isMet }) => isMet) ? 0 : 1);
