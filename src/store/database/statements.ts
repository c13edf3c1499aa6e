import type { Database, Statement } from 'bun:sqlite';

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
