// BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the k1 and b
// of SQLite's ext/fts5/fts5_aux.c.
import { HEADING, type IndexFile, PASSAGE } from './index-file.sql.ts';
import type { Near } from './vectors.ts';
import { MOST_TERMS, type RelatedTerm, type Term, type Terms } from './terms.ts';
import trained from './rerank.json';

/** Weights by feature. `bun run train:rerank` trains them. */
const WEIGHTS: Readonly<Record<FeatureName, number>> = trained.weights;

const NAMES = Object.keys(WEIGHTS) as readonly FeatureName[];

/**
 * The features by which a candidate passage is ranked, each about 0 to 1, except `near`. Most are shares of the total weight of
 * the question's terms, so that different books and questions can be compared. `bm25`, `phrase`, `coverage` and `window` count
 * only the question's own words, the others related words too. `withBefore` and `withAfter` also count the words of a neighbour
 * in the section; `sectionBest` is the best score of the section's passages; `name` is the share of the last heading that the
 * question has; `place` is 1 for the section's first passage, and less for each later one; `isAlone` is 1 if the section has no
 * other. `near` and `nearRank` compare vectors; without vectors they are 0.
 */
type Features = Readonly<Record<FeatureName, number>>;

type FeatureName = keyof typeof trained.weights;

/** A held or related term; `slot` is the number of the question's term for which it counts. */
type SlotTerm = Pick<Term, 'places' | 'weight'> & { readonly slot: number };

/** A passage with terms of the question. Its `places` in `Matches` are those from `from` to `to` (exclusive). */
type Match = {
  readonly passage: number;
  readonly from: number;
  readonly to: number;
  readonly bm25: number;
  /** BM25 if each term counts as the best of itself and its related ones. */
  readonly wide: number;
  readonly phrase: number;
};

/** Matches by passage. `places`, sorted within each passage, are offsets in tokens times MOST_TERMS, plus the term's number. */
type Matches = {
  readonly byPassage: ReadonlyMap<number, Match>;
  readonly places: Int32Array;
  readonly terms: readonly SlotTerm[];
};

export type Candidate = { readonly passage: number; readonly features: Features };

/** The maximum number of candidates found by words; 98 % of 1,025 questions of FairytaleQA have the answer among them. */
const MOST_CANDIDATES = 60;
/** The match of a passage that only its vector finds. */
const NO_MATCH = { from: 0, to: 0, bm25: 0, wide: 0, phrase: 0 };
const [FARTHEST, NEAREST] = [-1, 12];
const PHRASE_SHARE = 0.7;
const BESIDE = 0.1;

