import { afterAll, expect, test } from 'bun:test';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEntry } from '../../src/platform/base/log.ts';
import { createBackups } from '../../src/office/chores.ts';
import { backupName } from '../../src/platform/store/copy.ts';
import { temporaryDirectory } from '../helpers/harness.ts';
import { writeDatabase } from '../platform/store/database-file.ts';
import { DAY, MINUTE, TODAY } from '../helpers/admin-services.ts';

const dataDirectory = temporaryDirectory();
writeDatabase(join(dataDirectory, 'bookstall.db'), 3);

/** A schedule that looks every 20 ms, over a clock that the test moves; `every` counts in that clock. */
function openSchedule({ directory = join(temporaryDirectory(), 'backups'), every = 20, keep = 3 } = {}) {
  let time = TODAY;
  const entries: LogEntry[] = [];
  let wake = Promise.withResolvers<void>();
  const log = (entry: LogEntry): void => {
    entries.push(entry);
    wake.resolve();
    wake = Promise.withResolvers();
  };
  const config = { data: dataDirectory, backup: { every, directory, keep } };
  const schedule = createBackups({ config, log, now: () => time }, 20);
  schedule.start();
  afterAll(schedule.close);
  return {
    directory,
    entries,
    close: schedule.close,
    pass: (milliseconds: number) => (time += milliseconds),
    async until(count: number): Promise<void> {
      while (entries.length < count) await wake.promise;
    },
  };
}

const backupsIn = (directory: string): readonly string[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.db'))
    .toSorted();

test('one is made at once where there is none, then one each time it is due, and the oldest go', async () => {
  const { directory, until, pass, entries, close } = openSchedule();
  for (let n = 1; n <= 5; n++) {
    await until(n);
    await Bun.sleep(100);
    expect(entries).toHaveLength(n);
    pass(20);
  }
  close();
  expect(backupsIn(directory)).toEqual([40, 60, 80].map((after) => backupName(TODAY + after)));
  expect(entries[0]).toMatchObject({
    event: 'backup',
    message: `Backed up to "${join(directory, backupName(TODAY))}"`,
    removed: 0,
  });
});

test.each([
  ['a restart begins nothing again', [-5], 0],
  ['an old one is followed', [-25], 1],
  ['a name of the future, from a clock that was set back, holds nothing up', [-25, DAY], 1],
  ['nor is it made again and again for it', [-5, DAY], 0],
])('%s', async (_, ages, expected) => {
  const directory = temporaryDirectory();
  for (const age of ages) writeFileSync(join(directory, backupName(TODAY + age)), '');
  const { entries, close, until } = openSchedule({ directory });
  await until(expected);
  await Bun.sleep(300);
  close();
  expect(entries.map(({ event }) => event)).toEqual(Array(expected).fill('backup'));
});

test('one that fails is tried again, not sooner than told, and its line names the remedy', async () => {
  const folder = temporaryDirectory();
  const directory = join(folder, 'backups');
  writeFileSync(directory, 'in the way');
  const { until, pass, entries } = openSchedule({ directory, every: 20 });
  await until(1);
  expect(entries[0]).toMatchObject({
    event: 'backup-failed',
    message: expect.stringMatching(/^Cannot back up to .*; .*\. It is tried again in 0 seconds$/),
  });
  await Bun.sleep(100);
  expect(entries).toHaveLength(1);
  rmSync(directory);
  pass(MINUTE);
  await until(2);
  expect(entries[1]).toMatchObject({ event: 'backup' });
});
