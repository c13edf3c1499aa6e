// bun run bench:catalog: the catalog against its peers, in one run. Prints the rows of README.md's table.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mb, ms, ratio } from './figure.ts';
import { writeLibraryTree } from './library-tree.ts';
import { startNginx } from './nginx.ts';
import {
  BINARY,
  office,
  probe,
  quantile,
  scratch,
  type StallProcess,
  startStall,
  timeShell,
} from './stall-process.ts';

const PORT = 7460;
const rows: string[] = [];

const content = scratch('content');
console.error('Writing 10,000 files, 1 GB …');
writeLibraryTree(content);
await measureHashing();
await measureCompiling();
await measureSending();
await measureReloading();
console.log(
  `| measured | Bookstall | peer | ratio or bound | wanted |\n|---|---|---|---|---|\n${rows.join('\n')}`,
);

async function measureHashing(): Promise<void> {
  const peer = await best(3, () =>
    timeShell(`find ${content} -type f -print0 | xargs -0 -P2 sha256sum > /dev/null`),
  );
  const ours = await best(3, () => timeShell(`${BINARY} check --content ${content} > /dev/null 2>&1`));
  row(
    'hash 10,000 files, 1 GB (`bookstall check`)',
    ms(ours),
    `find, xargs -P2 sha256sum ${ms(peer)}`,
    ratio(ours, peer),
    '<= 0.5',
  );
}

async function measureCompiling(): Promise<void> {
  const data = scratch('data');
  const cold = await startStall(content, data, PORT);
  await cold.stop();
  const peer = await timeShell(`tar -cf - -C ${content} . | pigz -6 -p2 > /dev/null`);
  row(
    '/readyz with all artefacts',
    ms(cold.readyMs),
    `tar, pigz -6 -p2 ${ms(peer)}`,
    ratio(cold.readyMs, peer),
    '<= 1.3',
  );
  const warm = await startStall(content, data, PORT);
  row('restart, unchanged', ms(warm.readyMs), '', '', '< 1,000 ms');
  row('its RSS', mb(warm.rss()), '', '', '< 150 MB');
  await warm.stop();
}

async function measureSending(): Promise<void> {
  const { stall, key } = await openLargeStall();
  const www = scratch('www');
  await timeShell(`curl -fsS -o ${www}/large.tar.gz ${stall.url}/api/install/large`);
  const nginx = await startNginx(www, PORT + 1);
  const fetchOurs = () => timeShell(`curl -fsS -o /dev/null ${stall.url}/api/install/large`);
  const fetchTheirs = () => timeShell(`curl -fsS -o /dev/null ${nginx.url}/large.tar.gz`);
  const [ours, theirs] = [await best(7, fetchOurs), await best(7, fetchTheirs)];
  row(
    'install of 200 MB',
    ms(ours),
    `nginx ${ms(theirs)}`,
    `throughput ${(theirs / ours).toFixed(2)} x`,
    '>= 0.8 x',
  );
  await nginx.stop();
  await measureSlowReaders(stall, key);
  await stall.stop();
}

/** 64 readers at 1 MB/s for ten seconds, and another reader's library during it. */
async function measureSlowReaders(stall: StallProcess, key: string): Promise<void> {
  const before = stall.rss();
  const readers = Array.from({ length: 64 }, () =>
    Bun.spawn(
      [
        'curl',
        '-fsS',
        '--limit-rate',
        '1M',
        '--max-time',
        '10',
        '-o',
        '/dev/null',
        `${stall.url}/api/install/large`,
      ],
      { stderr: 'ignore' },
    ),
  );
  const others = probe(`${stall.url}/api/cli/library`, { Authorization: `Bearer ${key}` });
  let peak = 0;
  for (let second = 0; second < 9; second++) {
    await Bun.sleep(1000);
    peak = Math.max(peak, stall.rss());
  }
  const latencies = await others.stop();
  await Promise.all(readers.map((reader) => reader.exited));
  row('64 readers at 1 MB/s: RSS grows', mb(peak - before), '', '', '< 64 MB');
  row(
    "others' library p99 during it",
    ms(quantile(latencies, 0.99)),
    `p50 ${ms(quantile(latencies, 0.5))}, ${latencies.length} asked`,
    '',
    '< 20 ms',
  );
}

/** Others' library while a gigabyte is compiled into a running stall. */
async function measureReloading(): Promise<void> {
  const { stall, key, folder } = await openLargeStall();
  renameSync(join(content, 'skills'), join(folder, 'skills'));
  stall.signal('SIGHUP');
  const others = probe(`${stall.url}/api/cli/library`, { Authorization: `Bearer ${key}` });
  const startedAt = performance.now();
  while (performance.now() - startedAt < 120_000 && !(await isServed(stall, 'item-99'))) await Bun.sleep(200);
  const latencies = await others.stop();
  row(
    "others' library p99 while 0.9 GB compile",
    ms(quantile(latencies, 0.99)),
    `p50 ${ms(quantile(latencies, 0.5))}, ${latencies.length} asked`,
    '',
    '< 20 ms',
  );
  await stall.stop();
}

async function isServed({ url }: StallProcess, slug: string): Promise<boolean> {
  return (await fetch(`${url}/api/install/${slug}`, { method: 'HEAD' })).status === 200;
}

async function openLargeStall() {
  const folder = scratch('large');
  const data = scratch('large-data');
  const large = join(folder, 'books', 'large');
  mkdirSync(large, { recursive: true });
  const bytes = crypto.getRandomValues(new Uint8Array(65_536));
  writeFileSync(
    join(large, 'item.yaml'),
    'id: large\ntitle: Large\ndescription: 200 MB\npublisher: Bench\nunitAmountCents: 0\n',
  );
  writeFileSync(join(large, 'blob.bin'), Buffer.concat(Array.from({ length: 3200 }, () => bytes)));
  const stall = await startStall(folder, data, PORT);
  await office(data, 'account', 'add', 'bench@example.org');
  const { key = '' } = await office(data, 'key', 'create', 'bench@example.org');
  return { stall, key, folder };
}

async function best(times: number, run: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time++) least = Math.min(least, await run());
  return least;
}

function row(...cells: readonly string[]): void {
  rows.push(`| ${cells.join(' | ')} |`);
  console.error(cells.join('  '));
}
