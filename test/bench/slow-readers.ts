// A download that progresses is not cut, however slowly; one that stalls is, after 255 s. Takes five minutes: run by hand.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { join } from 'node:path';
import { itemYaml, skillMd, writeFiles } from '../helpers/harness.ts';
import { scratch, startStall } from './stall-process.ts';

const SECONDS = 285;

const content = scratch('slow');
writeFiles(join(content, 'skills/large'), {
  'item.yaml': itemYaml(),
  'SKILL.md': skillMd('large'),
  'noise.bin': randomBytes(40_000_000),
});
const stall = await startStall(content, join(scratch('slow-data'), 'data'), 7191);
const url = `${stall.url}/api/install/large`;

/** curl's exit code: 28 if it was still being served when its own time was up, 18 or 56 if the stall cut it. */
async function slow(rate: string): Promise<number> {
  return Bun.spawn(
    ['curl', '-sS', '-o', '/dev/null', '--limit-rate', rate, '--max-time', String(SECONDS), url],
    {
      stderr: 'ignore',
    },
  ).exited;
}

/** How many bytes a reader gets that takes none for `SECONDS` and then all there are. */
function stalled(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const socket = connect(7191, '127.0.0.1');
  let bytes = 0;
  socket.write(`GET /api/install/large HTTP/1.1\r\nHost: 127.0.0.1:7191\r\nConnection: close\r\n\r\n`);
  socket.pause();
  socket.on('data', (chunk) => void (bytes += chunk.length));
  socket.on('error', () => {});
  socket.on('close', () => resolve(bytes));
  setTimeout(() => socket.resume(), SECONDS * 1000);
  return promise;
}

const [fast, slowly, bytes] = await Promise.all([slow('100k'), slow('20k'), stalled()]);
console.log(`reader at 100 kB/s: curl ${fast} (28: still served after ${SECONDS} s)`);
console.log(`reader at 20 kB/s: curl ${slowly}`);
console.log(`stalled reader: ${bytes} of 40,000,000 bytes, ${bytes < 40_000_000 ? 'cut' : 'NOT CUT'}`);
await stall.stop();
process.exit(fast === 28 && slowly === 28 && bytes < 40_000_000 ? 0 : 1);
