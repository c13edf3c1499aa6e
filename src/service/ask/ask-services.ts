import type { Catalog } from '../../catalog/catalog.ts';
import type { Engine } from '../../engines/engine.ts';
import { createExtractive } from '../../engines/extractive.ts';
import type { ModelConfig } from '../../model-config.ts';
import { EXTRACTIVE } from '../../model-engines.ts';
import type { Artefacts } from '../delivery/artefacts.ts';
import { type AskDependencies, createAsk } from './ask.ts';
import { createBookIndexes } from './book-index.ts';
import { createModelQuota } from './model-quota.ts';
import { createRecentContents } from './recent-contents.ts';

type Dependencies = Omit<AskDependencies, 'indexes' | 'readContent' | 'modelQuota' | 'fallback'> & {
  readonly artefacts: Artefacts;
  /** The model that `engine` asks; null without one. */
  readonly model: ModelConfig | null;
  readonly onSwap: (listener: (catalog: Catalog) => void) => void;
};

/** Answers to questions, and the indexes and texts that they are found in. */
export function createAskServices({ artefacts, model, onSwap, ...dependencies }: Dependencies) {
  const indexes = createBookIndexes(artefacts);
  onSwap(indexes.retain);
  const readContent = createRecentContents(artefacts);
  const fallback: Engine | null = model?.fallback === EXTRACTIVE ? createExtractive() : null;
  const modelQuota = model === null ? null : createModelQuota(dependencies.store, model);
  return {
    ask: createAsk({ ...dependencies, indexes, readContent, modelQuota, fallback }),
    indexes,
    readContent,
  };
}
