import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Refusal } from '../../../src/platform/base/refusal.ts';
import { checksumFile, makeBackup, restoreDatabase } from '../../../src/platform/store/backup.ts';
import { migrations, openForWriting, SCHEMA } from '../../../src/platform/store/database.ts';
import { copyDatabase, verifyDatabase } from '../../../src/platform/store/copy.ts';
import { lockDataDirectory } from '../../../src/platform/store/server-note.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';
import { accountsIn, addAccount, BAD_FILES, writeDatabase } from './database-file.ts';

const AT = Date.parse('2026-11-20T18:19:00.123Z');
const KEPT = 'bookstall-replaced-20261120T181900123Z.db';

/** A backup of a stall with so many accounts. */
function backupOf(accounts: number): string {
  const dataDirectory = temporaryDirectory();
  writeDatabase(join(dataDirectory, 'bookstall.db'), accounts);
  return makeBackup({ dataDirectory, at: AT, to: { file: join(temporaryDirectory(), 'one.db') } }).path;
}

/** A copy of any database, as a backup makes it. */
function makeBackupOf(file: string): string {
  const path = join(temporaryDirectory(), 'copy.db');
  copyDatabase(file, path, migrations);
  return path;
}

/** A data directory with a stall of so many accounts. */
function stallOf(accounts: number): string {
  const dataDirectory = temporaryDirectory();
  writeDatabase(join(dataDirectory, 'bookstall.db'), accounts);
  return dataDirectory;
}

const restore = (file: string, dataDirectory: string, replace = false) =>
  restoreDatabase({ file, dataDirectory, replace, at: AT });

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof Refusal ? error.message : `no refusal: ${error}`;
  }
  return 'not refused';
}

/** Every file of a directory with its bytes, but the empty lock. */
function contents(directory: string): Readonly<Record<string, string>> {
  const names = readdirSync(directory).filter((name) => !name.endsWith('.lock'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(directory, name), 'latin1')]));
}

/** Makes the index of the one owner with statements behind it, as an editor of bytes can: they make a file beside the backup. */
function addTail(backup: string): void {
  const padding = 'x'.repeat(300);
  const index = 'CREATE UNIQUE INDEX one_owner ON accounts (is_owner) WHERE is_owner = 1';
  const db = new Database(backup);
  db.run(`DROP INDEX one_owner; ${index} AND '${padding}'`);
  db.close();
  const tail = `; ATTACH '${join(dirname(backup), 'made.db')}' AS x; CREATE TABLE x.t (a); --`;
  const bytes = readFileSync(backup, 'latin1').replace(` AND '${padding}'`, tail.padEnd(padding.length + 7));
  writeFileSync(backup, bytes, 'latin1');
}

describe('a file that is whole, and not a database this program made, is refused by name, and nothing of it runs', () => {
  test.each([
    ['without a table', 'DROP TABLE download_days', 'lacks the table "download_days"'],
    ['without a table that is only read', 'DROP TABLE shown_items', 'lacks the table "shown_items"'],
    ['without a column', 'ALTER TABLE audit_log DROP COLUMN via', 'its table "audit_log" is not'],
    [
      'without an index that keeps mails from being sent twice',
      'DROP INDEX outbox_once',
      'lacks the index "outbox_once"',
    ],
    [
      'with an index that is not unique',
      'DROP INDEX one_owner; CREATE INDEX one_owner ON accounts (is_owner)',
      'its index "one_owner"',
    ],
    ['that says it is of an earlier schema', 'PRAGMA user_version = 3', 'of schema 3'],
    ['that says it is of no schema', 'PRAGMA user_version = 0', 'of schema 0'],
    ['with a table of its own', 'CREATE TABLE songs (title TEXT)', 'its table "songs"'],
    ['with a view', 'CREATE VIEW accounts_of AS SELECT * FROM accounts', 'its view "accounts_of"'],
    [
      'with a trigger that makes owners',
      'CREATE TRIGGER owners AFTER INSERT ON sessions BEGIN UPDATE accounts SET is_owner = 1 WHERE id = NEW.account_id; END',
      'its trigger "owners"',
    ],
    ['with statements behind an index', addTail, 'its index "one_owner"'],
    ['with a name for the terminal', 'CREATE TABLE "\u001b[2Jx" (a)', 'its table "\\u001b[2Jx"'],
  ])('one %s', (_, change, reason) => {
    const [backup, data] = [backupOf(2), stallOf(1)];
    rmSync(`${backup}.sha256`);
    if (typeof change === 'string') {
      const db = new Database(backup);
      db.run(change);
      db.close();
    } else change(backup);
    const before = contents(data);
    const said = refusal(() => restore(backup, data, true));
    expect(existsSync(join(dirname(backup), 'made.db'))).toBe(false);
    expect(said).toStartWith(`Cannot restore "${backup}": `);
    expect(said).toContain(reason);
    expect(said).toEndWith('; use another backup');
    expect(contents(data)).toEqual(before);
  });

  test('one of every earlier schema is restored', () => {
    for (let schema = 1; schema <= migrations.length; schema++) {
      const file = join(temporaryDirectory(), 'old.db');
      openForWriting(file, migrations.slice(0, schema)).close();
      const data = temporaryDirectory();
      expect(restore(makeBackupOf(file), data).schema).toBe(schema);
    }
  });
});

