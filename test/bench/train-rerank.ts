// `bun run train:rerank --content DIR --questions FILE --split NAME …`, each option once for every set: fits the weights of
// src/asking/search/rerank.json, so that their softmax over a question's candidates gives those that answer it the greatest
// probability. Without `--embeddings URL --model NAME` all weights are fitted but those of vectors, and with it those alone: so
// that a stall without a model ranks as if there were none.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readEmbeddingsConfig } from '../../src/platform/config/embeddings.ts';
import before from '../../src/asking/search/rerank.json';
import { findCandidates } from '../../src/asking/search/score.ts';
import { askedTerms, lookUpTerms } from '../../src/asking/search/terms.ts';
import { openIndexFile } from '../../src/asking/search/index-file.sql.ts';
import { openVectors } from './qa-vectors.ts';
import { generator } from './qa-random.ts';
import { compileSet, isHit, readQuestions, type SetQuestion } from './qa-set.ts';

const EPOCHS = 20;
const BATCH = 64;
const STEP = 0.15;
const LAST_STEP = 0.003;
const SHRINK = 1e-4;
/**
 * The mean number of passages of a question that are at least `LEAST` times as likely as the best, counted up to `MOST`: the
 * weights are scaled to it, so that as many excerpts are shown as with the weights of 0.4.
 */
const EXCERPTS = 2.3;
const LEAST = 0.05;
const MOST = 3;

/** A question's candidates: their features, and which of them answer it. */
type Lesson = { readonly features: readonly (readonly number[])[]; readonly hits: readonly boolean[] };

const { values: flags } = parseArgs({
  options: {
    content: { type: 'string', multiple: true, default: [] },
    questions: { type: 'string', multiple: true, default: [] },
    split: { type: 'string', multiple: true, default: [] },
    embeddings: { type: 'string' },
    model: { type: 'string' },
  },
});
if (flags.content.length === 0 || flags.content.length !== flags.questions.length) {
  console.error('Usage: bun run train:rerank --content DIR --questions FILE --split NAME …');
  process.exit(2);
}
const config = readEmbeddingsConfig(
  { BOOKSTALL_EMBEDDINGS: flags.embeddings, BOOKSTALL_EMBEDDINGS_MODEL: flags.model },
  (problem) => {
    throw new Error(problem);
  },
);
const names = Object.keys(before.weights) as (keyof typeof before.weights)[];
/** The weights that are fitted. */
const isFree = names.map((name) => name.startsWith('near') === (config !== null));
const lessons = (
  await Promise.all(
    flags.content.map((content, i) =>
      prepare(content, readQuestions(flags.questions[i]!, flags.split[i] ?? null)),
    ),
  )
).flat();
const trained = train(lessons);
const weights = config === null ? scale(trained) : trained;
const rounded = Object.fromEntries(
  names.map((name, i) => [name, isFree[i] ? Math.round(weights[i]! * 100) / 100 : before.weights[name]]),
);
const note = `bun run train:rerank on ${lessons.length} questions of ${flags.content.length} sets`;
const { trainedBy, nearTrainedBy } = before;
const notes =
  config === null
    ? { trainedBy: note, nearTrainedBy }
    : { trainedBy, nearTrainedBy: `${note}, with ${config.model}` };
const file = join(import.meta.dir, '../../src/asking/search/rerank.json');
writeFileSync(file, `${JSON.stringify({ ...notes, weights: rounded }, null, 2)}\n`);
console.log(rounded);

/** The questions to learn from: those with both candidates that answer and candidates that do not. */
async function prepare(content: string, questions: readonly SetQuestion[]): Promise<readonly Lesson[]> {
  const set = compileSet(content);
  const books = new Map([...set.books].map(([slug, { index }]) => [slug, openIndexFile(index)]));
  const all: Lesson[] = [];
  for (const [slug, file] of books) {
    const its = questions.filter(({ book }) => book === slug);
    const { index, edition } = set.books.get(slug)!;
    const nearOf = config && (await openVectors(config, index, edition.manifest.language));
    const nears = await nearOf?.(its.map(({ question }) => question));
    for (const [n, { question, gold }] of its.entries()) {
      const terms = lookUpTerms(file, askedTerms(question, file.tokenizer));
      const candidates = findCandidates(file, terms, nears?.[n]);
      all.push({
        features: candidates.map(({ features }) => names.map((name) => features[name])),
        hits: candidates.map(({ passage }) => isHit(file.passage(passage), gold)),
      });
    }
  }
  set.close();
  return all.filter(({ hits }) => hits.includes(true) && hits.includes(false));
}

/** Stochastic gradient descent with Adam's steps (Kingma and Ba 2015), the same at every run. */
function train(all: readonly Lesson[]): readonly number[] {
  const size = names.length;
  const random = generator(1);
  const weights = names.map((name, i) => (isFree[i] ? 0 : before.weights[name]));
  const mean = new Float64Array(size);
  const square = new Float64Array(size);
  let step = 0;
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rate = STEP * (1 - epoch / EPOCHS) + LAST_STEP;
    const order = shuffle(all, random);
    for (let from = 0; from < order.length; from += BATCH) {
      const batch = order.slice(from, from + BATCH);
      const slope = new Float64Array(size);
      for (const lesson of batch) addSlope(slope, lesson, weights);
      step++;
      for (let i = 0; i < size; i++) {
        if (!isFree[i]) continue;
        const one = slope[i]! / batch.length + SHRINK * weights[i]!;
        mean[i] = 0.9 * mean[i]! + 0.1 * one;
        square[i] = 0.999 * square[i]! + 0.001 * one * one;
        weights[i]! -=
          (rate * (mean[i]! / (1 - 0.9 ** step))) / (Math.sqrt(square[i]! / (1 - 0.999 ** step)) + 1e-8);
      }
    }
  }
  return weights;
}

/** Scales weights until as many passages as wanted are near the best, by bisection: greater weights leave fewer. */
function scale(weights: readonly number[]): readonly number[] {
  let [low, high] = [0.1, 10];
  while (high - low > 0.001) {
    const factor = (low + high) / 2;
    const near = lessons.map(({ features }) => {
      const scores = scoresOf(features, weights);
      const least = Math.max(...scores) + Math.log(LEAST) / factor;
      return Math.min(MOST, scores.filter((score) => score >= least).length);
    });
    if (near.reduce((sum, one) => sum + one, 0) > EXCERPTS * near.length) low = factor;
    else high = factor;
  }
  return weights.map((one) => one * low);
}

function scoresOf(features: Lesson['features'], weights: readonly number[]): readonly number[] {
  return features.map((one) => one.reduce((sum, value, i) => sum + value * weights[i]!, 0));
}

/** Adds the slope of -log(chance that a candidate which answers is chosen). */
function addSlope(slope: Float64Array, { features, hits }: Lesson, weights: readonly number[]): void {
  const scores = scoresOf(features, weights);
  const top = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - top));
  const all = odds.reduce((sum, one) => sum + one, 0);
  const right = odds.reduce((sum, one, c) => sum + (hits[c] ? one : 0), 0);
  for (const [c, one] of odds.entries()) {
    const pull = one / all - (hits[c] ? one / right : 0);
    for (const [i, value] of features[c]!.entries()) slope[i]! += pull * value;
  }
}

function shuffle<T>(all: readonly T[], random: () => number): readonly T[] {
  return all
    .map((one) => ({ one, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ one }) => one);
}
