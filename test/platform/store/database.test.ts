import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openForReading, openForWriting, SCHEMA } from '../../../src/platform/store/database.ts';
import { openStore } from '../../../src/store.ts';
import { Refusal } from '../../../src/platform/base/refusal.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';

const file = join(temporaryDirectory(), 'bookstall.db');
const db = openForWriting(file);
afterAll(() => db.close());

function pragma(of: Database, name: string): unknown {
  return Object.values(of.query<Record<string, unknown>, []>(`PRAGMA ${name}`).get() ?? {})[0];
}

describe('the writing connection', () => {
  test.each([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['foreign_keys', 1],
    ['trusted_schema', 0],
    ['busy_timeout', 5000],
    ['application_id', 0x4273746c],
    ['user_version', SCHEMA],
  ])('has %s %p', (name, value) => {
    expect(pragma(db, name)).toBe(value);
  });

  test('keeps e-mail addresses from other users of the machine', () => {
    const modes = ['', '-wal', '-shm'].map((end) => statSync(`${file}${end}`).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  });

  test('refuses a key of an account that is not there', () => {
    const insert =
      "INSERT INTO keys (account_id, hash, prefix, name, created_at) VALUES ('nobody', zeroblob(32), 'svc_', 'n', 0)";
    expect(() => db.run(insert)).toThrow('FOREIGN KEY constraint failed');
  });

  test('keeps every table STRICT', () => {
    const tables = db
      .query<{ name: string; strict: number }, []>(
        "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
      )
      .all();
    expect(tables.length).toBeGreaterThan(8);
    expect(tables.filter(({ strict }) => strict !== 1)).toEqual([]);
    expect(() => db.run("INSERT INTO accounts (id, email, created_at) VALUES ('a', 'a@b', 'today')")).toThrow(
      'cannot store TEXT',
    );
  });

  test('takes no second account of an e-mail address in another case', () => {
    db.run("INSERT INTO accounts (id, email, created_at) VALUES ('1', 'anna@example.org', 0)");
    expect(() =>
      db.run("INSERT INTO accounts (id, email, created_at) VALUES ('2', 'ANNA@example.org', 0)"),
    ).toThrow('UNIQUE');
  });
});

test('the reading connection cannot write, and waits at most 100 ms', () => {
  const reader = openForReading(file);
  expect(() => reader.run('DELETE FROM accounts')).toThrow('readonly');
  expect(pragma(reader, 'busy_timeout')).toBe(100);
  reader.close();
});

test('a schema that is there already is opened as it is, also by two at once', () => {
  const schema = (of: Database) => of.query('SELECT sql FROM sqlite_schema ORDER BY name').all();
  const before = schema(db);
  for (let n = 0; n < 2; n++) {
    const again = openForWriting(file);
    expect(schema(again)).toEqual(before);
    again.close();
  }
});

describe('openStore refuses in a sentence', () => {
  const newer = (path: string) => {
    openForWriting(path).close();
    const opened = new Database(path);
    opened.run('PRAGMA user_version = 99');
    opened.close();
  };
  const foreign = (path: string) => {
    const opened = new Database(path);
    opened.run('CREATE TABLE songs (title TEXT)');
    opened.close();
  };
  const damaged = (path: string) => {
    openForWriting(path).close();
    const bytes = readFileSync(path);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 0xaa)]));
  };

  test.each<[string, (path: string) => void, string]>([
    [
      'a newer schema',
      newer,
      `a newer Bookstall wrote it (schema 99, this program knows ${SCHEMA}); install the newer program`,
    ],
    [
      "another program's database",
      foreign,
      'it is not a database of Bookstall; choose another directory with --data',
    ],
    [
      'an empty file',
      (path) => writeFileSync(path, ''),
      'the file is empty; restore a backup, or delete it to start with a new one',
    ],
    [
      'garbage',
      (path) => writeFileSync(path, 'no database at all'.repeat(500)),
      'file is not a database; restore a backup',
    ],
    ['a short piece of garbage', (path) => writeFileSync(path, 'x'), 'it is not a database of Bookstall'],
    ['a damaged database', damaged, 'restore a backup'],
    [
      'a cut database',
      (path) => {
        openForWriting(path).close();
        writeFileSync(path, readFileSync(path).subarray(0, 6000));
      },
      'restore a backup',
    ],
  ])('%s, and leaves it as it is', async (_, prepare, sentence) => {
    const directory = temporaryDirectory();
    const path = join(directory, 'bookstall.db');
    prepare(path);
    const before = readFileSync(path);
    const error = await openStore(directory).catch((cause: unknown) => cause);
    if (!(error instanceof Refusal)) throw new Error('It was opened');
    expect(error.kind).toBe('storage-unavailable');
    expect(error.message).toStartWith(`Cannot open "${path}": `);
    expect(error.message).toContain(sentence);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('and lets the process end', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'bookstall.db'), '');
    const script = `const { openStore } = await import(${JSON.stringify(join(import.meta.dir, '../../../src/store.ts'))}); await openStore(${JSON.stringify(directory)}).catch(() => console.log('refused'));`;
    const child = Bun.spawn([process.execPath, '-e', script], {
      stdout: 'pipe',
      timeout: 5000,
      killSignal: 'SIGKILL',
    });
    expect(await child.stdout.text()).toBe('refused\n');
    expect(await child.exited).toBe(0);
  });
});