describe('a backup is restored', () => {
  const backup = backupOf(3);

  test('to a directory that is not there, for its owner alone', () => {
    const data = join(temporaryDirectory(), 'new/data');
    expect(restore(backup, data)).toMatchObject({
      path: backup,
      schema: SCHEMA,
      hasChecksum: true,
      kept: null,
    });
    expect(accountsIn(join(data, 'bookstall.db'))).toEqual([0, 1, 2]);
    expect(readFileSync(join(data, 'bookstall.db'))).toEqual(readFileSync(backup));
    expect([data, join(data, 'bookstall.db')].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o700, 0o600,
    ]);
  });

  test('in the place of a database, which is kept whole', () => {
    const data = stallOf(7);
    expect(restore(backup, data, true).kept).toBe(join(data, KEPT));
    expect(accountsIn(join(data, 'bookstall.db'))).toHaveLength(3);
    expect(accountsIn(join(data, KEPT))).toHaveLength(7);
    expect(Object.keys(contents(data)).toSorted()).toEqual([KEPT, 'bookstall.db']);
  });

  test('without a checksum beside it, which is told', () => {
    const bare = backupOf(1);
    rmSync(checksumFile(bare));
    expect(restore(bare, join(temporaryDirectory(), 'data')).hasChecksum).toBe(false);
  });

  test('of the schema before, which is brought up when it is opened', () => {
    const old = join(temporaryDirectory(), 'old.db');
    openForWriting(old, migrations.slice(0, 1)).close();
    const data = stallOf(1);
    expect(restore(old, data, true).schema).toBe(1);
    openForWriting(join(data, 'bookstall.db')).close();
    expect(existsSync(join(data, 'before-migration-2.db'))).toBe(true);
  });

  test('from what was kept, back again', () => {
    const data = stallOf(7);
    restore(backup, data, true);
    restoreDatabase({ file: join(data, KEPT), dataDirectory: data, replace: true, at: AT + 1 });
    expect(accountsIn(join(data, 'bookstall.db'))).toHaveLength(7);
  });
});

