import { expect } from 'bun:test';
import { KEY, type Outcome, type RawCase } from './case.ts';
import { type Answer, openWire, type Wire } from './wire.ts';

/** A listening stall: its port, the key that replaces KEY, and a turn, after which it has read the bytes sent before. */
export type Subject = { readonly url: string; readonly key: string; readonly turn: () => Promise<void> };

/** How bytes are handed to TCP. */
export type Sending = (wire: Wire, bytes: string, subject: Subject) => Promise<void>;

/** In one piece. */
export const whole: Sending = async (wire, bytes) => wire.send(bytes);

/** In two pieces, the second after the server has read the first. */
export function cutAt(position: number): Sending {
  return async (wire, bytes, { turn }) => {
    wire.send(bytes.slice(0, position));
    await turn();
    wire.send(bytes.slice(position));
  };
}

/** One byte after the other. */
export const byteByByte: Sending = async (wire, bytes) => {
  for (const byte of bytes) {
    wire.send(byte);
    await new Promise(setImmediate);
  }
};

/** RFC 9110 §5.6.7. */
const IMF_FIXDATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

const FOLLOWING = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/**
 * Plays a case against a stall and checks everything that follows it: the further answers, that a connection that is
 * to be closed is closed without another byte, and that one that stays open gives the next request its own answer.
 */
export async function play(row: RawCase, subject: Subject, sending: Sending = whole): Promise<Outcome> {
  const isHead = row.bytes.startsWith('HEAD ');
  const wire = await openWire(subject.url, { isHead });
  try {
    await sending(wire, row.bytes.replaceAll(KEY, subject.key), subject);
    const outcome = await firstOutcome(row, wire, subject);
    await checkRest(row, wire, outcome);
    checkAuthor(row, wire.answers[0]);
    if (!row.bytes.includes('Expect: 100-continue')) expect(wire.interim).toEqual([]);
    for (const answer of wire.answers.slice(isHead ? 1 : 0)) checkDate(answer);
    for (const answer of wire.answers) checkAnswer(answer, subject.key);
    return outcome;
  } finally {
    wire.destroy();
  }
}

/** Sends a case and a good request behind it, and gives the statuses of all that is answered until the connection is closed. */
export async function playThrough(row: RawCase, { url, key }: Subject): Promise<readonly number[]> {
  const wire = await openWire(url);
  wire.send(row.bytes.replaceAll(KEY, key) + FOLLOWING);
  await wire.until(Number.POSITIVE_INFINITY);
  return wire.answers.map(({ status }) => status);
}

async function firstOutcome(row: RawCase, wire: Wire, { turn }: Subject): Promise<Outcome> {
  if (row.allowed.includes('waits')) for (let turns = 0; turns < 3; turns++) await turn();
  else await wire.until(1);
  return wire.answers[0]?.status ?? (wire.isClosed() ? 'closed' : 'waits');
}

async function checkRest(row: RawCase, wire: Wire, outcome: Outcome): Promise<void> {
  if (outcome === 'closed' || (outcome === 'waits' && row.rest === undefined)) return;
  const isCutShort = row.despite?.outcome === outcome;
  const further = [
    ...(isCutShort ? [] : (row.next ?? [])),
    ...(row.rest === undefined || outcome === 'waits' ? [] : [200]),
  ];
  wire.send(row.rest ?? '');
  await wire.until(1 + further.length);
  expect(wire.answers.slice(1).map(({ status }) => status)).toEqual(further);
  if (outcome === 'waits') expect(wire.answers[0]?.status).toBe(200);
  const mustClose = wire.answers.at(-1)?.headers.get('connection') === 'close' || isLast(row.bytes);
  if (!mustClose) wire.send(FOLLOWING);
  await wire.until(Number.POSITIVE_INFINITY);
  const after = wire.answers.slice(1 + further.length).map(({ status, body }) => [status, body]);
  expect(after).toEqual(mustClose ? [] : [[200, 'alive\n']]);
  expect(wire.leftover()).toBe('');
}

/** Whether the request itself asks for the end of the connection. */
function isLast(bytes: string): boolean {
  return /^\S+ \S+ HTTP\/1\.0\r\n|\r\nConnection:[^\r]*\bclose\b/i.test(bytes);
}

function checkAnswer({ status, headers, body }: Answer, key: string): void {
  expect(body).not.toContain(key);
  expect([...headers.keys()]).not.toContain('x-injected');
  expect([...headers.keys()]).not.toContain('upgrade');
  if (status === 405) expect(headers.get('allow')).toBeString();
  if (status < 400 || !headers.has('content-type')) return;
  expect(headers.get('content-type')).toBe('application/json');
  if (body !== '') expect(JSON.parse(body)).toEqual({ error: expect.any(String), code: expect.any(String) });
}

/** What Bun's parser refuses has neither content nor date (oven-sh/bun#6556); all that a handler answers has both. */
function checkDate({ status, headers, body }: Answer): void {
  if (headers.has('content-type')) expect(headers.get('date')).toMatch(IMF_FIXDATE);
  else expect([status >= 400, body]).toEqual([true, '']);
}

/** Who refused: Bookstall says why, Bun's parser has no words. */
function checkAuthor({ by, bytes }: RawCase, answer: Answer | undefined): void {
  if (answer === undefined || answer.status < 400) return;
  expect([bytes.slice(0, 80), answer.headers.has('content-type')]).toEqual([
    bytes.slice(0, 80),
    by === 'bookstall',
  ]);
}
