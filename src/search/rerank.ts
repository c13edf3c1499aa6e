import type { FeatureName, Features } from './feature.ts';
import trained from './rerank.json';

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
