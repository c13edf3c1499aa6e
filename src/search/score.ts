// BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the k1 and b
// of SQLite's ext/fts5/fts5_aux.c.
import { type Layout, MOST_PER_TERM, type Postings, saturate } from './postings.ts';
import type { Term, Terms } from './terms.ts';
import trained from './rerank.json';

/** Scores by passage number: `bm25` sums the terms, `phrase` the pairs of terms at the same distance as in the question. */
export type Scores = { readonly bm25: Float64Array; readonly phrase: Float64Array };

/** Two words of the question at most this far apart are a pair. */
const NEAR = 3;

/** Scores every passage of the book. */
export function scorePassages(terms: readonly Term[], layout: Layout): Scores {
  const bm25 = new Float64Array(layout.total + 2);
  const phrase = new Float64Array(layout.total + 2);
  for (const term of terms) addTerm(bm25, term, layout);
  for (const first of terms)
    for (const second of terms)
      for (const distance of distances(first, second)) addPairs(phrase, first, second, distance);
  return { bm25, phrase };
}

function addTerm(scores: Float64Array, { postings, weight }: Term, { penalty }: Layout): void {
  const { passages, starts } = postings;
  for (let entry = 0; entry < passages.length; entry++) {
    const passage = passages[entry]!;
    const count = starts[entry + 1]! - starts[entry]!;
    scores[passage] = scores[passage]! + weight * saturate(count, penalty[passage]!);
  }
}

function distances(first: Term, second: Term): ReadonlySet<number> {
  const found = new Set<number>();
  for (const from of first.at)
    for (const to of second.at) if (to > from && to - from <= NEAR) found.add(to - from);
  return found;
}

/** Adds the lesser weight of a pair to each passage that holds it at this distance. */
function addPairs(scores: Float64Array, first: Term, second: Term, distance: number): void {
  const weight = Math.min(first.weight, second.weight);
  const [a, b] = [first.postings, second.postings];
  for (let i = 0, j = 0; i < a.passages.length && j < b.passages.length;) {
    const [left, right] = [a.passages[i]!, b.passages[j]!];
    if (left === right && hasPair(a, i, b, j, distance)) scores[left] = scores[left]! + weight;
    if (left <= right) i++;
    if (right <= left) j++;
  }
}

function hasPair(a: Postings, i: number, b: Postings, j: number, distance: number): boolean {
  return (
    hasDistance(a.offsets, a.starts[i]!, a.headings[i]!, b.offsets, b.starts[j]!, b.headings[j]!, distance) ||
    hasDistance(
      a.offsets,
      a.headings[i]!,
      a.starts[i + 1]!,
      b.offsets,
      b.headings[j]!,
      b.starts[j + 1]!,
      distance,
    )
  );
}

/** Whether two ascending ranges hold a pair of offsets at this distance. */
function hasDistance(
  a: Int32Array,
  fromA: number,
  toA: number,
  b: Int32Array,
  fromB: number,
  toB: number,
  distance: number,
): boolean {
  for (let i = fromA, j = fromB; i < toA && j < toB;) {
    const gap = b[j]! - a[i]!;
    if (gap === distance) return true;
    if (gap < distance) j++;
    else i++;
  }
  return false;
}

/** Weights by feature, trained by `bun run train:rerank`. */
const WEIGHTS: Readonly<Record<FeatureName, number>> = trained.weights;

const NAMES = Object.keys(WEIGHTS) as readonly FeatureName[];

/**
 * A candidate's log-odds: their softmax over the candidates of a question estimates the probability that each of them
 * answers it.
 */
export function rerankScore(features: Features): number {
  return NAMES.reduce((sum, name) => sum + WEIGHTS[name] * features[name], 0);
}

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

/** Widths of the windows in words: about a long sentence, and a clause. */
const WIDE = 30;
const NARROW = 10;
// As with the weights of the whole book: in a chapter of three passages rarity says little.
const PRIOR_PASSAGES = 10;

/** The features of each candidate; `unit` is the number of tokens in a word. */
export function featuresOf(
  candidates: readonly number[],
  terms: Terms,
  scores: Scores,
  layout: Layout,
  unit: number,
): readonly Features[] {
  const { held, weight } = terms;
  const weights = Float64Array.from(held, (term) => term.weight / weight);
  const evidence = gatherEvidence(candidates, held, layout);
  const chapters = gatherChapters(candidates, held, layout);
  const best = bestOfChapters(scores, layout);
  const most = Math.max(Number.MIN_VALUE, ...best);
  const share = (passage: number): number => scores.bm25[passage]! / (MOST_PER_TERM * weight);
  const has = (passage: number, term: number): boolean => evidence.entryOf(passage, term) >= 0;
  const sum = (holds: (term: number) => boolean): number => {
    let total = 0;
    for (let term = 0; term < weights.length; term++) if (holds(term)) total += weights[term]!;
    return total;
  };
  return candidates.map((passage) => {
    const chapter = layout.chapter[passage]!;
    const isBefore = layout.chapter[passage - 1] === chapter;
    const isAfter = layout.chapter[passage + 1] === chapter;
    const before = isBefore ? share(passage - 1) : 0;
    const after = isAfter ? share(passage + 1) : 0;
    const places = placesIn(passage, held, evidence);
    const inChapter = chapters.get(chapter)!;
    return {
      bm25: share(passage),
      phrase: scores.phrase[passage]! / weight,
      coverage: sum((term) => has(passage, term)),
      window: bestWindow(places, weights, WIDE * unit),
      narrow: bestWindow(places, weights, NARROW * unit),
      heading: sum((term) => isInHeading(held[term]!, evidence.entryOf(passage, term))),
      before,
      after,
      around: Math.max(before, after),
      withBefore: sum((term) => has(passage, term) || (isBefore && has(passage - 1, term))),
      withAfter: sum((term) => has(passage, term) || (isAfter && has(passage + 1, term))),
      chapter: sum((term) => inChapter[term]! > 0),
      chapterBest: best[chapter]! / most,
      local: localScore(passage, evidence, held, inChapter, layout),
    };
  });
}

