// The process behind address-flood.ts: `addresses`. As many random IPv6 addresses through the module src/budget alone; prints
// as JSON the resident memory at the first million and after each later one, and how often the spent counter was forgotten.
import { createAddressReader, parseNetworks } from '../../src/platform/http/address.ts';
import { createSlidingWindow } from '../../src/platform/http/sliding-window.ts';
import { randomIpv6 } from './random.ts';

const LIMIT = 60;
const SPENT = '203.0.113.7';
const MILLION = 1_000_000;

const addresses = Number(process.argv[2]);
const readAddress = createAddressReader({ trustedProxies: parseNetworks('127.0.0.0/8'), see: () => {} });
const window = createSlidingWindow({ limit: LIMIT, seconds: 86_400, now: () => performance.now() });
const take = (address: string): boolean => {
  const { key, coarseKey } = readAddress('127.0.0.1', address);
  return window.take(key, coarseKey).admitted;
};

for (let request = 0; request < LIMIT; request++) take(SPENT);
const rss: number[] = [];
let forgotten = 0;
const startedAt = performance.now();
for (let n = 1; n <= addresses; n++) {
  take(randomIpv6());
  if (n % 1000 === 0 && take(SPENT)) forgotten++;
  if (n % MILLION === 0) rss.push(process.memoryUsage.rss());
}
console.log(JSON.stringify({ rss, forgotten, seconds: (performance.now() - startedAt) / 1000 }));
