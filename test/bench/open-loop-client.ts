// The process behind open-loop.ts: a plan as JSON on stdin, the latencies as JSON on stdout.
import type { Socket } from 'bun';
import type { Latencies, Plan, Stream } from './open-loop.ts';

type Connection = {
  /** The received part of an answer's head; null once the head is whole. */
  head: string | null;
  status: number;
  /** Bytes of the body still to come; null if it is chunked. */
  left: number | null;
  tail: string;
  startedAt: number;
  finishedAt: number;
  done: ((connection: Connection) => void) | null;
};

const DECODER = new TextDecoder('latin1');
const LAST_CHUNK = '0\r\n\r\n';

/** How long answers that are still owed are waited for, in milliseconds. */
const PATIENCE = 10_000;
/** How long a connection may rest and be used again, in milliseconds; the server ends those that rest longer than it waits. */
const LONGEST_REST = 5_000;

let isRunning = true;
process.on('SIGTERM', () => (isRunning = false));
const plan = (await Bun.stdin.json()) as Plan;
const results = await Promise.all(plan.streams.map(run));
console.log(JSON.stringify(Object.fromEntries(results.map((result, n) => [plan.streams[n]?.name, result]))));
process.exit(0);

/** Sends a stream's requests when they are due, whether or not the earlier ones are answered. */
async function run({ requests, rate, expected = 200 }: Stream): Promise<Latencies> {
  const pool: Socket<Connection>[] = [];
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  let [sent, answered, latest] = [0, 0, 0];
  const fail = (reason: string): void => {
    answered++;
    failures[reason] = (failures[reason] ?? 0) + 1;
  };
  const finish = (socket: Socket<Connection>) => (connection: Connection) => {
    connection.done = null;
    connection.finishedAt = performance.now();
    pool.push(socket);
    if (connection.status !== expected) return fail(String(connection.status));
    answered++;
    latencies.push(performance.now() - connection.startedAt);
  };
  const lose = (connection: Connection): void => {
    if (connection.done !== null) fail('closed');
    connection.done = null;
  };
  const send = async (text: string): Promise<void> => {
    const socket = takeOpen(pool) ?? (await connect(plan.port, lose));
    Object.assign(socket.data, { head: '', tail: '', startedAt: performance.now(), done: finish(socket) });
    socket.write(text);
  };
  const begin = performance.now();
  for (; isRunning && performance.now() < begin + plan.seconds * 1000; await Bun.sleep(1)) {
    const due = Math.floor(((performance.now() - begin) * rate) / 1000);
    // How late this client itself was: its own timer, or a busy machine.
    latest = Math.max(latest, due - sent > 1 ? ((due - sent - 1) * 1000) / rate : 0);
    for (; sent < due; sent++) {
      send(requests[sent % requests.length] ?? '').catch(() => fail('not connected'));
    }
  }
  for (const until = performance.now() + PATIENCE; answered < sent && performance.now() < until;)
    await Bun.sleep(5);
  if (answered < sent) failures['not answered'] = sent - answered;
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  return { sent, failed, failures, latest, sorted: latencies.sort((a, b) => a - b) };
}

function takeOpen(pool: Socket<Connection>[]): Socket<Connection> | null {
  for (let socket = pool.pop(); socket !== undefined; socket = pool.pop()) {
    if (socket.readyState !== 1) continue;
    if (performance.now() - socket.data.finishedAt < LONGEST_REST) return socket;
    socket.end();
  }
  return null;
}

function connect(port: number, lose: (connection: Connection) => void): Promise<Socket<Connection>> {
  return Bun.connect<Connection>({
    hostname: '127.0.0.1',
    port,
    data: { head: '', status: 0, left: 0, tail: '', startedAt: 0, finishedAt: 0, done: null },
    socket: {
      data: (socket, bytes) => read(socket.data, bytes),
      close: (socket) => lose(socket.data),
      error: (socket) => lose(socket.data),
    },
  });
}

/** HTTP/1.1 as far as our own answers go: RFC 9112, a length or chunks. */
function read(connection: Connection, bytes: Uint8Array): void {
  let body = bytes;
  if (connection.head !== null) {
    const text = connection.head + DECODER.decode(bytes);
    const end = text.indexOf('\r\n\r\n');
    if (end === -1) {
      connection.head = text;
      return;
    }
    body = bytes.subarray(bytes.length - (text.length - end - 4));
    connection.head = null;
    connection.status = Number(text.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1];
    connection.left = length === undefined ? null : Number(length);
  }
  if (connection.left === null) {
    connection.tail = (connection.tail + DECODER.decode(body.subarray(-LAST_CHUNK.length))).slice(
      -LAST_CHUNK.length,
    );
    if (connection.tail === LAST_CHUNK) connection.done?.(connection);
    return;
  }
  connection.left -= body.length;
  if (connection.left <= 0) connection.done?.(connection);
}
