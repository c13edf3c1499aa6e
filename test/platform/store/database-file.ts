// Database files as operators bring them: whole ones, and all that is none.
import { Database } from 'bun:sqlite';
import { readFileSync, writeFileSync } from 'node:fs';
import { migrations, openForWriting } from '../../../src/platform/store/database.ts';

/** A stall's database with so many accounts, closed; the n-th was created at n. */
export function writeDatabase(file: string, accounts = 1): void {
  const db = openForWriting(file);
  db.transaction(() => {
    for (let n = 0; n < accounts; n++) addAccount(db, n);
  })();
  db.run('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

export function addAccount(db: Database, n: number): void {
  db.run('INSERT INTO accounts (id, email, created_at) VALUES (?, ?, ?)', [`a${n}`, `${n}@example.org`, n]);
}

/** The accounts in a database, by when they were created. */
export function accountsIn(file: string): readonly number[] {
  const db = new Database(file, { readonly: true });
  try {
    return db
      .query<{ n: number }, []>('SELECT created_at AS n FROM accounts ORDER BY created_at')
      .all()
      .map(({ n }) => n);
  } finally {
    db.close();
  }
}

/** Files that are no backup of ours, by what is wrong with them, and what is said of each. */
export const BAD_FILES: readonly (readonly [name: string, write: (file: string) => void, reason: string])[] =
  [
    ['an empty file', (file) => writeFileSync(file, ''), 'the file is empty'],
    [
      'a text file',
      (file) => writeFileSync(file, 'email,slug\n'.repeat(1000)),
      'it is damaged (file is not a database)',
    ],
    [
      "another program's database",
      (file) => change(file, (db) => db.run('CREATE TABLE songs (title TEXT)')),
      'it is not a database of Bookstall',
    ],
    [
      'a newer schema',
      (file) => {
        writeDatabase(file);
        change(file, (db) => db.run('PRAGMA user_version = 99'));
      },
      `a newer Bookstall wrote it (schema 99, this program knows ${migrations.length}); install the newer program`,
    ],
    [
      'a page of garbage in the middle',
      (file) => {
        writeDatabase(file, 2000);
        const bytes = readFileSync(file);
        writeFileSync(file, bytes.fill(0xaa, bytes.length - 8192, bytes.length - 4096));
      },
      'it is damaged',
    ],
    [
      'a cut end',
      (file) => {
        writeDatabase(file, 2000);
        const bytes = readFileSync(file);
        writeFileSync(file, bytes.subarray(0, bytes.length - 4096));
      },
      'it is damaged',
    ],
    [
      'a row that names an account which is not there',
      (file) => {
        writeDatabase(file);
        const insert =
          "INSERT INTO keys (account_id, hash, prefix, name, created_at) VALUES ('gone', zeroblob(32), 'svc_', 'n', 0)";
        change(file, (db) => db.run(insert));
      },
      'it is damaged (a row of "keys" names none of "accounts")',
    ],
  ];

function change(file: string, act: (db: Database) => void): void {
  const db = new Database(file, { create: true });
  db.run('PRAGMA foreign_keys = OFF');
  act(db);
  db.run('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}
