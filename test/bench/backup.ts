// A database of 500 MB backed up beside a server: how long it takes, and how long others wait for their library meanwhile.
import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { itemYaml, writeFiles } from '../harness.ts';
import { BINARY, office, probe, quantile, scratch, startStall, timeShell } from './stall-process.ts';

const PORT = 7470;
const BYTES = 500_000_000;
const EMAIL = 'bench@example.org';

/** What was measured: times in milliseconds, `p50` to `worst` of the library of one reader asked every 5 ms, `idle` before and `during` the backup. */
export type BackupBench = {
  readonly bytes: number;
  readonly backupMs: number;
  readonly copyAndHashMs: number;
  readonly restoreMs: number;
  readonly idle: Latencies;
  readonly during: Latencies;
};

type Latencies = {
  readonly asked: number;
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
};

/** Builds a stall with a large download log, backs it up beside its server, and restores it. It takes a minute and 2 GB. */
export async function benchBackup(): Promise<BackupBench> {
  const content = scratch('backup-content');
  writeFiles(join(content, 'books/a'), {
    'item.yaml': itemYaml({ id: 'a', unitAmountCents: 500 }),
    '01.md': 'The heron stands.\n',
  });
  const data = join(scratch('backup-data'), 'data');
  await (await startStall(content, data, PORT)).stop();
  fillDownloads(join(data, 'bookstall.db'), BYTES);
  const stall = await startStall(content, data, PORT);
  await office(data, 'account', 'add', EMAIL);
  await office(data, 'grant', 'add', EMAIL, 'a');
  const { key } = await office(data, 'key', 'create', EMAIL);
  const headers = { Authorization: `Bearer ${key}` };
  const folder = scratch('backup-target');
  const measure = async (meanwhile: () => Promise<number>): Promise<readonly [number, Latencies]> => {
    const asked = probe(`${stall.url}/api/cli/library`, headers);
    const ms = await meanwhile();
    return [ms, latenciesOf(await asked.stop())];
  };
  const [, idle] = await measure(() => Bun.sleep(5000).then(() => 0));
  const [backupMs, during] = await measure(() =>
    timeShell(`${BINARY} backup ${folder}/one.db --data ${data} 2> /dev/null`),
  );
  await stall.stop();
  const bytes = statSync(join(folder, 'one.db')).size;
  const copyAndHashMs = await timeShell(
    `cp ${folder}/one.db ${folder}/plain.db && sync ${folder}/plain.db && sha256sum ${folder}/plain.db > /dev/null`,
  );
  const restoreMs = await timeShell(
    `${BINARY} restore ${folder}/one.db --data ${folder}/restored 2> /dev/null`,
  );
  return { bytes, backupMs, copyAndHashMs, restoreMs, idle, during };
}

/** Adds rows of the download log until the database is as large as told. */
function fillDownloads(file: string, bytes: number): void {
  const db = new Database(file);
  db.run('PRAGMA synchronous = OFF');
  const insert = db.prepare(
    `INSERT INTO downloads (id, kind, item_key, slug, digest, door, bytes, downloaded_at) VALUES (?, 'book', 'a', 'a', ?, 'install', 1234, ?)`,
  );
  const addRows = db.transaction((first: number) => {
    for (let n = first; n < first + 50_000; n++)
      insert.run(
        crypto.randomUUID(),
        new Bun.CryptoHasher('sha256').update(String(n)).digest('hex'),
        1_700_000_000_000 + n * 1000,
      );
  });
  for (let n = 0; statSync(file).size < bytes; n += 50_000) {
    addRows(n);
    db.run('PRAGMA wal_checkpoint(TRUNCATE)');
  }
  insert.finalize();
  db.close();
}

function latenciesOf(sorted: readonly number[]): Latencies {
  return {
    asked: sorted.length,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    worst: sorted.at(-1) ?? Number.NaN,
  };
}

function row(name: string, { asked, p50, p99, worst }: Latencies): string {
  return `| ${name} | p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, worst ${worst.toFixed(1)} ms, ${asked} asked |`;
}

if (import.meta.main) {
  const { bytes, backupMs, copyAndHashMs, restoreMs, idle, during } = await benchBackup();
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  console.log('| measured | |\n| --- | --- |');
  console.log(`| backup of ${Math.round(bytes / 1e6)} MB beside the server, proven | ${seconds(backupMs)} |`);
  console.log(`| cp, sync, sha256sum of the same | ${seconds(copyAndHashMs)} |`);
  console.log(`| restore into an empty directory | ${seconds(restoreMs)} |`);
  console.log(row("a reader's library, idle", idle));
  console.log(row('the same during the backup', during));
  process.exit(during.p99 < 20 ? 0 : 1);
}
