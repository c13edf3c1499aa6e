// Requests a second of the stall's three main endpoints beside bare servers that send the same bytes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './child.ts';
import { mb, rate, ratio, type Row } from './figure.ts';
import { startNginx } from './nginx.ts';
import { startPeer } from './peer.ts';
import { alternate } from './rounds.ts';
import { LONG_BOOK, LONGER_PAID, openShop, PAID, type Shop } from './shop.ts';
import { scratch } from './stall-process.ts';
import { wrk } from './wrk.ts';

const ROUNDS = 5;
/** On, and never reached. */
const LARGE_BUDGET = ['--budget', '1000000000/60', '--route-budget', '1000000000/60'];

/** A paid install of about 60 KB against nginx and a bare Bun.serve, and one of 92 KB against the latter. */
export async function measureInstall(): Promise<readonly Row[]> {
  const shop = await openShop({ flags: LARGE_BUDGET });
  const rows = [
    ...(await measureWhole(shop, `${shop.url}/api/install/${PAID}`)),
    await measureBare(shop, `${shop.url}/api/install/${LONGER_PAID}`, 0.35),
  ];
  await shop.stop();
  return rows;
}

const COMMAND = 'bun run bench install';
const install = (body: Uint8Array): string =>
  `paid install of ${Math.round(body.length / 1000)} KB: key, grant, budget, row queued`;

async function measureWhole(shop: Shop, url: string): Promise<readonly Row[]> {
  const body = await bytesOf(url, shop.key());
  const nginx = await serveFile(body);
  const plain = await serveFile(body, 'plain');
  const run = await alternate(ROUNDS, {
    ours: () => wrk(url, { headers: shop.key() }),
    nginx: () => wrk(nginx.url),
    plain: () => wrk(plain.url),
  });
  await Promise.all([nginx.stop(), plain.stop()]);
  return [
    await measureBare(shop, url, 0.45),
    {
      figure: `${install(body)}, against nginx, one worker, as it comes: a line in its log a request, no sendfile`,
      bound: '',
      measured: `${rate(run.ours)} against ${rate(run.plain)}`,
      ratio: ratio(run.ours, run.plain),
      isMet: null,
      command: COMMAND,
    },
    {
      figure: 'the same, against nginx, one worker, sendfile and tcp_nopush on, no access log',
      bound: '',
      measured: `${rate(run.ours)} against ${rate(run.nginx)}`,
      ratio: ratio(run.ours, run.nginx),
      isMet: null,
      command: COMMAND,
    },
  ];
}

async function measureBare(shop: Shop, url: string, bound: number): Promise<Row> {
  const body = await bytesOf(url, shop.key());
  const bun = await startPeer('bun', body);
  const run = await alternate(ROUNDS, {
    ours: () => wrk(url, { headers: shop.key() }),
    bun: () => wrk(bun.url),
  });
  await bun.stop();
  return {
    figure: `${install(body)}, against a bare \`Bun.serve\` of the bytes it holds`,
    bound: `>= ${bound} x`,
    measured: `${rate(run.ours)} against ${rate(run.bun)}`,
    ratio: ratio(run.ours, run.bun),
    isMet: run.ours >= bound * run.bun,
    command: COMMAND,
  };
}

/** The library of 50 grants, and the catalog of 52 items, each against a bare Elysia handler that returns the same text. */
export const measureLibrary = (): Promise<readonly Row[]> =>
  measureText('library', 'library of 50 grants', '/api/cli/library');
export const measureCatalog = (): Promise<readonly Row[]> =>
  measureText('catalog', 'catalog of 52 items', '/api/items');

async function measureText(name: string, figure: string, path: string): Promise<readonly Row[]> {
  const shop = await openShop({ flags: LARGE_BUDGET });
  const url = `${shop.url}${path}`;
  const body = await bytesOf(url, shop.key());
  const elysia = await startPeer('elysia', body);
  const run = await alternate(ROUNDS, {
    ours: () => wrk(url, { headers: shop.key() }),
    elysia: () => wrk(elysia.url),
  });
  await Promise.all([shop.stop(), elysia.stop()]);
  return [
    {
      figure: `${figure}, ${Math.round(body.length / 1000)} KB, against a bare Elysia handler that returns the same text`,
      bound: '>= 0.5 x',
      measured: `${rate(run.ours)} against ${rate(run.elysia)}`,
      ratio: ratio(run.ours, run.elysia),
      isMet: run.ours >= 0.5 * run.elysia,
      command: `bun run bench ${name}`,
    },
  ];
}

/** The files of a book of 1 MB as JSON against nginx. */
export async function measureFileJson(): Promise<readonly Row[]> {
  const shop = await openShop({ flags: LARGE_BUDGET });
  const url = `${shop.url}/api/books/${LONG_BOOK}/files`;
  const body = await bytesOf(url, shop.key());
  const nginx = await serveFile(body);
  const run = await alternate(ROUNDS, {
    ours: () => wrk(url, { headers: shop.key() }),
    nginx: () => wrk(nginx.url),
  });
  await Promise.all([shop.stop(), nginx.stop()]);
  return [
    {
      figure: `files JSON of a book, ${mb(body.length)}, against nginx, one worker`,
      bound: '>= 0.7 x',
      measured: `${rate(run.ours)} against ${rate(run.nginx)}`,
      ratio: ratio(run.ours, run.nginx),
      isMet: run.ours >= 0.7 * run.nginx,
      command: 'bun run bench file-json',
    },
  ];
}

async function bytesOf(url: string, headers: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const answer = await fetch(url, { headers });
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`);
  return answer.bytes();
}

async function serveFile(body: Uint8Array, settings: 'tuned' | 'plain' = 'tuned') {
  const www = scratch('www');
  writeFileSync(join(www, 'body'), body);
  const nginx = await startNginx(www, freePort(), settings);
  return { url: `${nginx.url}/body`, stop: nginx.stop };
}