function isInHeading({ postings }: Term, entry: number): boolean {
  return entry >= 0 && postings.headings[entry]! < postings.starts[entry + 1]!;
}

/** BM25 within the chapter: a name that all its passages hold weighs little, an event that happens once weighs much. */
function localScore(
  passage: number,
  { entryOf }: Evidence,
  terms: readonly Term[],
  inChapter: Uint32Array,
  { chapter, chapterSize, penalty }: Layout,
): number {
  const size = chapterSize[chapter[passage]!]!;
  let most = 0;
  let score = 0;
  for (let t = 0; t < terms.length; t++) {
    const { share, postings } = terms[t]!;
    const holding = inChapter[t]!;
    if (holding === 0) continue;
    const weight = share * Math.log(1 + (size + PRIOR_PASSAGES - holding + 0.5) / (holding + 0.5));
    most += MOST_PER_TERM * weight;
    const entry = entryOf(passage, t);
    if (entry < 0) continue;
    score += weight * saturate(postings.starts[entry + 1]! - postings.starts[entry]!, penalty[passage]!);
  }
  return most === 0 ? 0 : score / most;
}

function bestOfChapters({ bm25 }: Scores, { total, chapter, chapterSize }: Layout): Float64Array {
  const best = new Float64Array(chapterSize.length);
  for (let passage = 1; passage <= total; passage++) {
    const one = chapter[passage]!;
    if (bm25[passage]! > best[one]!) best[one] = bm25[passage]!;
  }
  return best;
}

const NONE = -1;

/** The occurrences of terms in some passages: the entry of a term's postings in a passage, or -1. */
type Evidence = { readonly entryOf: (passage: number, term: number) => number };

/** Gathers the evidence of the candidates and of their neighbours. */
function gatherEvidence(candidates: readonly number[], terms: readonly Term[], { total }: Layout): Evidence {
  const slots = new Int32Array(total + 2);
  let used = 0;
  for (const passage of candidates)
    for (let beside = passage - 1; beside <= passage + 1; beside++) slots[beside] ||= ++used;
  const entries = new Int32Array((used + 1) * terms.length).fill(NONE);
  for (const [t, { postings }] of terms.entries()) {
    const { passages } = postings;
    for (let entry = 0; entry < passages.length; entry++) {
      const slot = slots[passages[entry]!]!;
      if (slot > 0) entries[slot * terms.length + t] = entry;
    }
  }
  return { entryOf: (passage, term) => entries[slots[passage]! * terms.length + term]! };
}

/** For each chapter of the candidates, the number of its passages that hold each term. */
function gatherChapters(
  candidates: readonly number[],
  terms: readonly Term[],
  { chapter }: Layout,
): ReadonlyMap<number, Uint32Array> {
  const gathered = new Map<number, Uint32Array>();
  for (const passage of candidates)
    if (!gathered.has(chapter[passage]!)) gathered.set(chapter[passage]!, new Uint32Array(terms.length));
  for (const [t, { postings }] of terms.entries())
    for (const passage of postings.passages) {
      const counts = gathered.get(chapter[passage]!);
      if (counts !== undefined) counts[t] = counts[t]! + 1;
    }
  return gathered;
}

const TERMS = 64;

/** The offsets of all terms in the text of a passage, ascending, each as 64 times the offset plus the term. */
function placesIn(passage: number, terms: readonly Term[], { entryOf }: Evidence): Int32Array {
  const places: number[] = [];
  for (const [t, { postings }] of terms.entries()) {
    const entry = entryOf(passage, t);
    if (entry === NONE) continue;
    const { starts, headings, offsets } = postings;
    for (let i = starts[entry]!; i < headings[entry]!; i++) places.push(offsets[i]! * TERMS + t);
  }
  return Int32Array.from(places).sort();
}

/** The greatest sum of the weights of distinct terms within `width` tokens of those places. */
function bestWindow(places: Int32Array, weights: Float64Array, width: number): number {
  const counts = new Uint32Array(weights.length);
  let sum = 0;
  let best = 0;
  for (let to = 0, from = 0; to < places.length; to++) {
    const offset = Math.floor(places[to]! / TERMS);
    for (; Math.floor(places[from]! / TERMS) <= offset - width; from++) {
      const left = places[from]! % TERMS;
      counts[left] = counts[left]! - 1;
      if (counts[left] === 0) sum -= weights[left]!;
    }
    const term = places[to]! % TERMS;
    if (counts[term] === 0) sum += weights[term]!;
    counts[term] = counts[term]! + 1;
    if (sum > best) best = sum;
  }
  return best;
}
