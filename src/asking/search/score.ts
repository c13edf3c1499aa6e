// BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the k1 and b
// of SQLite's ext/fts5/fts5_aux.c.
import { type IndexFile, PASSAGE } from './index-file.sql.ts';
import { MOST_TERMS, type Term, type Terms } from './terms.ts';
import trained from './rerank.json';

/** Weights by feature, trained by `bun run train:rerank`. */
const WEIGHTS: Readonly<Record<FeatureName, number>> = trained.weights;

const NAMES = Object.keys(WEIGHTS) as readonly FeatureName[];

/**
 * The features by which a candidate passage is ranked, each about 0 to 1. They are shares of the total weight of the question's
 * terms, so that different books and questions can be compared. `before` and `after` score the neighbouring passages in the
 * chapter, `around` is the better of these; `chapterBest` shows which chapter is meant.
 */
type Features = Readonly<Record<FeatureName, number>>;

type FeatureName = keyof typeof trained.weights;

/** A passage that holds terms of the question, at the places from `from` to `to` (exclusive) of `Matches`. */
type Match = {
  readonly passage: number;
  readonly from: number;
  readonly to: number;
  readonly bm25: number;
  readonly phrase: number;
};

/**
 * Matches by passage. Each place is a number, sorted within its passage: the offset in tokens times `MOST_TERMS`, plus the
 * number of the term.
 */
type Matches = { readonly byPassage: ReadonlyMap<number, Match>; readonly places: Int32Array };

export type Candidate = { readonly passage: number; readonly features: Features };

/**
 * The maximum number of candidates that are ranked. For 98 % of 1,025 questions to FairytaleQA's validation books, the answer
 * is among them.
 */
const MOST_CANDIDATES = 60;
const PHRASE_SHARE = 0.7;
const BESIDE = 0.1;

