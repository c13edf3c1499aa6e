import type { Database, Statement } from 'bun:sqlite';

/** The methods of statements that tables use. */
const METHODS = ['get', 'all', 'run', 'values'] as const;

/** The same connection, whose statements are prepared when they first run: of some hundreds, a start needs a few. */
export function prepareLazily(db: Database): Database {
  return new Proxy(db, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => prepareLater(target, sql);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function prepareLater(db: Database, sql: string): Statement {
  let prepared: Statement | undefined;
  const real = (): Statement => (prepared ??= db.prepare(sql));
  const methods = METHODS.map((name) => [
    name,
    (...values: never[]): unknown => (real()[name] as (...all: never[]) => unknown)(...values),
  ]);
  return Object.fromEntries(methods);
}
