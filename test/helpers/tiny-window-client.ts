// The process behind tiny-windows.ts: `port count paths headers [body]`, paths and headers as JSON. Opens so many connections with the smallest receive window that the
// kernel allows, sends one request on each and takes nothing more. Prints a line when all are sent. At the end of stdin it
// prints how many were answered with which status, as JSON, and closes them.
import { dlopen, FFIType, ptr } from 'bun:ffi';

const [, , port, count, paths = '[]', headers = '[]', body] = process.argv;
const { i32, pointer, u64 } = { i32: FFIType.i32, pointer: FFIType.ptr, u64: FFIType.u64 };
// Bun's own sockets cannot set the buffer before they connect, and by then the window is offered.
const { symbols: libc } = dlopen('libc.so.6', {
  socket: { args: [i32, i32, i32], returns: i32 },
  setsockopt: { args: [i32, i32, i32, pointer, i32], returns: i32 },
  connect: { args: [i32, pointer, i32], returns: i32 },
  send: { args: [i32, pointer, u64, i32], returns: FFIType.i64 },
  recv: { args: [i32, pointer, u64, i32], returns: FFIType.i64 },
});
const [AF_INET, SOCK_STREAM, SOL_SOCKET, SO_RCVBUF] = [2, 1, 1, 8];
/** MSG_DONTWAIT and MSG_PEEK: a status line that is there in part stays there until the rest has come. */
const LOOK = 0x40 | 0x02;
/** How long answers are waited for at the end, in milliseconds. */
const PATIENCE = 10_000;
const STATUS_LINE = 'HTTP/1.1 200'.length;

const smallest = new Int32Array([1]);
const address = new Uint8Array(16);
address.set([AF_INET, 0, Number(port) >> 8, Number(port) & 255, 127, 0, 0, 1]);
const requests = (JSON.parse(paths) as string[]).map((path) =>
  Buffer.from(
    [
      `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      ...(JSON.parse(headers) as string[]),
      '',
      body ?? '',
    ].join('\r\n'),
  ),
);

const sockets = Array.from({ length: Number(count) }, (_, number) => {
  const request = requests[number % requests.length]!;
  const socket = Number(libc.socket(AF_INET, SOCK_STREAM, 0));
  libc.setsockopt(socket, SOL_SOCKET, SO_RCVBUF, ptr(smallest), 4);
  if (libc.connect(socket, ptr(address), address.length) !== 0) throw new Error('Cannot connect');
  libc.send(socket, ptr(request), request.length, 0);
  return socket;
});
console.log('sent');
for await (const _ of console);

const start = Buffer.alloc(STATUS_LINE);
const statuses = new Map<number, string>();
// An answer may be under way still.
for (const end = performance.now() + PATIENCE; statuses.size < sockets.length && performance.now() < end;) {
  for (const socket of sockets) {
    if (statuses.has(socket)) continue;
    const length = Number(libc.recv(socket, ptr(start), start.length, LOOK));
    if (length === STATUS_LINE) statuses.set(socket, start.toString().slice(-3));
  }
  await Bun.sleep(20);
}
const counts = Map.groupBy(sockets, (socket) => statuses.get(socket) ?? 'none');
console.log(JSON.stringify(Object.fromEntries([...counts].map(([status, all]) => [status, all.length]))));
process.exit(0);
