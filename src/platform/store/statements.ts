import type { Changes, Database } from 'bun:sqlite';

type Value = string | number | boolean | null | Uint8Array;
type Part = Value | Sql;

/** A piece of SQL, with a placeholder for each of its values. Only this file makes pieces, so no other text becomes SQL. */
class Piece {
  constructor(
    readonly text: string,
    readonly values: readonly Value[] = [],
  ) {}
}

export type Sql = Piece;

/** Caches the SQL of each template without nested pieces: the same string finds its statement sooner than a new one. */
const plain = new Map<TemplateStringsArray, string>();

export function sql(texts: TemplateStringsArray, ...parts: readonly Part[]): Sql {
  if (parts.some((part) => part instanceof Piece)) {
    const given: Value[] = [];
    let text = '';
    for (const [n, part] of parts.entries()) {
      text += texts[n]! + (part instanceof Piece ? part.text : '?');
      if (part instanceof Piece) given.push(...part.values);
      else given.push(part);
    }
    return new Piece(text + texts.at(-1)!, given);
  }
  const text = plain.get(texts) ?? texts.join('?');
  plain.set(texts, text);
  return new Piece(text, parts as readonly Value[]);
}

/**
 * Joins the conditions that are not null to a WHERE clause. Each combination is its own statement, so that SQLite finds its
 * index.
 */
export function where(...conditions: readonly (Sql | null)[]): Sql {
  const given = conditions.filter((condition) => condition !== null);
  const text = given.map((condition) => condition.text).join(' AND ');
  const all = given.flatMap((condition) => condition.values);
  return new Piece(text && `WHERE ${text}`, all);
}

const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Makes the columns and values of an INSERT: the field `itemKey` goes to the column `item_key`. A row is spread here rather than
 * listed, so that a new field of its type is stored too.
 */
export function values(row: Readonly<Record<string, Value>>): Sql {
  const names = Object.keys(row).map(columnOf);
  const places = names.map(() => '?').join(', ');
  return new Piece(`(${names.join(', ')}) VALUES (${places})`, Object.values(row));
}

export const selected = (columns: Readonly<Record<string, string>>): Sql =>
  new Piece(
    Object.entries(columns)
      .map(([field, column]) => `${column} AS ${field}`)
      .join(', '),
  );

/** Makes the assignments of an upsert for a row that exists: each column gets the value that would have been inserted. */
export const renewed = (row: Readonly<Record<string, Value>>): Sql =>
  new Piece(
    Object.keys(row)
      .map(columnOf)
      .map((name) => `${name} = excluded.${name}`)
      .join(', '),
  );

type Statement = Parameters<typeof sql>;

/** SQL that selects rows with these fields. */
export type Query<Row> = Sql & { readonly rows?: readonly Row[] };

export const query = <Row>(...statement: Statement): Query<Row> => sql(...statement);

/** The queries of a connection, as `note.sql.ts` uses them: each method is a template tag, as in `db.one`SELECT …``. */
export type Statements = ReturnType<typeof statementsOf>;

/** Wraps a connection that may be replaced later. Each statement is compiled when it first runs on a connection. */
export function statementsOf(current: () => Database) {
  let db: Database | null = null;
  let compiled = new Map<string, ReturnType<typeof compile>>();
  const compile = (text: string) => current().query<unknown, Value[]>(text);
  const prepare = (text: string) => {
    const present = current();
    if (db !== present) compiled = new Map();
    db = present;
    // Bun's `query` caches statements too, but looks through a list of all texts at each call.
    return compiled.getOrInsertComputed(text, compile);
  };
  const one = <Row>(...statement: Statement): Row | null => {
    const { text, values } = sql(...statement);
    return prepare(text).get(...values) as Row | null;
  };
  return {
    one,
    value<Value>(...statement: Statement): Value | null {
      const { text, values } = sql(...statement);
      return (prepare(text).values(...values)[0]?.[0] ?? null) as Value | null;
    },
    has: (...statement: Statement): boolean => one(...statement) !== null,
    all<Row>(...statement: Statement): readonly Row[] {
      const { text, values } = sql(...statement);
      return prepare(text).all(...values) as Row[];
    },
    run(...statement: Statement): Changes {
      const { text, values } = sql(...statement);
      return prepare(text).run(...values);
    },
    isInTransaction: (): boolean => current().inTransaction,
  };
}
