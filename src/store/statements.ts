import type { Changes, Database } from 'bun:sqlite';

type Value = string | number | boolean | null | Uint8Array;
type Part = Value | Sql;

/** A piece of SQL, with a placeholder for each of its values. Only this file makes one from a text. */
class Piece {
  constructor(
    readonly text: string,
    readonly values: readonly Value[] = [],
  ) {}
}

export type Sql = Piece;

/** The texts of pieces that hold values alone, so that a statement in use is found by a text that was hashed before. */
const plain = new Map<TemplateStringsArray, string>();

/** A piece of SQL: `${}` holds a value, or another piece. */
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

/** The conditions that are not null as a WHERE; each choice of them is a statement of its own, so that each finds its index. */
export function where(...conditions: readonly (Sql | null)[]): Sql {
  const given = conditions.filter((condition) => condition !== null);
  const text = given.map((condition) => condition.text).join(' AND ');
  const all = given.flatMap((condition) => condition.values);
  return new Piece(text && `WHERE ${text}`, all);
}

/** A row to insert, by its columns: their names, and VALUES. */
export function values(row: Readonly<Record<string, Value>>): Sql {
  const names = Object.keys(row);
  const places = names.map(() => '?').join(', ');
  return new Piece(`(${names.join(', ')}) VALUES (${places})`, Object.values(row));
}

/** The assignments of an upsert if the row exists: its columns as they would have been inserted. */
export const renewed = (row: Readonly<Record<string, Value>>): Sql =>
  new Piece(
    Object.keys(row)
      .map((name) => `${name} = excluded.${name}`)
      .join(', '),
  );

type Statement = Parameters<typeof sql>;

/** A connection as tables see it: each method is a tag, as in `db.one<Row>`SELECT … WHERE id = ${id}``. */
export type Statements = ReturnType<typeof statementsOf>;

/** The statements of a connection, which may be exchanged: each is compiled when it first runs on the present one. */
export function statementsOf(current: () => Database) {
  let db: Database | null = null;
  let compiled = new Map<string, ReturnType<typeof compile>>();
  const compile = (text: string) => current().query<unknown, Value[]>(text);
  const prepare = (text: string) => {
    const present = current();
    if (db !== present) compiled = new Map();
    db = present;
    // `query` itself looks through a list of all texts at each call.
    return compiled.getOrInsertComputed(text, compile);
  };
  const one = <Row>(...statement: Statement): Row | null => {
    const { text, values } = sql(...statement);
    return prepare(text).get(...values) as Row | null;
  };
  return {
    /** The first row, or null. */
    one,
    /** The first column of the first row; null if there is no row. */
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
