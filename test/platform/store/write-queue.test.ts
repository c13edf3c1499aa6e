import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from '../../../src/accounts/account.sql.ts';
import { openForWriting } from '../../../src/platform/store/database.ts';
import { openStore } from '../../../src/store.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';

const newAccount = (n: number): Omit<Account, 'hasPassword'> => ({
  id: `id-${n}`,
  email: `a${n}@example.org`,
  isOwner: false,
  createdAt: n,
  disabledAt: null,
  verifiedAt: null,
});

/** Commits that lie in a write-ahead log: frames whose header tells the size of the database after them (https://sqlite.org/fileformat2.html#walformat). */
function commitsIn(wal: string): number {
  const bytes = readFileSync(wal);
  if (bytes.length === 0) return 0;
  const frame = 24 + bytes.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frame <= bytes.length; at += frame)
    if (bytes.readUInt32BE(at + 4) !== 0 && bytes.readUInt32BE(at + 8) === bytes.readUInt32BE(16)) commits++;
  return commits;
}

describe('writes of one tick', () => {
  test('share commits, and each has its own result', async () => {
    const directory = temporaryDirectory();
    const store = await openStore(directory);
    const wal = join(directory, 'bookstall.db-wal');
    const before = commitsIn(wal);
    const results = await Promise.all(
      Array.from({ length: 500 }, (_, n) => store.write.addAccount(newAccount(n % 400))),
    );
    expect(results.filter((isNew) => isNew)).toHaveLength(400);
    expect(results.slice(400).some((isNew) => isNew)).toBe(false);
    expect(store.listAccounts()).toHaveLength(400);
    const commits = commitsIn(wal) - before;
    expect(commits).toBeGreaterThan(0);
    expect(commits).toBeLessThan(50);
    await store.close();
  });

  test('one that fails is refused alone, whole, and takes no neighbour with it', async () => {
    const store = await openStore(temporaryDirectory());
    await store.write.publishItems({
      items: [{ kind: 'book', itemKey: 'one', slug: 'one', edition: null }],
      at: 0,
    });
    const grant = {
      accountId: 'id-1',
      kind: 'book',
      itemKey: 'one',
      source: 'test',
      grantedAt: 0,
      from: 0,
      until: null,
    } as const;
    const [first, broken, last] = await Promise.allSettled([
      store.write.addAccount(newAccount(1)),
      store.write.addGrants({ grants: [grant, { ...grant, itemKey: 'unknown' }] }),
      store.write.addAccount(newAccount(2)),
    ]);
    expect([first.status, broken.status, last.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(broken).toMatchObject({ reason: { kind: 'storage-unavailable', retryAfter: 5 } });
    expect(store.listAccounts()).toHaveLength(2);
    expect(store.findAccountGrants('id-1')).toEqual([]);
    await store.close();
  });

  test('are done in the order they were asked for', async () => {
    const store = await openStore(temporaryDirectory());
    await store.write.addAccount(newAccount(1));
    const changes = Array.from({ length: 101 }, (_, n) =>
      store.write.setAccountDisabled({ id: 'id-1', at: n % 2 === 0 ? n + 1 : null }),
    );
    await Promise.all(changes);
    expect(store.findAccount('a1@example.org')).toMatchObject({ disabledAt: 101 });
    await store.close();
  });
});

test('a write that was kept is read at once', async () => {
  const store = await openStore(temporaryDirectory());
  for (let n = 0; n < 50; n++) {
    await store.write.addAccount(newAccount(n));
    expect(store.findAccount(`A${n}@EXAMPLE.org`)).toMatchObject({ id: `id-${n}` });
  }
  await store.close();
});

test('a write lock that another process holds delays writes, but no read and no timer', async () => {
  const directory = temporaryDirectory();
  const store = await openStore(directory);
  await store.write.addAccount(newAccount(1));
  const script = `const { Database } = require('bun:sqlite'); const db = new Database(${JSON.stringify(join(directory, 'bookstall.db'))}); db.run('BEGIN IMMEDIATE'); console.log('held'); await Bun.stdin.text(); db.run('ROLLBACK');`;
  const holder = Bun.spawn([process.execPath, '-e', script], { stdin: 'pipe', stdout: 'pipe' });
  await holder.stdout.getReader().read();
  let isWritten = false;
  const written = store.write.addAccount(newAccount(2)).then(() => (isWritten = true));
  // None of these waits for the lock, which is given up after them.
  for (let n = 0; n < 50; n++) {
    await Bun.sleep(5);
    expect(store.findAccount('a1@example.org')).not.toBeNull();
  }
  expect([isWritten, store.findAccount('a2@example.org')]).toEqual([false, null]);
  await holder.stdin.end();
  await written;
  expect(store.findAccount('a2@example.org')).not.toBeNull();
  await holder.exited;
  await store.close();
});

test('close writes what still waits, and leaves the whole database in one file', async () => {
  const directory = temporaryDirectory();
  const store = await openStore(directory);
  const waiting = Array.from({ length: 200 }, (_, n) => store.write.addAccount(newAccount(n)));
  await store.close();
  await Promise.all(waiting);
  const wal = join(directory, 'bookstall.db-wal');
  expect(existsSync(wal) ? statSync(wal).size : 0).toBe(0);
  const db = openForWriting(join(directory, 'bookstall.db'));
  expect(db.query('SELECT count(*) AS n FROM accounts').get()).toEqual({ n: 200 });
  db.close();
});

test('a writer that ended refuses what it had been asked, and the next write starts another', async () => {
  const writers: Worker[] = [];
  const Plain = globalThis.Worker;
  globalThis.Worker = class extends Plain {
    constructor(...given: ConstructorParameters<typeof Plain>) {
      super(...given);
      writers.push(this);
    }
  };
  const store = await openStore(temporaryDirectory());
  globalThis.Worker = Plain;
  await store.write.addAccount(newAccount(1));
  // Nothing it knows of: it throws, and a Worker ends of what it does not catch.
  writers[0]?.postMessage(null);
  const refused = await store.write.addAccount(newAccount(2)).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    kind: 'storage-unavailable',
    message: expect.stringMatching(/the writer ended/),
  });
  expect(await store.write.addAccount(newAccount(3))).toBe(true);
  expect(store.listAccounts().map(({ id }) => id)).toEqual(['id-1', 'id-3']);
  await store.close();
});
