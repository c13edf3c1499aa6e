// A database of 500 MB backed up beside a server: how long it takes, and how long others wait for their library during it.
import { Database } from 'bun:sqlite';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { mb, ms, ratio, type Row } from './figure.ts';
import { describe, request, runOpenLoop } from './open-loop.ts';
import { openShop } from './shop.ts';
import { BINARY, quantile, scratch, timeShell } from './stall-process.ts';

const BYTES = 500 * 2 ** 20;
const BATCH = 100_000;
const COMMAND = 'bun run bench backup';

/** `bookstall backup` beside a server whose library is asked 200 times a second, and `restore`. It takes a minute and 3 GB. */
export async function measureBackup(): Promise<readonly Row[]> {
  const shop = await openShop();
  fill(join(shop.data, 'bookstall.db'));
  const folder = scratch('backup');
  const copied = timeShell(`${BINARY} backup ${folder}/one.db --data ${shop.data} 2> /dev/null`);
  const streams = [
    { name: 'library', rate: 200, requests: [request('/api/cli/library', shop.key())] },
  ] as const;
  const { library } = await runOpenLoop({ port: shop.port, seconds: 600, streams }, { until: copied });
  const backupMs = await copied;
  await shop.stop();
  const plain = `${folder}/plain.db`;
  const plainMs = await timeShell(
    `cp ${folder}/one.db ${plain} && sync ${plain} && sha256sum ${plain} > /dev/null`,
  );
  const restoreMs = await timeShell(
    `${BINARY} restore ${folder}/one.db --data ${folder}/restored 2> /dev/null`,
  );
  const p99 = quantile(library.sorted, 0.99);
  const size = mb(statSync(`${folder}/one.db`).size);
  return [
    {
      figure: `library during a backup of ${size} beside the server`,
      bound: 'p99 < 20 ms',
      measured: describe(library),
      ratio: '',
      isMet: p99 < 20 && library.failed === 0,
      command: COMMAND,
    },
    {
      figure: `backup of ${size}, proven, against cp, sync and sha256sum; restore into an empty directory`,
      bound: 'stated',
      measured: `${ms(backupMs)} against ${ms(plainMs)}; ${ms(restoreMs)}`,
      ratio: ratio(backupMs, plainMs),
      isMet: null,
      command: COMMAND,
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
