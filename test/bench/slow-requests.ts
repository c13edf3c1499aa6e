// bun run bench:slow-requests: what ends a connection that sends slowly, and when. Prints the rows of README.md's table;
// ends with 1 if a connection outlives its bound. Takes five and a half minutes, since it waits for Bun's timers.
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { SHELF, writeFiles } from '../helpers/harness.ts';
import { office, scratch, startStall } from './stall-process.ts';

const PORT = 7462;
const GIVE_UP = 330;
const FREE = 10_000;

/**
 * The bytes that are sent at once, then byte by byte in a circle every `everyMs`, beginning `afterMs` later;
 * at most `bound` seconds.
 */
type Slow = {
  readonly name: string;
  readonly first: string;
  readonly drip?: string;
  readonly everyMs?: number;
  readonly afterMs?: number;
  readonly bound: number;
};

const content = scratch('content');
mkdirSync(content, { recursive: true });
writeFiles(content, SHELF);
const stall = await startStall(content, scratch('data'), PORT);
await office(stall.data, 'account', 'add', 'reader@example.org');
await office(stall.data, 'grant', 'add', 'reader@example.org', 'paid-book');
const { key } = await office(stall.data, 'key', 'create', 'reader@example.org');

const BEARER = `Authorization: Bearer ${key}\r\n`;
const HEAD = 'GET /api/items HTTP/1.1\r\nHost: x\r\n';
const GET = `${HEAD}\r\n`;
const POST = 'POST /api/agent/fetch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const QUESTION = '{"book_id":"paid-id","query":"heron"}';
const ASK = `${POST}${BEARER}Content-Length: ${QUESTION.length}\r\n\r\n${QUESTION}`;
const INSTALL = `GET /api/install/free-skill HTTP/1.1\r\nHost: x\r\n\r\n`;
const LONG = `X-A: ${'a'.repeat(FREE)}`;
const BODY = 'Content-Length: 100000\r\n\r\n';

const SLOW: readonly Slow[] = [
  { name: 'nothing', first: '', bound: 15 },
  { name: 'half a head', first: 'GET /api/i', bound: 15 },
  { name: 'a head, a byte every second', first: HEAD, drip: LONG, everyMs: 1_000, bound: 15 },
  { name: 'a head, a byte every 9 s', first: HEAD, drip: LONG, everyMs: 9_000, bound: 15 },
  { name: 'no body', first: `${POST}${BEARER}${BODY}`, bound: 36 },
  {
    name: 'a body, a byte every second',
    first: `${POST}${BEARER}${BODY}`,
    drip: 'a',
    everyMs: 1_000,
    bound: 36,
  },
  {
    name: 'a body, a byte every 9 s',
    first: `${POST}${BEARER}${BODY}`,
    drip: 'a',
    everyMs: 9_000,
    bound: 36,
  },
  {
    name: 'an unread body, a byte every 9 s',
    first: `${POST}${BODY}`,
    drip: 'a',
    everyMs: 9_000,
    bound: 36,
  },
  {
    name: 'chunks of one byte, every 9 s',
    first: `${POST}${BEARER}Transfer-Encoding: chunked\r\n\r\n`,
    drip: '1\r\na\r\n',
    everyMs: 9_000,
    bound: 36,
  },
  { name: 'nothing after an answer', first: GET, bound: 36 },
  {
    name: 'after an answer, a head, a byte every second',
    first: GET,
    drip: HEAD + LONG,
    everyMs: 1_000,
    afterMs: 1_000,
    bound: 36,
  },
  {
    name: 'after an answer and 20 s, a head, a byte every second',
    first: GET,
    drip: HEAD + LONG,
    everyMs: 1_000,
    afterMs: 20_000,
    bound: 60,
  },
  { name: 'nothing after a question', first: ASK, bound: 36 },
  {
    name: 'after a question, half a head',
    first: ASK,
    drip: 'G',
    everyMs: 500_000,
    afterMs: 1_000,
    bound: 36,
  },
  { name: 'nothing after an archive', first: INSTALL, bound: 316 },
  {
    name: 'after an archive, a head, a byte every second',
    first: INSTALL,
    drip: HEAD + LONG,
    everyMs: 1_000,
    afterMs: 1_000,
    bound: 316,
  },
  { name: 'nothing after CONNECT', first: 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n', bound: 5 },
];

const seconds = await Promise.all(SLOW.map(play));
await stall.stop();
console.log('| sent | closed after | bound |\n| --- | --- | --- |');
for (const [index, { name, bound }] of SLOW.entries())
  console.log(`| ${name} | ${describe(seconds[index] ?? null)} | ${bound} s |`);
if (SLOW.some(({ bound }, index) => (seconds[index] ?? GIVE_UP) > bound)) process.exit(1);

/** How many seconds the connection lived; null if it was still open at the end. */
function play({ first, drip, everyMs, afterMs = 0 }: Slow): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const startedAt = performance.now();
  const socket = connect({ port: PORT, host: '127.0.0.1', noDelay: true });
  let sent = 0;
  let timer: Timer | undefined;
  const dripOn = (): void => {
    socket.write(drip?.[sent++ % drip.length] ?? '');
    timer = setTimeout(dripOn, everyMs);
  };
  socket.on('error', () => {});
  socket.on('data', () => {});
  socket.on('close', () => {
    clearTimeout(timer);
    clearTimeout(end);
    resolve((performance.now() - startedAt) / 1_000);
  });
  const end = setTimeout(() => {
    resolve(null);
    socket.destroy();
  }, GIVE_UP * 1_000);
  if (first !== '') socket.write(first);
  if (drip !== undefined) timer = setTimeout(dripOn, afterMs || everyMs);
  return promise;
}

function describe(lived: number | null): string {
  return lived === null ? `open after ${GIVE_UP} s` : `${lived.toFixed(0)} s`;
}