describe('is refused in a sentence, and nothing is changed', () => {
  test.each(BAD_FILES)('%s', (_, write, reason) => {
    const file = join(temporaryDirectory(), 'bad.db');
    write(file);
    const [data, nowhere] = [stallOf(2), join(temporaryDirectory(), 'data')];
    const before = contents(data);
    const sentences = [refusal(() => restore(file, data, true)), refusal(() => restore(file, nowhere))];
    for (const sentence of sentences) {
      expect(sentence).toStartWith(`Cannot restore "${file}": ${reason}`);
      expect(sentence).toMatch(/; use another backup$|; install the newer program$/);
    }
    expect(contents(data)).toEqual(before);
    expect(existsSync(nowhere)).toBe(false);
  });

  test.each([
    ['a byte more than its checksum knows', (file: string) => appendFileSync(file, '\0')],
    [
      'a checksum of another file',
      (file: string) => writeFileSync(checksumFile(file), `${'0'.repeat(64)}  one.db\n`),
    ],
    ['a checksum that is none', (file: string) => writeFileSync(checksumFile(file), 'hello\n')],
  ])('%s', (_, spoil) => {
    const [file, data] = [backupOf(1), stallOf(2)];
    const before = contents(data);
    spoil(file);
    expect(refusal(() => restore(file, data, true))).toMatch(
      /^Cannot restore ".*": (its SHA-256 is \w{64} and not the one in ".*\.sha256", so it was changed since|it is damaged \(.*\)); use another backup$/,
    );
    expect(contents(data)).toEqual(before);
  });

  test('a plain copy of a running database', () => {
    const [data, folder] = [stallOf(1), temporaryDirectory()];
    const running = openForWriting(join(data, 'bookstall.db'));
    addAccount(running, 9);
    for (const end of ['', '-wal'])
      copyFileSync(join(data, `bookstall.db${end}`), join(folder, `copy.db${end}`));
    running.close();
    expect(refusal(() => restore(join(folder, 'copy.db'), data, true))).toEndWith(
      'is the other; name a file that "bookstall backup" made',
    );
  });

  test.each([
    ['a file that is not there', 'nowhere.db'],
    ['a folder', '.'],
    ['a name below a file', 'file/below.db'],
  ])('%s', (_, name) => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'file'), 'x');
    const file = join(folder, name);
    expect(refusal(() => restore(file, join(temporaryDirectory(), 'data')))).toBe(
      `Cannot restore "${file}": there is no such file; name a file that "bookstall backup" made`,
    );
  });

  const backup = backupOf(3);

  test('a directory that holds a database, without --replace', () => {
    const data = stallOf(2);
    const before = contents(data);
    expect(refusal(() => restore(backup, data))).toEndWith(
      'there is a database already; add --replace, which keeps it under another name',
    );
    expect(contents(data)).toEqual(before);
  });

  test.each([true, false])('a directory that a server works in, replacing it: %p', (replace) => {
    const data = replace ? stallOf(2) : temporaryDirectory();
    const before = contents(data);
    const lock = lockDataDirectory(data);
    expect(refusal(() => restore(backup, data, replace))).toBe(
      `Cannot restore into "${data}": a server works in it; stop the server first`,
    );
    lock.release();
    expect(contents(data)).toEqual(before);
  });

  test("another program's database in the place", () => {
    const data = temporaryDirectory();
    BAD_FILES.find(([name]) => name.includes('another program'))?.[1](join(data, 'bookstall.db'));
    const before = contents(data);
    expect(refusal(() => restore(backup, data, true))).toContain('it is not a database of Bookstall');
    expect(contents(data)).toEqual(before);
  });

  test('a database that a command works on', () => {
    const data = stallOf(2);
    const other = openForWriting(join(data, 'bookstall.db'));
    expect(refusal(() => restore(backup, data, true))).toEndWith(
      'a command works on it; try again when that has ended',
    );
    addAccount(other, 9);
    other.close();
    expect(accountsIn(join(data, 'bookstall.db'))).toEqual([0, 1, 9]);
  });

  test('a data directory that is a file', () => {
    const data = join(temporaryDirectory(), 'file');
    writeFileSync(data, '');
    expect(refusal(() => restore(backup, data))).toStartWith(`Cannot restore into "${data}": `);
  });
});

