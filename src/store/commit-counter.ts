import type { Database, Statement } from 'bun:sqlite';

/**
 * Says when any process has committed: a number that stays the same until one does. It looks once a turn of the event loop,
 * since whatever a turn serves had arrived before its first look; `change` is told of a write of our own.
 *
 * SQLite's wal-index must not be looked at instead: closing a file takes all of a process's locks on it along (POSIX
 * fcntl(2)), so mapping `bookstall.db-shm` frees those of our own connections, and the next program cuts the file from
 * under us (SIGBUS).
 */
export function createCommitCounter(db: Database): {
  readonly count: () => number;
  readonly change: () => void;
} {
  const version = db.prepare<{ readonly data_version: number }, []>('PRAGMA data_version');
  let [commits, seen] = [0, version.get()?.data_version];
  let hasLooked = false;
  const look = (isChange: boolean): void => {
    const now = version.get()?.data_version;
    if (isChange || now !== seen) commits++;
    seen = now;
  };
  return {
    change: () => look(true),
    count() {
      if (hasLooked) return commits;
      hasLooked = true;
      setImmediate(() => (hasLooked = false));
      look(false);
      return commits;
    },
  };
}

/**
 * The connection as tables see it, which may be exchanged: each statement is compiled when it first runs on the present one.
 * Not by `db.query`, which looks through a list of all texts at each call.
 */
export function statementsOf(current: () => Database): Database {
  const prepare = (sql: string) => {
    let compiled: { readonly db: Database; readonly statement: Statement } | null = null;
    const real = (): Statement => {
      const db = current();
      if (compiled?.db !== db) compiled = { db, statement: db.prepare(sql) };
      return compiled.statement;
    };
    return {
      get: (...values: []) => real().get(...values),
      all: (...values: []) => real().all(...values),
      run: (...values: []) => real().run(...values),
      values: (...values: []) => real().values(...values),
    };
  };
  return new Proxy({} as Database, {
    get(_, name) {
      if (name === 'prepare') return prepare;
      const db = current();
      const value: unknown = Reflect.get(db, name, db);
      return typeof value === 'function' ? (value.bind(db) as unknown) : value;
    },
  });
}
