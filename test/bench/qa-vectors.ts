import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddingsConfig } from '../../src/platform/config/embeddings.ts';
import { embedBatch } from '../../src/asking/search/embedder.ts';
import type { Near } from '../../src/asking/search/vectors.ts';
import { buildVectors, loadVectors, nearestPassages } from '../../src/asking/search/vectors.ts';

const BATCH = 32;

/** Makes the vectors of a book's passages, and returns a function that finds those near to questions. */
export async function openVectors(config: EmbeddingsConfig, index: string, language: string | null) {
  const its = { name: 'book', index, file: `${index}.vectors`, config };
  const foreign = join(tmpdir(), `bookstall-foreign-${process.pid}`);
  await buildVectors({ ...its, foreign, language, isDoubted: false, isWhole: true });
  const loaded = loadVectors(its);
  return async (questions: readonly string[]): Promise<readonly Near[]> => {
    const nears: Near[] = [];
    for (let at = 0; at < questions.length; at += BATCH) {
      const texts = questions.slice(at, at + BATCH).map((question) => config.queryPrefix + question);
      nears.push(...(await embedBatch(config, texts)).map((vector) => nearestPassages(loaded, vector)!));
    }
    return nears;
  };
}