describe('the write-ahead log of the old never meets the new', () => {
  const backup = backupOf(3);
  const isClean = (data: string): boolean =>
    ['-wal', '-shm', '-journal'].every((end) => !existsSync(join(data, `bookstall.db${end}`)));

  /** A stall that was killed: the last of its accounts is in the log alone. */
  function killedStall(): string {
    const [data, killed] = [stallOf(2), temporaryDirectory()];
    const running = openForWriting(join(data, 'bookstall.db'));
    addAccount(running, 9);
    for (const name of readdirSync(data)) copyFileSync(join(data, name), join(killed, name));
    running.close();
    return killed;
  }

  test('the log of a killed stall is taken into what is kept', () => {
    const data = killedStall();
    expect(statSync(join(data, 'bookstall.db-wal')).size).toBeGreaterThan(0);
    restore(backup, data, true);
    expect(isClean(data)).toBe(true);
    expect(accountsIn(join(data, KEPT))).toEqual([0, 1, 9]);
    openForWriting(join(data, 'bookstall.db')).close();
    expect(accountsIn(join(data, 'bookstall.db'))).toEqual([0, 1, 2]);
  });

  test('the log of a damaged database goes with it', () => {
    const data = killedStall();
    const log = readFileSync(join(data, 'bookstall.db-wal'));
    writeFileSync(join(data, 'bookstall.db'), 'no database at all'.repeat(1000));
    rmSync(join(data, 'bookstall.db-shm'));
    restore(backup, data, true);
    expect(isClean(data)).toBe(true);
    expect(readFileSync(join(data, KEPT), 'utf8')).toStartWith('no database');
    expect(readFileSync(join(data, `${KEPT}-wal`))).toEqual(log);
    expect(accountsIn(join(data, 'bookstall.db'))).toEqual([0, 1, 2]);
  });

  test('the log of a database that was deleted is moved out of the way', () => {
    const data = killedStall();
    rmSync(join(data, 'bookstall.db'));
    restore(backup, data);
    expect(isClean(data)).toBe(true);
    expect(existsSync(join(data, `${KEPT}-wal`))).toBe(true);
    expect(accountsIn(join(data, 'bookstall.db'))).toEqual([0, 1, 2]);
  });

  test('an empty file in the place is replaced', () => {
    const data = temporaryDirectory();
    writeFileSync(join(data, 'bookstall.db'), '');
    restore(backup, data, true);
    expect(accountsIn(join(data, 'bookstall.db'))).toEqual([0, 1, 2]);
    expect(isClean(data)).toBe(true);
  });

  test('a command that opened the old before and writes after it fails, and touches neither', async () => {
    const data = stallOf(2);
    const place = join(data, 'bookstall.db');
    const script = `import { Database } from 'bun:sqlite';
      const db = new Database(${JSON.stringify(place)}, { create: true });
      db.run('PRAGMA busy_timeout = 5000');
      console.log('opened');
      await Bun.stdin.text();
      try { db.run('PRAGMA journal_mode = WAL'); db.run("INSERT INTO accounts (id, email, created_at) VALUES ('late', 'late@x', 99)"); console.log('wrote'); }
      catch (error) { console.log(error.code); }`;
    const late = Bun.spawn([process.execPath, '-e', script], { stdin: 'pipe', stdout: 'pipe' });
    const said = late.stdout.getReader();
    await said.read();
    restore(backup, data, true);
    await late.stdin.end();
    expect(new TextDecoder().decode((await said.read()).value)).toBe('SQLITE_READONLY_DBMOVED\n');
    await late.exited;
    expect(accountsIn(place)).toEqual([0, 1, 2]);
    expect(accountsIn(join(data, KEPT))).toEqual([0, 1]);
  });
});

test('what a killed restore left is no hindrance', () => {
  const [backup, data] = [backupOf(3), stallOf(2)];
  writeFileSync(join(data, 'bookstall.db.restoring'), 'half');
  restore(backup, data, true);
  expect(Object.keys(contents(data)).toSorted()).toEqual([KEPT, 'bookstall.db']);
});

test('a backup is read where nothing can be written beside it', () => {
  const backup = backupOf(3);
  const db = new Database(backup);
  db.run('PRAGMA journal_mode = WAL');
  db.close();
  rmSync(checksumFile(backup));
  const before = readdirSync(dirname(backup));
  restore(backup, join(temporaryDirectory(), 'data'));
  expect(readdirSync(dirname(backup))).toEqual(before);
});

describe('restore amid writes', () => {
  const AT = Date.parse('2026-11-20T18:19:00.123Z');
  const WRITER = join(import.meta.dir, './opening-writer.ts');
  const ROUNDS = 25;

  test('commands that write while a database is replaced again and again lose nothing that they were told is written', async () => {
    const data = temporaryDirectory();
    const place = join(data, 'bookstall.db');
    writeDatabase(place, 1);
    const { path } = makeBackup({
      dataDirectory: data,
      at: AT,
      to: { file: join(temporaryDirectory(), 'one.db') },
    });
    const writers = [1, 2].map((n) =>
      Bun.spawn([process.execPath, WRITER, place, String(n * 1_000_000)], {
        stdin: 'pipe',
        stdout: 'pipe',
        stderr: 'inherit',
      }),
    );
    let restored = 0;
    for (let n = 0; restored < ROUNDS && n < ROUNDS * 20; n++) {
      await Bun.sleep(Math.random() * 10);
      try {
        restoreDatabase({ file: path, dataDirectory: data, replace: true, at: AT + n });
        restored++;
      } catch (error) {
        expect(String(error)).toContain('a command works on it');
      }
    }
    for (const { stdin } of writers) await stdin.end();
    const acknowledged = (await Promise.all(writers.map(({ stdout }) => stdout.text()))).flatMap((text) =>
      text.trim().split('\n').map(Number),
    );
    expect(await Promise.all(writers.map(({ exited }) => exited))).toEqual([0, 0]);
    const files = readdirSync(data).filter((name) => name.endsWith('.db'));
    for (const name of files) verifyDatabase(join(data, name), (reason) => `${name}: ${reason}`, null);
    const there = new Set(files.flatMap((name) => accountsIn(join(data, name))));
    expect(acknowledged.filter((n) => !there.has(n))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(files).toHaveLength(ROUNDS + 1);
  });
});
