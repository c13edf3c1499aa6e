// A stall on one CPU: a mixed load it must bear in 512 MB, and the most it answers of each kind.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mb, ms, rate, type Row } from './figure.ts';
import { request, runOpenLoop } from './open-loop.ts';
import { LONG_BOOK, openShop, PAID, type Shop, word } from './shop.ts';
import { gather, startReaders } from './slow-crowd.ts';
import { quantile, scratch } from './stall-process.ts';
import { wrk } from './wrk.ts';

const MEMORY = 512 * 2 ** 20;
const SECONDS = 30;
const READERS = 32;
/** The stall has the first CPU to itself, the load all others. */
const STALL = ['taskset', '-c', '0'];
const LOAD = ['taskset', '-c', '1-1023'];

/** Requests a second of each kind, beside 100 readers at 1 KB/s and 500 idle connections. */
const MIX = { installs: 200, libraries: 200, catalogs: 50, files: 20, questions: 10 } as const;

const QUESTION = { book_id: LONG_BOOK, query: `What about ${word(77)} and ${word(823)} in ${word(4)}?` };

/**
 * The mixed load on one CPU by taskset; the memory is watched (the kernel's own peak of the process), not limited: what a
 * cgroup would end is seen, whether or not this machine lets one be made.
 */
export async function measureSmallMachine(): Promise<readonly Row[]> {
  const shop = await openShop({ readers: READERS, prefix: STALL });
  const crowd = await gather({ port: shop.port, idle: 500, heads: 10, bodies: 0, keys: [] });
  const slow = await startReaders(shop, 100);
  const load = await runOpenLoop(
    { port: shop.port, seconds: SECONDS, streams: mixOf(shop) },
    { prefix: LOAD },
  );
  const [peak, isAlive] = [shop.peakRss(), shop.isAlive()];
  slow.forEach((reader) => reader.kill());
  await crowd.leave();
  await shop.stop();
  const all = Object.values(load);
  const sorted = all.flatMap((latencies) => latencies.sorted).sort((a, b) => a - b);
  const failed = all.reduce((sum, latencies) => sum + latencies.failed, 0);
  const worst = Object.entries(load).map(
    ([name, latencies]) => `${name} ${ms(quantile(latencies.sorted, 0.99))}`,
  );
  const p99 = quantile(sorted, 0.99);
  const mix = Object.entries(MIX).map(([name, perSecond]) => `${perSecond} ${name}`);
  return [
    {
      figure: `one CPU (taskset), 512 MB (peak RSS watched): ${mix.join(', ')} a second, beside 100 readers at 1 KB/s and 500 idle connections`,
      bound: 'lives, p99 < 50 ms, peak < 512 MB',
      measured: `${isAlive ? 'lives' : 'died'}, p99 ${ms(p99)} (${worst.join(', ')}), ${failed} of ${sorted.length + failed} failed, peak ${mb(peak)}`,
      ratio: '',
      isMet: isAlive && failed === 0 && p99 < 50 && peak < MEMORY,
      command: 'bun run bench small',
    },
  ];
}

function mixOf({ key }: Shop) {
  const all = (path: string, body?: unknown) =>
    Array.from({ length: READERS }, (_, reader) => request(path, key(reader), body));
  return [
    { name: 'installs', rate: MIX.installs, requests: all(`/api/install/${PAID}`) },
    { name: 'libraries', rate: MIX.libraries, requests: all('/api/cli/library') },
    { name: 'catalogs', rate: MIX.catalogs, requests: all('/api/items') },
    { name: 'files', rate: MIX.files, requests: all(`/api/books/${LONG_BOOK}/files`) },
    { name: 'questions', rate: MIX.questions, requests: all('/api/agent/fetch', QUESTION) },
  ] as const;
}

/** The most answers a second on one CPU, of one kind at a time. */
export async function measureCapacity(): Promise<readonly Row[]> {
  const shop = await openShop({ readers: READERS, prefix: STALL });
  const ask = (path: string, script?: string) =>
    wrk(`${shop.url}${path}`, {
      headers: shop.key(),
      prefix: LOAD,
      ...(script === undefined ? {} : { script }),
    });
  const measured = {
    'paid installs of 60 KB': await ask(`/api/install/${PAID}`),
    'libraries of 50 grants': await ask('/api/cli/library'),
    'catalogs of 52 items': await ask('/api/items'),
    'file JSONs of 1 MB': await ask(`/api/books/${LONG_BOOK}/files`),
    'questions to a book of 1 MB': await ask('/api/agent/fetch', questionScript(shop.keys)),
  };
  await shop.stop();
  return Object.entries(measured).map(([kind, perSecond]) => ({
    figure: `one CPU: the most ${kind}, one kind at a time`,
    bound: 'stated',
    measured: rate(perSecond),
    ratio: '',
    isMet: null,
    command: 'bun run bench capacity',
  }));
}

/** wrk's script: every request with the next key, since an account may have four answers open. */
function questionScript(keys: readonly string[]): string {
  const file = join(scratch('wrk'), 'question.lua');
  writeFileSync(
    file,
    `local keys = { ${keys.map((key) => `"${key}"`).join(', ')} }
local n = 0
function request()
  n = n + 1
  local headers = { ["Authorization"] = "Bearer " .. keys[n % #keys + 1], ["Content-Type"] = "application/json" }
  return wrk.format("POST", nil, headers, [[${JSON.stringify(QUESTION)}]])
end
`,
  );
  return file;
}
