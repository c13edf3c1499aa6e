import type { Database, Statement } from 'bun:sqlite';

/** A word of the question as the index spells it: its places in the question, its share of a full weight, its equivalent tokens. */
export type AskedTerm = {
  readonly at: readonly number[];
  readonly share: number;
  readonly isName: boolean;
  readonly tokens: readonly string[];
};

/** An asked term that the book holds: all its places in the book (see `passageOf`), ascending. */
export type Term = AskedTerm & { readonly weight: number; readonly places: Float64Array };

/** The terms the book holds, the weight of all terms asked for, and the weight of the names the book lacks. */
export type Terms = {
  readonly held: readonly Term[];
  readonly weight: number;
  readonly lackingNames: number;
};

// A place is one number: the passage, whether in its heading, the token's offset there.
const SPAN = 2 ** 22;
const HEADING = 2 ** 21;

/** A question of 8,000 characters has 1,300 terms, which cost 190 ms; the rarest terms say most. */
const MOST_TERMS = 64;
// In a book of five passages idf says nothing: weights are computed as if the book had this many passages more.
const PRIOR_PASSAGES = 100;

export const passageOf = (place: number): number => Math.floor(place / SPAN);
export const isInHeading = (place: number): boolean => place % SPAN >= HEADING;
export const offsetOf = (place: number): number => place % HEADING;

/**
 * Looks up asked terms in a book of `total` passages. It reads the 64 rarest terms the book holds, and counts at most 64
 * that the book lacks.
 */
export function openOccurrences(db: Database, total: number): (asked: readonly AskedTerm[]) => Terms {
  const counted: Statement<{ count: number }, [string]> = db.prepare(
    'SELECT doc AS count FROM term WHERE term = ?',
  );
  const found = db.prepare(
    `SELECT doc * ${SPAN} + (col = 'heading') * ${HEADING} + offset FROM token WHERE term = ?`,
  );
  const count = ({ tokens }: AskedTerm): number =>
    tokens.reduce((sum, token) => sum + (counted.get(token)?.count ?? 0), 0);
  const read = (asked: AskedTerm): Term => {
    const places = asked.tokens.flatMap((token) =>
      (found.values(token) as [number][]).map(([place]) => place),
    );
    const sorted = Float64Array.from(places).sort();
    return { ...asked, places: sorted, weight: asked.share * weigh(total, countPassages(sorted)) };
  };
  return (asked) => {
    const counts = asked.map((term) => ({ term, count: count(term) }));
    const held = counts
      .filter(({ count }) => count > 0)
      .sort((a, b) => a.count - b.count)
      .slice(0, MOST_TERMS)
      .map(({ term }) => read(term));
    const lacking = counts.filter(({ count }) => count === 0).slice(0, MOST_TERMS);
    const weightOf = (terms: readonly { readonly term: AskedTerm }[]): number =>
      weigh(total, 0) * terms.reduce((sum, { term }) => sum + term.share, 0);
    return {
      held,
      weight: held.reduce((sum, { weight }) => sum + weight, weightOf(lacking)),
      lackingNames: weightOf(lacking.filter(({ term }) => term.isName)),
    };
  };
}

/** Inverse document frequency. */
function weigh(total: number, count: number): number {
  return Math.log(1 + (total + PRIOR_PASSAGES - count + 0.5) / (count + 0.5));
}

function countPassages(places: Float64Array): number {
  let count = 0;
  let last = 0;
  for (const place of places) {
    if (passageOf(place) !== last) count++;
    last = passageOf(place);
  }
  return count;
}
