// One address asks for large answers 600 times at once and takes nothing of them: memory, and what others notice.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openOffice } from '../helpers/office.ts';
import { itemYaml, skillMd, writeFiles } from '../helpers/harness.ts';
import { openTinyWindows } from '../helpers/tiny-windows.ts';
import { freePort, own } from './child.ts';
import { mb, ms, type Row } from './figure.ts';
import { startProxy } from './nginx.ts';
import { request, runOpenLoop } from './open-loop.ts';
import { quantile, scratch, startStall, type StallProcess } from './stall-process.ts';

const CLIENTS = 600;
/** How long the clients stay, and how long their memory may take to come back, in seconds. */
const STAY = 10;
const BACK = 20;
const MOST = 100 * 1024 * 1024;
const MOST_MS = 50;
const COMMAND = 'bun run bench bytes-in-flight';

/** Bytes that begin as a PNG does; nobody draws them. */
function png(size: number): Uint8Array {
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(size - 8)]);
}

/** Each large answer of a stall, whole in memory or not, asked for by 600 clients alone and through nginx. */
export async function measureBytesInFlight(): Promise<readonly Row[]> {
  const content = scratch('in-flight');
  const data = join(scratch('in-flight-data'), 'data');
  mkdirSync(data);
  writeFiles(content, {
    'books/picture/item.yaml': itemYaml({ id: 'picture', cover: 'cover.png' }),
    'books/picture/cover.png': png(1_000_000),
    'books/album/item.yaml': itemYaml({ id: 'album' }),
    'books/album/pic.png': png(6_000_000),
    'books/film/item.yaml': itemYaml({ id: 'film' }),
    'books/film/film.bin': randomBytes(60_000_000),
    'skills/archive/item.yaml': itemYaml(),
    'skills/archive/SKILL.md': skillMd('archive'),
    'skills/archive/noise.bin': randomBytes(7_500_000),
  });
  const port = freePort();
  const stall = await startStall(content, data, port, '--trusted-proxies', '127.0.0.1');
  const admin = await openOffice(data);
  await admin.accounts.add('reader@example.org');
  const { key } = await admin.keys.create('reader@example.org', 'bench', { days: 1 });
  await admin.close();
  const cover = /\/covers\/[^"]+/.exec(await (await fetch(`${stall.url}/books/picture`)).text())?.[0] ?? '';
  const targets = [
    ['cover of 1 MB', cover],
    ['image of 6 MB', '/books/album/files/pic.png'],
    ['file of 60 MB', '/books/film/files/film.bin'],
    ['install of 7.5 MB', '/api/install/archive'],
    ['zip of 7.5 MB', '/api/skills/archive/download'],
  ] as const;
  const proxy = await startProxy(stall.url, freePort());
  const rows: Row[] = [];
  for (const [name, path] of targets) {
    await (await fetch(`${stall.url}${path}`)).bytes();
    rows.push(await measure(stall, port, key, `${name}, alone`, path, port));
    rows.push(await measure(stall, port, key, `${name}, through nginx`, path, proxy.port));
  }
  await proxy.stop();
  await stall.stop();
  return rows;
}

async function measure(
  stall: StallProcess,
  port: number,
  key: string,
  name: string,
  path: string,
  clientPort: number,
): Promise<Row> {
  const before = stall.rss();
  // Resets VmHWM (proc(5)).
  writeFileSync(`/proc/${stall.pid}/clear_refs`, '5');
  const streams = [
    { name: 'probe', rate: 100, requests: [request('/livez')] },
    {
      name: 'library',
      rate: 100,
      requests: [request('/api/cli/library', { Authorization: `Bearer ${key}` })],
    },
  ] as const;
  const others = runOpenLoop({ port, seconds: STAY + 2, streams });
  await Bun.sleep(1000);
  const { client, leave } = await openTinyWindows(clientPort, CLIENTS, path);
  own(client);
  const { probe, library } = await others;
  const peak = stall.peakRss();
  const statuses = Object.entries(await leave()).map(([status, count]) => `${count} x ${status}`);
  const leftAt = performance.now();
  while (stall.rss() > before + MOST / 5 && performance.now() - leftAt < BACK * 1000) await Bun.sleep(100);
  const seconds = (performance.now() - leftAt) / 1000;
  const [probeP99, libraryP99] = [quantile(probe.sorted, 0.99), quantile(library.sorted, 0.99)];
  const failed = probe.failed + library.failed;
  return {
    figure: `${CLIENTS} clients at once that take nothing of a ${name}`,
    bound: `RSS + < 100 MB, back in ${BACK} s; others p99 < ${MOST_MS} ms`,
    measured: `RSS ${mb(before)}, at most ${mb(peak)}, after ${seconds.toFixed(1)} s ${mb(stall.rss())}; /livez p99 ${ms(probeP99)}, library p99 ${ms(libraryP99)}, max ${ms(Math.max(probe.sorted.at(-1) ?? 0, library.sorted.at(-1) ?? 0))}, ${failed} failed; ${statuses.join(', ')}`,
    ratio: '',
    isMet:
      peak - before < MOST && seconds < BACK && probeP99 < MOST_MS && libraryP99 < MOST_MS && failed === 0,
    command: COMMAND,
  };
}
