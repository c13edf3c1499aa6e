// More addresses than the budget has room for: its memory, its counters, and the readers it knew before.
import { join } from 'node:path';
import { own } from './child.ts';
import { mb, rate, type Row } from './figure.ts';
import { describe, request, runOpenLoop } from './open-loop.ts';
import { openShop, type Shop } from './shop.ts';
import { quantile } from './stall-process.ts';

const OVER_HTTP = 1_000_000;
const ALONE = 10_000_000;
/** Both tables are full after 131,072 + 65,536 addresses: from here on nothing may grow. */
const FULL = 300_000;
/** How much a garbage-collected heap may vary. */
const WAVER = 32 * 2 ** 20;
/** Known before the flood, each well below its budget while it lasts. */
const OTHERS = 1000;
/** Long enough that no counter expires during the bench. */
const FLAGS = ['--budget', '60/3600', '--route-budget', 'off', '--trusted-proxies', '127.0.0.0/8'];
const SPENT = '203.0.113.7';
const COMMAND = 'bun run bench addresses';

type Room = { readonly rss: readonly number[]; readonly forgotten: number; readonly seconds: number };

/** Random IPv6 addresses at the budget: a million over HTTP, ten million at the module alone. */
export async function measureAddresses(): Promise<readonly Row[]> {
  return [...(await measureOverHttp()), ...(await measureRoom())];
}

async function measureOverHttp(): Promise<readonly Row[]> {
  const shop = await openShop({ flags: FLAGS });
  for (let n = 0; n < OTHERS; n++) await ask(shop, other(n), 200);
  for (let n = 0; n < 60; n++) await ask(shop, SPENT, 200);
  await ask(shop, SPENT, 429);
  const startedAt = performance.now();
  await flood(shop, FULL);
  const before = shop.rss();
  const flooded = flood(shop, OVER_HTTP - FULL);
  const { others, spent } = await watch(shop, flooded);
  const statuses = await flooded;
  const perSecond = (OVER_HTTP / (performance.now() - startedAt)) * 1000;
  const after = shop.rss();
  await shop.stop();
  const p99 = quantile(others.sorted, 0.99);
  return [
    {
      figure: `1 million random IPv6 addresses over HTTP, ${rate(perSecond)} with 128 in flight: RSS once both tables are full, and at the end`,
      bound: 'flat: < 32 MB more',
      measured: `${mb(before)}, then ${mb(after)}; ${statuses['429']?.toLocaleString('en')} refused`,
      ratio: '',
      isMet: after - before < WAVER,
      command: COMMAND,
    },
    {
      figure: 'a spent budget during the flood: how often it was forgotten',
      bound: 'never',
      measured: `${spent.failed} of ${spent.sent}`,
      ratio: '',
      isMet: spent.failed === 0,
      command: COMMAND,
    },
    {
      figure: `library of readers known before (${OTHERS} addresses) during the flood`,
      bound: 'p99 < 50 ms, none refused',
      measured: describe(others),
      ratio: '',
      isMet: p99 < 50 && others.failed === 0,
      command: COMMAND,
    },
  ];
}

/** The answers to readers known before, during the flood: 200 within their budget, 429 beyond it. */
function watch({ port, key }: Shop, until: Promise<unknown>) {
  const from = (address: string) => request('/api/cli/library', { ...key(), 'X-Forwarded-For': address });
  const others = Array.from({ length: OTHERS }, (_, n) => from(other(n)));
  const streams = [
    { name: 'others', rate: 100, requests: others },
    { name: 'spent', rate: 20, requests: [from(SPENT)], expected: 429 },
  ] as const;
  return runOpenLoop({ port, seconds: 600, streams }, { until });
}

async function measureRoom(): Promise<readonly Row[]> {
  const child = own(
    Bun.spawn([process.execPath, join(import.meta.dir, 'address-flood-module.ts'), String(ALONE)], {
      stdout: 'pipe',
      stderr: 'inherit',
    }),
  );
  const { rss, forgotten, seconds } = (await new Response(child.stdout).json()) as Room;
  const [first = 0, most] = [rss[0], Math.max(...rss)];
  return [
    {
      figure: `10 million random IPv6 addresses at the module src/budget alone, in ${Math.round(seconds)} s`,
      bound: 'flat: < 32 MB more; never forgotten',
      measured: `RSS ${mb(first)} after the first million, at most ${mb(most)}; a spent budget forgotten ${forgotten} times`,
      ratio: '',
      isMet: most - first < WAVER && forgotten === 0,
      command: COMMAND,
    },
  ];
}

async function flood({ port }: Shop, requests: number): Promise<Readonly<Record<string, number>>> {
  const client = join(import.meta.dir, 'address-flood-client.ts');
  const child = own(
    Bun.spawn([process.execPath, client, String(port), String(requests)], {
      stdout: 'pipe',
      stderr: 'inherit',
    }),
  );
  return (await new Response(child.stdout).json()) as Record<string, number>;
}

async function ask({ url, key }: Shop, address: string, status: number): Promise<void> {
  const answer = await fetch(`${url}/api/cli/library`, { headers: { ...key(), 'X-Forwarded-For': address } });
  if (answer.status !== status) throw new Error(`"${address}" got ${answer.status}, not ${status}`);
}

function other(n: number): string {
  return `198.18.${n >> 8}.${n & 255}`;
}
