// BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the k1 and b
// of SQLite's ext/fts5/fts5_aux.c.
import type { IndexFile } from './index-file.ts';
import { MOST_TERMS, type Term, type Terms, weigh } from './terms.ts';
import trained from './rerank.json';

/** Weights by feature, trained by `bun run train:rerank`. */
const WEIGHTS: Readonly<Record<FeatureName, number>> = trained.weights;

const NAMES = Object.keys(WEIGHTS) as readonly FeatureName[];

/**
 * The features a candidate is ranked by, each about 0 to 1: shares of the weight of all terms asked for, so that books
 * and questions compare. `before` and `after` score the neighbouring passage of the chapter, `around` the better of the
 * two; `local` weighs terms by how rare they are in the chapter; `chapter` and `chapterBest` show which chapter is meant.
 */
export type Features = Readonly<Record<FeatureName, number>>;

type FeatureName =
  | 'bm25'
  | 'phrase'
  | 'coverage'
  | 'window'
  | 'narrow'
  | 'heading'
  | 'before'
  | 'after'
  | 'around'
  | 'withBefore'
  | 'withAfter'
  | 'chapter'
  | 'chapterBest'
  | 'local';

/**
 * A passage with terms of the question. Each place is `MOST_TERMS` times the offset in tokens, plus the term; `text` is
 * ascending.
 */
export type Match = {
  readonly passage: number;
  readonly text: number[];
  readonly heading: number[];
  counts: ReadonlyMap<number, number>;
  bm25: number;
  phrase: number;
};

/** A passage that may answer, and its features. */
type Candidate = { readonly match: Match; readonly features: Features };

/** Candidates for ranking; 98 % of 1,025 questions on FairytaleQA's validation books have their answer among them. */
const MOST = 60;
const PHRASE_SHARE = 0.7;
const BESIDE = 0.1;

/** The passages with the best plain score: BM25, pairs of words, and a little of their neighbours. */
export function findCandidates(file: IndexFile, { held, weight }: Terms): readonly Candidate[] {
  const matches = gather(held, file.lengths);
  const bm25 = (passage: number): number => matches.get(passage)?.bm25 ?? 0;
  const found = Array.from(matches.values(), (match) => ({
    match,
    score:
      match.bm25 +
      PHRASE_SHARE * match.phrase +
      BESIDE * (bm25(match.passage - 1) + bm25(match.passage + 1)),
  }))
    .sort((a, b) => b.score - a.score || a.match.passage - b.match.passage)
    .slice(0, MOST);
  const features = featuresIn(file, matches, held, weight);
  return found.map(({ match }) => ({ match, features: features(match) }));
}

const K1 = 1.2;
const B = 0.75;
/** A term counts at most this many times its weight, however often it occurs. */
const MOST_PER_TERM = K1 + 1;

/** The score that `count` occurrences of a term of weight 1 add to a passage. */
function saturate(count: number, length: number): number {
  return (count * MOST_PER_TERM) / (count + K1 * (1 - B + B * length));
}

/** Two words of the question at most this far apart are a pair. */
const NEAR = 3;

/** The passages that hold a term, by number. */
function gather(terms: readonly Term[], lengths: Float64Array): ReadonlyMap<number, Match> {
  const matches = new Map<number, Match>();
  for (const [t, { occurrences }] of terms.entries())
    for (const [passage, column, offset] of occurrences) {
      let match = matches.get(passage);
      if (match === undefined)
        matches.set(passage, (match = { passage, text: [], heading: [], counts: NONE, bm25: 0, phrase: 0 }));
      match[column].push(offset * MOST_TERMS + t);
    }
  const pairs = pairsOf(terms);
  for (const match of matches.values()) {
    const counts = new Map<number, number>();
    for (const place of match.text) counts.set(place % MOST_TERMS, (counts.get(place % MOST_TERMS) ?? 0) + 1);
    for (const place of match.heading)
      counts.set(place % MOST_TERMS, (counts.get(place % MOST_TERMS) ?? 0) + 1);
    match.counts = counts;
    for (const [t, count] of counts) match.bm25 += terms[t]!.weight * saturate(count, lengths[match.passage]!);
    if (match.text.length > 1) match.text.sort((a, b) => a - b);
    if (match.heading.length > 1) match.heading.sort((a, b) => a - b);
    if (match.text.length + match.heading.length === 1) continue;
    const found = new Set([...pairsIn(match.text, pairs), ...pairsIn(match.heading, pairs)]);
    for (const pair of found) match.phrase += pairs.get(pair)!;
  }
  return matches;
}

const NONE: ReadonlyMap<number, number> = new Map();

/** The weight of each pair of terms at the same distance as in the question. */
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

function pairKey(a: number, b: number, distance: number): number {
  return (distance * MOST_TERMS + a) * MOST_TERMS + b;
}

