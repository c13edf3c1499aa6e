// Somebody's library while a database of 500 MB is backed up.
import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { own } from './child.ts';
import { mb, type Row } from './figure.ts';
import { describe, request, runOpenLoop } from './open-loop.ts';
import { openShop } from './shop.ts';
import { BINARY, quantile, scratch } from './stall-process.ts';

const BYTES = 500 * 2 ** 20;
const BATCH = 100_000;

/** `bookstall backup` beside a server whose library is asked 200 times a second. */
export async function measureBackup(): Promise<readonly Row[]> {
  const shop = await openShop();
  const file = join(shop.data, 'bookstall.db');
  fill(file);
  const copy = join(scratch('backup'), 'copy.db');
  const startedAt = performance.now();
  const backup = own(
    Bun.spawn([BINARY, 'backup', copy, '--data', shop.data], { stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const streams = [
    { name: 'library', rate: 200, requests: [request('/api/cli/library', shop.key())] },
  ] as const;
  const { library } = await runOpenLoop({ port: shop.port, seconds: 600, streams }, { until: backup.exited });
  const seconds = (performance.now() - startedAt) / 1000;
  await shop.stop();
  if (backup.exitCode !== 0) throw new Error(`backup ended with ${backup.exitCode}`);
  const p99 = quantile(library.sorted, 0.99);
  return [
    {
      figure: `library during a backup of ${mb(statSync(file).size)}, which took ${seconds.toFixed(1)} s`,
      bound: 'p99 < 20 ms',
      measured: `${describe(library)}; ${library.failed} failed`,
      ratio: '',
      isMet: p99 < 20 && library.failed === 0,
      command: 'bun run bench backup',
    },
  ];
}

/** Downloads until the file is large, as a stall has them after a few million. */
function fill(file: string): void {
  const db = new Database(file, { strict: true });
  db.run('PRAGMA busy_timeout = 5000');
  const add = db.prepare(
    `INSERT INTO downloads WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${BATCH})
      SELECT lower(hex(randomblob(16))), lower(hex(randomblob(18))), 1, 'skill', 'paid-skill', 'paid-skill',
        lower(hex(randomblob(32))), 'install', 49000, 1700000000000 + i FROM n`,
  );
  while (statSync(file).size < BYTES) {
    add.run();
    db.run('PRAGMA wal_checkpoint(TRUNCATE)');
  }
  db.close();
}