export function findCandidates(
  file: IndexFile,
  asked: Terms,
  near: Near | null = null,
): readonly Candidate[] {
  if (asked.held.length + asked.related.length === 0 && near === null) return [];
  const matches = findMatches(asked, slotTerms(asked.held, asked.related), file.lengths);
  const { byPassage } = matches;
  const score = ({ passage, wide, phrase }: Match): number => {
    const beside = (byPassage.get(passage - 1)?.wide ?? 0) + (byPassage.get(passage + 1)?.wide ?? 0);
    return wide + PHRASE_SHARE * phrase + BESIDE * beside;
  };
  const features = featuresIn(file, matches, asked);
  const byWords = Array.from(byPassage.values(), (match) => ({ match, score: score(match) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_CANDIDATES)
    .map(({ match }) => match);
  const nearest = near?.best.map((passage) => byPassage.get(passage) ?? { passage, ...NO_MATCH }) ?? [];
  const ranks = new Map(near?.best.map((passage, n) => [passage, 1 / (1 + n)]));
  return Array.from(new Set([...byWords, ...nearest]), (match) => ({
    passage: match.passage,
    features: {
      ...features(match),
      near: clamp(near?.nearness[match.passage - 1] ?? 0, FARTHEST, NEAREST),
      nearRank: ranks.get(match.passage) ?? 0,
    },
  }));
}

/** Numbers the slots: those of held terms first, then those of missing terms for which related ones count. */
function slotTerms(held: readonly Term[], related: readonly RelatedTerm[]): readonly SlotTerm[] {
  const slots = new Map(held.map(({ tokens }, n) => [tokens[0]!, n]));
  return [
    ...held.map((term, slot) => ({ ...term, slot })),
    ...related.map((term) => ({ ...term, slot: slots.getOrInsert(term.of, slots.size) })),
  ];
}

const K1 = 1.2;
const B = 0.75;
/** However often a term occurs, it adds at most so many times its weight to BM25. */
const MOST_PER_TERM = K1 + 1;
const TERM_BITS = Math.log2(MOST_TERMS);
/** The maximum distance, in words, at which two words of the question form a pair. */
const NEAR = 4;

const slotsOf = (terms: readonly SlotTerm[]): number => Math.max(-1, ...terms.map(({ slot }) => slot)) + 1;

function findMatches({ held }: Terms, terms: readonly SlotTerm[], lengths: Float64Array): Matches {
  const all = new Float64Array(terms.reduce((sum, { places }) => sum + places.length, 0));
  let filled = 0;
  for (const [t, { places }] of terms.entries())
    for (const place of places) all[filled++] = place * MOST_TERMS + t;
  all.sort();
  const within = new Int32Array(all.length);
  const weighed = createWeigher(within, terms, held);
  const byPassage = new Map<number, Match>();
  for (let from = 0, to = 0; from < all.length; from = to) {
    const passage = Math.floor(all[from]! / (PASSAGE * MOST_TERMS));
    const start = passage * PASSAGE * MOST_TERMS;
    const end = start + PASSAGE * MOST_TERMS;
    for (; to < all.length && all[to]! < end; to++) within[to] = all[to]! - start;
    byPassage.set(passage, { passage, from, to, ...weighed(from, to, lengths[passage]!) });
  }
  return { byPassage, places: within, terms };
}

/**
 * Returns a function that computes how much a passage's places, from `from` to `to`, count for its rank. Reuses its buffers,
 * since a long book has tens of thousands of passages.
 */
function createWeigher(within: Int32Array, terms: readonly SlotTerm[], held: readonly Term[]) {
  const pairs = pairsOf(held);
  const counts = new Uint32Array(terms.length);
  const best = new Float64Array(slotsOf(terms));
  return (from: number, to: number, length: number): Pick<Match, 'bm25' | 'wide' | 'phrase'> => {
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
    let [bm25, wide, phrase] = [0, 0, 0];
    best.fill(0);
    const penalty = K1 * (1 - B + B * length);
    for (let t = 0; t < counts.length; t++) {
      if (counts[t] === 0) continue;
      const { weight, slot } = terms[t]!;
      const score = (weight * counts[t]! * MOST_PER_TERM) / (counts[t]! + penalty);
      if (t < held.length) bm25 += score;
      if (score > best[slot]!) best[slot] = score;
    }
    for (const score of best) wide += score;
    for (const pair of found ?? []) phrase += pairs.get(pair)!;
    return { bm25, wide, phrase };
  };
}

/** Returns the weight of each pair of terms, the lesser of the two, by a key of both terms and their distance. */
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

/** Returns a candidate's log-odds. Their softmax over all candidates estimates how probably each answers the question. */
export const rerankScore = (features: Features): number =>
  NAMES.reduce((sum, name) => sum + WEIGHTS[name] * features[name], 0);

function featuresIn(
  { sections, sectionOf }: IndexFile,
  { byPassage, places, terms }: Matches,
  { held, weight: all }: Terms,
): (match: Match) => Omit<Features, 'near' | 'nearRank'> {
  // Without terms there is no weight to share.
  const weight = all || 1;
  const weights = terms.map((term) => term.weight / weight);
  const best = new Float64Array(slotsOf(terms));
  /** Returns the share of the total weight that the terms in some passages have, each slot with its heaviest term. */
  const shareOf = (some: readonly (Match | undefined)[], first = terms.length): number => {
    best.fill(0);
    for (const match of some)
      for (let i = match?.from ?? 0; i < (match?.to ?? 0); i++) {
        const t = places[i]! % MOST_TERMS;
        if (t < first && weights[t]! > best[terms[t]!.slot]!) best[terms[t]!.slot] = weights[t]!;
      }
    return best.reduce((sum, one) => sum + one, 0);
  };
  const termsFrom = ({ from, to }: Match, least: number, most: number): number => {
    const found = places
      .subarray(from, to)
      .filter((place) => place >> TERM_BITS >= least && place >> TERM_BITS < most);
    return new Set(found.map((place) => place % MOST_TERMS)).size;
  };
  const bestIn = new Map<number, number>();
  for (const { passage, wide } of byPassage.values()) {
    const section = sectionOf[passage]!;
    if (wide > (bestIn.get(section) ?? 0)) bestIn.set(section, wide);
  }
  const most = Math.max(0, ...bestIn.values()) || 1;
  const share = 1 / (MOST_PER_TERM * weight);
  return (match) => {
    const { passage, bm25, wide, phrase } = match;
    const section = sectionOf[passage]!;
    const [first, above, name] = sections[section]!;
    const [before, after] = [passage - 1, passage + 1].map((beside) =>
      sectionOf[beside] === section ? byPassage.get(beside) : undefined,
    );
    return {
      bm25: share * bm25,
      wide: share * wide,
      phrase: phrase / weight,
      coverage: shareOf([match], held.length),
      window: bestWindow(places.subarray(match.from, match.to), weights.slice(0, held.length)),
      withBefore: shareOf([match, before]),
      withAfter: shareOf([match, after]),
      sectionBest: (bestIn.get(section) ?? 0) / most,
      name: Math.min(1, termsFrom(match, HEADING + above, 2 * HEADING) / Math.max(1, name)),
      place: 1 / (1 + passage - first),
      isAlone: first === passage && sectionOf[passage + 1] !== section ? 1 : 0,
    };
  };
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** The width, in words, of the window that `bestWindow` moves over a passage: about a long sentence. */
const WIDTH = 30;

/** Returns the greatest sum of the weights of different terms in the window; ignores terms beyond `weights`. */
function bestWindow(all: Int32Array, weights: readonly number[]): number {
  const places = all.filter((place) => place % MOST_TERMS < weights.length);
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
