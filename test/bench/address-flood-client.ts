// The process behind address-flood.ts: `port requests`. Pipelines library calls without a key, each from another random
// IPv6 address; prints how many were counted (401), refused (429) and lost, as JSON.
import { randomIpv6 } from './random.ts';

const SOCKETS = 4;
const BATCH = 32;
const STATUS = /HTTP\/1\.1 (\d{3})/g;

const [port = 0, requests = 0] = process.argv.slice(2).map(Number);
const statuses: Record<string, number> = {};
let left = requests;

await Promise.all(Array.from({ length: SOCKETS }, flood));
console.log(JSON.stringify(statuses));
process.exit(0);

async function flood(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let owed = 0;
  let rest = '';
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data(_, bytes) {
        const text = rest + bytes.toString('latin1');
        for (const [, status = ''] of text.matchAll(STATUS)) {
          statuses[status] = (statuses[status] ?? 0) + 1;
          owed--;
        }
        // A status line may be cut by the end of a read: at most its first eleven characters wait.
        rest = /H[TP/1.\d ]{0,10}$/.exec(text)?.[0] ?? '';
        if (owed === 0) send();
      },
      close: () => reject(new Error('The stall closed the connection')),
    },
  });
  const send = (): void => {
    if (left === 0) return resolve();
    owed = Math.min(BATCH, left);
    left -= owed;
    socket.write(Array.from({ length: owed }, ask).join(''));
  };
  send();
  return promise;
}

function ask(): string {
  return `GET /api/cli/library HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: ${randomIpv6()}\r\n\r\n`;
}
