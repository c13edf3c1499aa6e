// Examines a killed stall from outside: its database, its artefacts and its answers.
import { Database } from 'bun:sqlite';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fact, holds, missing, type Operation } from './clerk.ts';
import type { Install, Question } from './reader.ts';

/** An operation whose command was killed before it printed anything. */
export type Unseen = Pick<Operation, 'before' | 'after' | 'settle'>;

export function openDatabase(directory: string): Database {
  const db = new Database(join(directory, 'data', 'bookstall.db'), { readonly: true });
  db.run('PRAGMA busy_timeout = 5000');
  return db;
}

/** Faults of the database, and the facts that it lacks. */
export function auditDatabase(db: Database, facts: Iterable<Fact>): readonly string[] {
  const checks = db.query<Record<string, string>, []>('PRAGMA integrity_check').all();
  const strays = db.query('PRAGMA foreign_key_check').all();
  return [
    ...checks.flatMap((row) => Object.values(row)).filter((text) => text !== 'ok'),
    ...strays.map((row) => `A row without what it refers to: ${JSON.stringify(row)}`),
    ...[...facts].flatMap((fact) => missing(db, fact) ?? []).map((text) => `Lost: ${text}`),
  ];
}

/** Settles the operations of killed commands: done completely, or not at all. */
export function auditUnseen(
  db: Database,
  unseen: readonly Unseen[],
  facts: Map<string, Fact>,
): readonly string[] {
  return unseen.flatMap(({ before, after, settle }) => {
    if (before.length === 0 || holds(db, before)) return [];
    if (!holds(db, after(null)))
      return [
        `Half there: ${after(null)
          .map(({ object }) => object)
          .join(', ')}`,
      ];
    for (const fact of after(null)) facts.set(fact.object, fact);
    settle(null);
    return [];
  });
}

type AskedRow = { readonly key_id: number; readonly asked_at: number; readonly outcome: string | null };

/** Questions whose first event was seen but that have no row, or whose row contradicts the end that was seen. */
export function auditQuestions(db: Database, questions: readonly Question[]): readonly string[] {
  const since = Math.min(...questions.map(({ from }) => from));
  const rows = new Set(
    db
      .query<AskedRow, [number]>('SELECT key_id, asked_at, outcome FROM fetch_logs WHERE asked_at >= ?')
      .all(since),
  );
  return questions
    .toSorted((a, b) => a.to - b.to)
    .flatMap(({ keyId, from, to, done }) => {
      const row = [...rows].find((one) => one.key_id === keyId && one.asked_at >= from && one.asked_at <= to);
      if (row === undefined) return [`No row of a question of key ${keyId} asked at ${from}`];
      rows.delete(row);
      return done === null || row.outcome === done
        ? []
        : [`A question that ended ${done} reads ${row.outcome}`];
    });
}

/** The installs without a row, as milliseconds between the install and the kill. */
export function lostInstalls(
  db: Database,
  installs: readonly Install[],
  killedAt: number,
): readonly number[] {
  const find = db.query<{ n: number }, [string]>('SELECT count(*) AS n FROM downloads WHERE id = ?');
  return installs.filter(({ fetchId }) => find.get(fetchId)?.n !== 1).map(({ at }) => killedAt - at);
}

/** Installs with more than one row. */
export function doubleInstalls(db: Database): readonly string[] {
  const rows = db.query<{ id: string }, []>('SELECT id FROM downloads GROUP BY id HAVING count(*) > 1').all();
  return rows.map(({ id }) => `The install ${id} is counted twice`);
}

type Edition = {
  readonly artefacts: Readonly<
    Record<
      string,
      { readonly kind: string; readonly name: string; readonly size: number; readonly sha256: string }
    >
  >;
};

/** Artefacts of saved editions that are not intact, and leftovers of a killed compiler. */
export function auditArtefacts(directory: string): readonly string[] {
  const data = join(directory, 'data');
  const left = join(data, 'artefacts', 'new');
  const editions = ['book', 'skill'].flatMap((kind) => {
    const folder = join(data, 'editions', kind);
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
    return names.map(
      (name) => JSON.parse(readFileSync(join(folder, name), 'utf8').split('\n')[1] ?? '{}') as Edition,
    );
  });
  const broken = editions
    .flatMap(({ artefacts }) => Object.values(artefacts))
    .filter(({ kind, name, sha256 }) => {
      const file = join(data, 'artefacts', name.slice(0, 2), `${name}.${kind}`);
      return !existsSync(file) || createHash('sha256').update(readFileSync(file)).digest('hex') !== sha256;
    });
  return [
    ...broken.map(({ kind, name }) => `The artefact ${name}.${kind} is not intact`),
    ...(existsSync(left) ? readdirSync(left) : []).map((name) => `A compiler that was killed left ${name}`),
  ];
}
