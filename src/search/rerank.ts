import type { FeatureName, Features } from './feature.ts';
import trained from './rerank.json';

/** Weights by feature, made by `bun run train:rerank`. */
const WEIGHTS: Readonly<Record<FeatureName, number>> = trained.weights;

const NAMES = Object.keys(WEIGHTS) as readonly FeatureName[];

/**
 * A candidate's log-odds: the softmax of these over the candidates of a question is the chance of each to answer it,
 * as far as the training questions tell.
 */
export function judge(features: Features): number {
  return NAMES.reduce((sum, name) => sum + WEIGHTS[name] * features[name], 0);
}
