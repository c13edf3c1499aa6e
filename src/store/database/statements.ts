import { Database } from 'bun:sqlite';

// The store has some hundreds of statements, and Bun keeps twenty.
Database.MAX_QUERY_CACHE_SIZE = 2000;

/**
 * The connection as tables see it, which may be exchanged: each statement is compiled when it first runs on the present one.
 */
export function statementsOf(current: () => Database): Database {
  const prepare = (sql: string) => ({
    get: (...values: []) =>
      current()
        .query(sql)
        .get(...values),
    all: (...values: []) =>
      current()
        .query(sql)
        .all(...values),
    run: (...values: []) =>
      current()
        .query(sql)
        .run(...values),
    values: (...values: []) =>
      current()
        .query(sql)
        .values(...values),
  });
  return new Proxy({} as Database, {
    get(_, name) {
      if (name === 'prepare') return prepare;
      const db = current();
      const value: unknown = Reflect.get(db, name, db);
      return typeof value === 'function' ? (value.bind(db) as unknown) : value;
    },
  });
}
