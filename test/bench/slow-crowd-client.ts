// The process behind slow-crowd.ts: its plan as JSON on stdin. Keeps so many connections open that say nothing, or send a
// head or a body one byte a second; one that the stall closes is opened again. Prints a line once all are open, and at the
// end of stdin how many were opened in all, as JSON.
import type { Socket } from 'bun';
import type { CrowdPlan } from './slow-crowd.ts';

const HEAD = 'GET /api/items HTTP/1.1\r\nHost: 127.0.0.1\r\n';
const BODY = 'Host: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{';

const opened = { idle: 0, heads: 0, bodies: 0 };
const dripping = new Set<Socket>();
setInterval(() => dripping.forEach((socket) => socket.write('a')), 1000);

for await (const line of console) {
  if (line === '') break;
  await gather(JSON.parse(line) as CrowdPlan);
  console.log('open');
}
console.log(JSON.stringify(opened));
process.exit(0);

async function gather({ port, idle, heads, bodies, keys }: CrowdPlan): Promise<void> {
  // Half of the idle ones have asked once before; the others never say a word.
  for (let n = 0; n < idle; n++) await enter(port, 'idle', n % 2 === 0 ? '' : `${HEAD}\r\n`);
  for (let n = 0; n < heads; n++) await enter(port, 'heads', `${HEAD}X-Slow: `);
  for (let n = 0; n < bodies; n++) await enter(port, 'bodies', bodyOf(keys[n % keys.length]));
}

async function enter(port: number, kind: keyof typeof opened, first: string): Promise<void> {
  await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open(socket) {
        opened[kind]++;
        socket.write(first);
        if (kind !== 'idle') dripping.add(socket);
      },
      data() {},
      close(socket) {
        dripping.delete(socket);
        // Not all at once, though they were all closed at once.
        setTimeout(() => enter(port, kind, first).catch(() => {}), 2000 * Math.random());
      },
    },
  });
}

function bodyOf(key: string | undefined): string {
  return `POST /api/agent/fetch HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n${BODY}`;
}
