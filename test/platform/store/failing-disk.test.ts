import { expect } from 'bun:test';
import { join } from 'node:path';
import { openForWriting } from '../../../src/platform/store/database.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';
import { failing, testTraced } from '../../helpers/strace.ts';

const WRITER = join(import.meta.dir, './dying-writer.ts');

type Said = { readonly kept: readonly number[]; readonly refused: readonly number[] };

/** Lets the writer run and die over a database whose write-ahead log fails it so. */
async function writeOver(directory: string, calls: string, error: string, when: string): Promise<Said> {
  openForWriting(join(directory, 'bookstall.db')).close();
  const fault = failing(join(directory, 'bookstall.db-wal'), calls, error, when);
  const child = Bun.spawn([...fault, process.execPath, WRITER, directory], { stdout: 'pipe' });
  const lines = (await child.stdout.text()).trim().split('\n');
  const numbers = (word: string): readonly number[] =>
    lines.filter((line) => line.endsWith(word)).map((line) => Number.parseInt(line));
  return { kept: numbers('kept'), refused: numbers('refused') };
}

testTraced.each([
  ['the sync fails once', 'fsync,fdatasync', 'EIO', '5'],
  ['the sync fails from then on', 'fsync,fdatasync', 'EIO', '5+'],
  ['the very last sync fails', 'fsync,fdatasync', 'EIO', '13+'],
  ['a write fails once', 'pwrite64', 'EIO', '20'],
  ['the disk is full from then on', 'pwrite64', 'ENOSPC', '20+'],
] as const)(
  '%s: what was refused is not there after kill -9, what was kept is',
  async (_, calls, error, when) => {
    const directory = temporaryDirectory();
    const { kept, refused } = await writeOver(directory, calls, error, when);
    expect([kept.length > 0, refused.length > 0, kept.length + refused.length]).toEqual([true, true, 12]);
    const db = openForWriting(join(directory, 'bookstall.db'));
    const there = db.query<{ n: number }, []>('SELECT created_at AS n FROM accounts ORDER BY n').all();
    expect(there.map(({ n }) => n)).toEqual([...kept]);
    expect(db.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    db.close();
  },
);
