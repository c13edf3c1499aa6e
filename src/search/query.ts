import { constants, Database } from 'bun:sqlite';
import { pathToFileURL } from 'node:url';
import type { FoundPassage, WeightedTerm } from '../passages/passage.ts';
import { matchExpression, queryTerms } from '../passages/query.ts';

/** What a search found, best passage first. `coverage` is 0 to 1, 0 when nothing was found. */
export type Found = {
  readonly passages: readonly FoundPassage[];
  readonly terms: readonly WeightedTerm[];
  readonly coverage: number;
};

/** An open index; `search` returns at most `limit` passages and never throws for what the question says. */
export type Index = {
  readonly search: (question: string, limit: number) => Found;
  readonly close: () => void;
};

type Statements = ReturnType<typeof prepare>;
type Row = FoundPassage & { readonly id: number };

const NOTHING: Found = { passages: [], terms: [], coverage: 0 };
// FTS5's bm25() has k1 = 1.2 hard-coded, so that a word counts at most k1 + 1 times its idf.
const MOST_PER_TERM = 2.2;
// In a book of five passages idf tells nothing: weights are reckoned as if the book had this many more.
const PRIOR_PASSAGES = 100;

/** Opens the index that `buildIndex` wrote; the file is never written and must not change while it is open. */
export function openIndex(file: string): Index {
  const uri = `${pathToFileURL(file).href}?immutable=1`;
  const db = new Database(uri, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
  const statements = prepare(db);
  return {
    search: (question, limit) => search(statements, question, limit),
    close: () => db.close(),
  };
}

function prepare(db: Database) {
  return {
    best: db.prepare<Row, [string, number]>(
      `SELECT f.id, p.path, f.heading, p.start, p.end, f.text, f.score
         FROM (SELECT rowid AS id, text, heading, -rank AS score
                 FROM passage WHERE passage MATCH ? ORDER BY rank LIMIT ?) f
         JOIN place p ON p.id = f.id ORDER BY f.score DESC, f.id`,
    ),
    total: db.prepare<{ count: number }, []>('SELECT count(*) AS count FROM place').get()!.count,
    holding: db.prepare<{ count: number }, [string]>(
      'SELECT count(*) AS count FROM passage WHERE passage MATCH ?',
    ),
    scoreOf: db.prepare<{ score: number }, [string, number]>(
      'SELECT -bm25(passage) AS score FROM passage WHERE passage MATCH ? AND rowid = ?',
    ),
  };
}

function search(statements: Statements, question: string, limit: number): Found {
  const words = queryTerms(question);
  const expression = matchExpression(words);
  if (expression === null) return NOTHING;
  const counts = words.map((word) => statements.holding.get(matchExpression([word])!)!.count);
  const terms = words.map((term, i) => ({ term, weight: weight(statements.total, counts[i]!) }));
  const rows = statements.best.all(expression, limit);
  const coverage = rows[0] === undefined ? 0 : cover(statements, rows[0].id, terms, counts);
  return { passages: rows.map(({ id: _, ...passage }) => passage), terms, coverage };
}

/** Normalised BM25: the passage's score over the highest score any passage could have for these terms. */
function cover(
  statements: Statements,
  id: number,
  terms: readonly WeightedTerm[],
  counts: readonly number[],
): number {
  let score = 0;
  let most = 0;
  for (const [i, { term, weight }] of terms.entries()) {
    most += MOST_PER_TERM * weight;
    if (counts[i] === 0) continue;
    const one = statements.scoreOf.get(matchExpression([term])!, id);
    score += (weight * (one?.score ?? 0)) / ftsIdf(statements.total, counts[i]!);
  }
  return score / most;
}

function weight(total: number, count: number): number {
  return Math.log(1 + (total + PRIOR_PASSAGES - count + 0.5) / (count + 0.5));
}

// As in SQLite's ext/fts5/fts5_aux.c, which puts 1e-6 for a word that half of the passages hold.
function ftsIdf(total: number, count: number): number {
  const idf = Math.log((total - count + 0.5) / (count + 0.5));
  return idf <= 0 ? 1e-6 : idf;
}
