import type { AskedTerm } from './asked-terms.ts';
import type { IndexFile } from './index-file.ts';
import { mergePostings } from './merge-postings.ts';
import type { Postings } from './postings.ts';

/** An asked term that the book holds, with all its occurrences there. */
export type Term = AskedTerm & { readonly weight: number; readonly postings: Postings };

/** The terms the book holds, the weight of all terms asked for, and the weight of the names the book lacks. */
export type Terms = {
  readonly held: readonly Term[];
  readonly weight: number;
  readonly lackingNames: number;
};

/** A question of 8,000 characters has 1,300 terms; the rarest terms say most. */
const MOST_TERMS = 64;
// In a book of five passages idf says nothing: weights are computed as if the book had this many passages more.
const PRIOR_PASSAGES = 100;

/** Looks up asked terms: reads the 64 rarest terms the book holds, and counts at most 64 that the book lacks. */
export function lookUpTerms(file: IndexFile, asked: readonly AskedTerm[]): Terms {
  const { total } = file.layout;
  const counts = asked.map((term) => ({
    term,
    count: term.tokens.reduce((sum, token) => sum + file.count(token), 0),
  }));
  const held = counts
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count)
    .slice(0, MOST_TERMS)
    .map(({ term }) => readTerm(file, term));
  const lacking = counts.filter(({ count }) => count === 0).slice(0, MOST_TERMS);
  const weightOf = (terms: readonly { readonly term: AskedTerm }[]): number =>
    weigh(total, 0) * terms.reduce((sum, { term }) => sum + term.share, 0);
  return {
    held,
    weight: held.reduce((sum, { weight }) => sum + weight, weightOf(lacking)),
    lackingNames: weightOf(lacking.filter(({ term }) => term.isName)),
  };
}

function readTerm({ layout, postings: find }: IndexFile, asked: AskedTerm): Term {
  const postings = mergePostings(asked.tokens.map(find));
  return { ...asked, postings, weight: asked.share * weigh(layout.total, postings.passages.length) };
}

/** Inverse document frequency. */
function weigh(total: number, count: number): number {
  return Math.log(1 + (total + PRIOR_PASSAGES - count + 0.5) / (count + 0.5));
}
