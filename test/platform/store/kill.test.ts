import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { openForWriting } from '../../../src/platform/store/database.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';

const WRITER = join(import.meta.dir, 'acknowledging-writer.ts');

/** Lets a writer run for some time after its first acknowledged row, kills it, and gives all rows it acknowledged. */
async function writeUntilKilled(directory: string, first: number, milliseconds: number): Promise<number[]> {
  const child = Bun.spawn([process.execPath, WRITER, directory, String(first)], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  let text = '';
  let killAt: Timer | undefined;
  for await (const chunk of child.stdout) {
    text += Buffer.from(chunk).toString();
    killAt ??= setTimeout(() => child.kill('SIGKILL'), milliseconds);
  }
  await child.exited;
  // A last line without its end was cut by the kill.
  return text.split('\n').slice(0, -1).map(Number);
}

test('20 times killed while writing, every acknowledged row is there and the database is sound', async () => {
  const directory = temporaryDirectory();
  const acknowledged: number[] = [];
  for (let round = 0; round < 20; round++) {
    const rows = await writeUntilKilled(directory, round * 1_000_000, round * 3);
    expect(rows.length).toBeGreaterThan(0);
    acknowledged.push(...rows);
    const db = openForWriting(join(directory, 'bookstall.db'));
    const there = new Set(
      db
        .query<{ n: number }, []>('SELECT created_at AS n FROM accounts')
        .all()
        .map(({ n }) => n),
    );
    expect(acknowledged.filter((n) => !there.has(n))).toEqual([]);
    expect(db.query('PRAGMA quick_check').all()).toEqual([{ quick_check: 'ok' }]);
    db.close();
  }
});