export function findCandidates(file: IndexFile, { held, weight }: Terms): readonly Candidate[] {
  const matches = findMatches(held, file.lengths);
  const { byPassage } = matches;
  const score = ({ passage, bm25, phrase }: Match): number => {
    const beside = (byPassage.get(passage - 1)?.bm25 ?? 0) + (byPassage.get(passage + 1)?.bm25 ?? 0);
    return bm25 + PHRASE_SHARE * phrase + BESIDE * beside;
  };
  const features = featuresIn(file, matches, held, weight);
  return Array.from(byPassage.values(), (match) => ({ match, score: score(match) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_CANDIDATES)
    .map(({ match }) => ({ passage: match.passage, features: features(match) }));
}

const K1 = 1.2;
const B = 0.75;
/** A term adds at most so many times its weight to BM25, however often it occurs. */
const MOST_PER_TERM = K1 + 1;
const TERM_BITS = Math.log2(MOST_TERMS);
/** The maximum distance, in words, at which two words of the question form a pair. */
const NEAR = 4;

function findMatches(terms: readonly Term[], lengths: Float64Array): Matches {
  const all = new Float64Array(terms.reduce((sum, { places }) => sum + places.length, 0));
  let filled = 0;
  for (const [t, { places }] of terms.entries())
    for (const place of places) all[filled++] = place * MOST_TERMS + t;
  all.sort();
  const within = new Int32Array(all.length);
  const pairs = pairsOf(terms);
  const byPassage = new Map<number, Match>();
  const counts = new Uint32Array(terms.length);
  for (let from = 0, to = 0; from < all.length; from = to) {
    const passage = Math.floor(all[from]! / (PASSAGE * MOST_TERMS));
    const start = passage * PASSAGE * MOST_TERMS;
    const end = start + PASSAGE * MOST_TERMS;
    for (; to < all.length && all[to]! < end; to++) within[to] = all[to]! - start;
    const weighed = weighPlaces({ within, from, to, counts }, terms, pairs, lengths[passage]!);
    byPassage.set(passage, { passage, from, to, ...weighed });
  }
  return { byPassage, places: within };
}

/**
 * Computes how much the places where one passage has words of the question count for its rank. `counts` is a buffer that is
 * reused, since a long book has tens of thousands of passages.
 */
function weighPlaces(
  {
    within,
    from,
    to,
    counts,
  }: {
    readonly within: Int32Array;
    readonly from: number;
    readonly to: number;
    readonly counts: Uint32Array;
  },
  terms: readonly Term[],
  pairs: ReadonlyMap<number, number>,
  length: number,
): Pick<Match, 'bm25' | 'phrase'> {
  counts.fill(0);
  let found: Set<number> | null = null;
  for (let i = from; i < to; i++) {
    const place = within[i]!;
    const term = place % MOST_TERMS;
    counts[term]!++;
    for (let j = i - 1; j >= from; j--) {
      const distance = (place >> TERM_BITS) - (within[j]! >> TERM_BITS);
      if (distance > NEAR) break;
      const pair = pairKey(within[j]! % MOST_TERMS, term, distance);
      if (pairs.has(pair)) (found ??= new Set()).add(pair);
    }
  }
  let bm25 = 0;
  const penalty = K1 * (1 - B + B * length);
  for (let t = 0; t < counts.length; t++)
    if (counts[t]! > 0) bm25 += (terms[t]!.weight * counts[t]! * MOST_PER_TERM) / (counts[t]! + penalty);
  let phrase = 0;
  for (const pair of found ?? []) phrase += pairs.get(pair)!;
  return { bm25, phrase };
}

/**
 * Returns the weight of each pair of terms: the lesser of the two weights, by a key of both terms and their distance in the
 * question.
 */
function pairsOf(terms: readonly Term[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  for (const [a, first] of terms.entries())
    for (const [b, second] of terms.entries())
      for (const from of first.at)
        for (const to of second.at)
          if (to > from && to - from <= NEAR)
            pairs.set(pairKey(a, b, to - from), Math.min(first.weight, second.weight));
  return pairs;
}

const pairKey = (a: number, b: number, distance: number): number =>
  (distance * MOST_TERMS + a) * MOST_TERMS + b;

/**
 * Returns a candidate's log-odds. The softmax of these over all candidates estimates for each the probability that it answers
 * the question.
 */
export const rerankScore = (features: Features): number =>
  NAMES.reduce((sum, name) => sum + WEIGHTS[name] * features[name], 0);

function featuresIn(
  { chapterOf }: IndexFile,
  { byPassage, places: all }: Matches,
  held: readonly Term[],
  weight: number,
): (match: Match) => Features {
  const weights = held.map((term) => term.weight / weight);
  const sum = (terms: ReadonlySet<number>): number => {
    let total = 0;
    for (const t of terms) total += weights[t]!;
    return total;
  };
  const termsOf = (match: Match | undefined): ReadonlySet<number> =>
    new Set(all.subarray(match?.from ?? 0, match?.to ?? 0).map((place) => place % MOST_TERMS));
  const best = new Map<number, number>();
  for (const { passage, bm25 } of byPassage.values()) {
    const chapter = chapterOf[passage]!;
    if (bm25 > (best.get(chapter) ?? 0)) best.set(chapter, bm25);
  }
  const most = Math.max(...best.values());
  const share = 1 / (MOST_PER_TERM * weight);
  return (match) => {
    const { passage, bm25, phrase } = match;
    const terms = termsOf(match);
    const chapter = chapterOf[passage]!;
    const [before, after] = [passage - 1, passage + 1].map((beside) =>
      chapterOf[beside] === chapter ? byPassage.get(beside) : undefined,
    );
    return {
      bm25: share * bm25,
      phrase: phrase / weight,
      coverage: sum(terms),
      window: bestWindow(all.subarray(match.from, match.to), weights),
      before: share * (before?.bm25 ?? 0),
      after: share * (after?.bm25 ?? 0),
      around: share * Math.max(before?.bm25 ?? 0, after?.bm25 ?? 0),
      withBefore: sum(terms.union(termsOf(before))),
      withAfter: sum(terms.union(termsOf(after))),
      chapterBest: best.get(chapter)! / most,
    };
  };
}

/** The width in words of the window that `bestWindow` moves over a passage: about a long sentence. */
const WIDTH = 30;

function bestWindow(places: Int32Array, weights: readonly number[]): number {
  const counts = new Uint32Array(weights.length);
  let sum = 0;
  let best = 0;
  for (let to = 0, from = 0; to < places.length; to++) {
    for (; places[from]! <= places[to]! - WIDTH * MOST_TERMS; from++) {
      const left = places[from]! % MOST_TERMS;
      if (--counts[left]! === 0) sum -= weights[left]!;
    }
    const term = places[to]! % MOST_TERMS;
    if (counts[term]!++ === 0) sum += weights[term]!;
    if (sum > best) best = sum;
  }
  return best;
}