function* pairsIn(places: readonly number[], pairs: ReadonlyMap<number, number>): Generator<number> {
  for (let i = 0; i < places.length; i++)
    for (let j = i + 1; j < places.length; j++) {
      const [from, to] = [places[i]!, places[j]!];
      const distance = Math.floor(to / MOST_TERMS) - Math.floor(from / MOST_TERMS);
      if (distance > NEAR) break;
      const key = pairKey(from % MOST_TERMS, to % MOST_TERMS, distance);
      if (pairs.has(key)) yield key;
    }
}

/**
 * A candidate's log-odds: their softmax over the candidates of a question estimates the probability that each of them
 * answers it.
 */
export function rerankScore(features: Features): number {
  return NAMES.reduce((sum, name) => sum + WEIGHTS[name] * features[name], 0);
}

/** Widths of the windows in words: about a long sentence, and a clause. */
const WIDE = 30;
const NARROW = 10;
// As with the weights of the whole book: in a chapter of three passages rarity says little.
const PRIOR_PASSAGES = 10;

/** Gives the features of a match among those of a question. */
function featuresIn(
  { chapters, chapterOf, lengths }: IndexFile,
  matches: ReadonlyMap<number, Match>,
  terms: readonly Term[],
  weight: number,
): (match: Match) => Features {
  const weights = terms.map((term) => term.weight / weight);
  const share = (match: Match | undefined): number => (match?.bm25 ?? 0) / (MOST_PER_TERM * weight);
  const sum = (held: Iterable<number>): number => {
    let total = 0;
    for (const t of new Set(held)) total += weights[t]!;
    return total;
  };
  const best = new Map<number, number>();
  for (const { passage, bm25 } of matches.values()) {
    const chapter = chapterOf[passage]!;
    best.set(chapter, Math.max(best.get(chapter) ?? 0, bm25));
  }
  const most = Math.max(Number.MIN_VALUE, ...best.values());
  /** For each chapter, the number of its passages that hold each term. */
  const counted = new Map<number, Uint32Array>();
  const inChapter = (chapter: number): Uint32Array => {
    let counts = counted.get(chapter);
    if (counts !== undefined) return counts;
    counted.set(chapter, (counts = new Uint32Array(terms.length)));
    for (let passage = chapters[chapter]!; passage < chapters[chapter + 1]!; passage++)
      for (const t of matches.get(passage)?.counts.keys() ?? []) counts[t] = counts[t]! + 1;
    return counts;
  };
  return (match) => {
    const { passage, counts } = match;
    const chapter = chapterOf[passage]!;
    const beside = (other: number): Match | undefined =>
      chapterOf[other] === chapter ? matches.get(other) : undefined;
    const [previous, next] = [beside(passage - 1), beside(passage + 1)];
    const [before, after] = [share(previous), share(next)];
    const local = inChapter(chapter);
    const size = chapters[chapter + 1]! - chapters[chapter]!;
    let most0 = 0;
    let score = 0;
    for (const [t, term] of terms.entries()) {
      if (local[t] === 0) continue;
      const own = term.share * weigh(size, local[t]!, PRIOR_PASSAGES);
      most0 += MOST_PER_TERM * own;
      score += own * saturate(counts.get(t) ?? 0, lengths[passage]!);
    }
    return {
      bm25: share(match),
      phrase: match.phrase / weight,
      coverage: sum(counts.keys()),
      window: bestWindow(match.text, weights, WIDE),
      narrow: bestWindow(match.text, weights, NARROW),
      heading: sum(match.heading.map((place) => place % MOST_TERMS)),
      before,
      after,
      around: Math.max(before, after),
      withBefore: sum([...counts.keys(), ...(previous?.counts.keys() ?? [])]),
      withAfter: sum([...counts.keys(), ...(next?.counts.keys() ?? [])]),
      chapter: weights.reduce((total, own, t) => (local[t]! > 0 ? total + own : total), 0),
      chapterBest: best.get(chapter)! / most,
      local: most0 === 0 ? 0 : score / most0,
    };
  };
}

/** The greatest sum of the weights of distinct terms within `width` tokens of those places. */
function bestWindow(places: readonly number[], weights: readonly number[], width: number): number {
  const counts = new Uint32Array(weights.length);
  let sum = 0;
  let best = 0;
  for (let to = 0, from = 0; to < places.length; to++) {
    const offset = Math.floor(places[to]! / MOST_TERMS);
    for (; Math.floor(places[from]! / MOST_TERMS) <= offset - width; from++) {
      const left = places[from]! % MOST_TERMS;
      counts[left] = counts[left]! - 1;
      if (counts[left] === 0) sum -= weights[left]!;
    }
    const term = places[to]! % MOST_TERMS;
    if (counts[term] === 0) sum += weights[term]!;
    counts[term] = counts[term]! + 1;
    if (sum > best) best = sum;
  }
  return best;
}
