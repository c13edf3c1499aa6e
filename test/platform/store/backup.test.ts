import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeBackup, readBackupRecord } from '../../../src/platform/store/backup.ts';
import { runBackup } from '../../../src/publishing/backup.ts';
import { backupName, backupTime } from '../../../src/platform/store/copy.ts';
import { SCHEMA } from '../../../src/platform/store/database.ts';
import { openStore } from '../../../src/store.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';
import { accountsIn, BAD_FILES, writeDatabase } from './database-file.ts';

const AT = Date.parse('2026-11-20T18:19:00.123Z');
const NAME = 'bookstall-20261120T181900123Z.db';

/** A data directory with a database of three accounts, and a folder for backups of it. */
function directories() {
  const [dataDirectory, folder] = [temporaryDirectory(), temporaryDirectory()];
  writeDatabase(join(dataDirectory, 'bookstall.db'), 3);
  return { dataDirectory, folder };
}

describe('a backup', () => {
  const { dataDirectory, folder } = directories();
  const path = join(folder, 'one.db');
  const backup = makeBackup({ dataDirectory, at: AT, to: { file: path } });

  test('tells what was proven', () => {
    expect(backup).toMatchObject({ path, schema: SCHEMA, bytes: statSync(path).size, removed: [] });
    expect(backup.tables).toMatchObject({ accounts: 3, keys: 0, fetch_logs: 0 });
    expect(accountsIn(path)).toEqual([0, 1, 2]);
  });

  test('is for its owner alone', () => {
    expect([path, `${path}.sha256`].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  test('has a checksum that sha256sum takes', () => {
    const check = Bun.spawnSync(['sha256sum', '-c', 'one.db.sha256'], { cwd: folder });
    expect(check.stdout.toString()).toBe('one.db: OK\n');
    expect(readFileSync(`${path}.sha256`, 'utf8')).toStartWith(backup.sha256);
  });

  test('is noted in the data directory', () => {
    const { bytes, sha256 } = backup;
    expect(readBackupRecord(dataDirectory)).toEqual({
      at: new Date(AT).toISOString(),
      path,
      bytes,
      sha256,
      pushed: 0,
    });
  });

  test('is one file, and nothing unfinished lies beside it', () => {
    expect(readdirSync(folder).toSorted()).toEqual(['one.db', 'one.db.sha256']);
  });
});

test('a backup amid writes is the state of one moment: all that was written before some write, nothing after', async () => {
  const [dataDirectory, folder] = [temporaryDirectory(), temporaryDirectory()];
  const store = await openStore(dataDirectory);
  let [written, isWriting] = [0, true];
  const writing = (async () => {
    while (isWriting) {
      const account = {
        id: `a${written}`,
        email: `${written}@example.org`,
        isOwner: false,
        createdAt: written,
        disabledAt: null,
        verifiedAt: null,
      };
      await store.write.addAccount(account);
      written++;
    }
  })();
  const counts: number[] = [];
  for (let n = 0; n < 5; n++) {
    const before = written;
    const { path } = await runBackup({ dataDirectory, at: AT, to: { file: join(folder, `${n}.db`) } });
    const accounts = accountsIn(path);
    expect(accounts).toEqual(accounts.map((_, index) => index));
    expect(accounts.length).toBeGreaterThanOrEqual(before);
    expect(accounts.length).toBeLessThanOrEqual(written + 1);
    counts.push(accounts.length);
  }
  isWriting = false;
  await writing;
  await store.close();
  expect(counts.at(-1)).toBeGreaterThan(counts[0] ?? 0);
});

describe('is refused in a sentence, and nothing is left or changed', () => {
  const { dataDirectory, folder } = directories();
  writeFileSync(join(folder, 'taken.db'), 'mine');
  writeFileSync(join(folder, 'half.db.sha256'), 'mine');

  test.each([
    ['a file that is there', 'taken.db', /there is such a file already; name another$/],
    ['a checksum that is there', 'half.db', /half\.db\.sha256": there is such a file already; name another$/],
    [
      'a folder that is not there',
      'nowhere/one.db',
      /ENOENT: no such file or directory; make that folder first$/,
    ],
    ['a file as a folder', 'taken.db/one.db', /ENOTDIR: not a directory; name a file in a folder$/],
  ])('%s', (_, name, sentence) => {
    expect(() => makeBackup({ dataDirectory, at: AT, to: { file: join(folder, name) } })).toThrow(sentence);
    expect(readdirSync(folder).toSorted()).toEqual(['half.db.sha256', 'taken.db']);
    expect(readFileSync(join(folder, 'taken.db'), 'utf8')).toBe('mine');
    expect(readBackupRecord(dataDirectory)).toBeNull();
  });

  const unsound = BAD_FILES.filter(([name]) => name !== 'an empty file');
  test.each(unsound)('a stall whose database is %s', (_, write) => {
    const damaged = temporaryDirectory();
    write(join(damaged, 'bookstall.db'));
    const act = () => makeBackup({ dataDirectory: damaged, at: AT, to: { file: join(folder, 'one.db') } });
    expect(act).toThrow(/^Cannot back up ".*bookstall\.db": /);
    expect(readdirSync(folder).toSorted()).toEqual(['half.db.sha256', 'taken.db']);
  });
});

describe('a folder of backups', () => {
  const namesIn = (folder: string) =>
    readdirSync(folder)
      .filter((name) => !name.endsWith('.sha256'))
      .toSorted();

  test('is made where its parent is, and names them by their time', () => {
    const { dataDirectory, folder } = directories();
    const { path } = makeBackup({ dataDirectory, at: AT, to: { folder: join(folder, 'new'), keep: null } });
    expect(path).toBe(join(folder, 'new', NAME));
    expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700);
    expect(() => makeBackup({ dataDirectory, at: AT, to: { folder: join(folder, 'a/b'), keep: 1 } })).toThrow(
      'make that folder first',
    );
  });

  test('keeps the newest, and what is not its own', () => {
    const { dataDirectory, folder } = directories();
    const others = ['bookstall.db', 'bookstall-old.db', 'bookstall-20261120T181900123Z.db.txt', 'notes.txt'];
    for (const name of others) writeFileSync(join(folder, name), '');
    for (let n = 0; n < 5; n++) makeBackup({ dataDirectory, at: AT + n, to: { folder, keep: null } });
    const { removed } = makeBackup({ dataDirectory, at: AT + 5, to: { folder, keep: 2 } });
    expect(removed).toEqual([0, 1, 2, 3].map((n) => backupName(AT + n)));
    expect(namesIn(folder)).toEqual([...others, backupName(AT + 4), backupName(AT + 5)].toSorted());
    expect(readdirSync(folder).filter((name) => name.endsWith('.sha256'))).toHaveLength(2);
  });

  test('keeps the one just made where the clock was set back', () => {
    const { dataDirectory, folder } = directories();
    for (const at of [AT, AT + 1]) makeBackup({ dataDirectory, at, to: { folder, keep: 2 } });
    makeBackup({ dataDirectory, at: AT - 1000, to: { folder, keep: 2 } });
    expect(namesIn(folder)).toEqual([backupName(AT - 1000), backupName(AT + 1)]);
  });

  test('loses no old one for a new one that fails', () => {
    const { dataDirectory, folder } = directories();
    makeBackup({ dataDirectory, at: AT, to: { folder, keep: 1 } });
    BAD_FILES.find(([name]) => name === 'a text file')?.[1](join(dataDirectory, 'bookstall.db'));
    expect(() => makeBackup({ dataDirectory, at: AT + 1, to: { folder, keep: 1 } })).toThrow('it is damaged');
    expect(namesIn(folder)).toEqual([NAME]);
  });

  test('is rid of what a killed backup left, and not of what a living one writes', async () => {
    const { dataDirectory, folder } = directories();
    const dead = Bun.spawn(['true']);
    await dead.exited;
    const living = Bun.spawn(['sleep', '60']);
    afterAll(() => living.kill());
    const [left, live] = [dead.pid, living.pid].map((pid) => `${backupName(AT - 5)}.unfinished-${pid}`);
    for (const name of [left, `${left}-journal`, live, `other.db.unfinished-${dead.pid}`])
      writeFileSync(join(folder, name ?? ''), 'x');
    makeBackup({ dataDirectory, at: AT, to: { folder, keep: 1 } });
    expect(namesIn(folder)).toEqual([live ?? '', NAME, `other.db.unfinished-${dead.pid}`].toSorted());
  });

  test('leaves nothing unfinished beside a name of two lines', () => {
    const { dataDirectory, folder } = directories();
    makeBackup({ dataDirectory, at: AT, to: { file: join(folder, 'two\nlines.db') } });
    expect(namesIn(folder)).toEqual(['two\nlines.db']);
  });

  test.each([
    'bookstall-2026.db',
    'bookstall-20261320T181900123Z.db',
    'x-20261120T181900123Z.db',
    `${NAME}.sha256`,
  ])('does not own %s', (name) => expect(backupTime(name)).toBeNull());

  test('names are read back', () => expect([backupName(AT), backupTime(NAME)]).toEqual([NAME, AT]));
});

test('a full data disk takes nothing from a backup that is safe elsewhere', () => {
  const { dataDirectory, folder } = directories();
  mkdirSync(join(dataDirectory, 'backup.json'));
  const { path } = makeBackup({ dataDirectory, at: AT, to: { file: join(folder, 'one.db') } });
  expect(accountsIn(path)).toHaveLength(3);
});
