import { embed, EmbeddingFault } from '../../asking/search/embedder.ts';
import { fail, ok, type Result, type Subject, warn } from './subject.ts';

/** How long the doctor waits for a vector, in milliseconds: the server may load its model first. */
const PATIENCE = 30_000;
const REMEDY = 'Look whether the server runs and has the model, then at BOOKSTALL_EMBEDDINGS and the like';

/** Checks that the embedding model answers. The command asks it; the office looks at the server's last searches instead. */
export async function examineEmbeddings({ config, vectors }: Subject): Promise<Result> {
  const { embeddings } = config;
  if (embeddings === null) return ok('Passages are found by words; no embedding model is asked');
  const named = `the model "${embeddings.model}" at ${embeddings.url}`;
  const sent = 'All texts, private and paid ones too, are sent there';
  if (vectors !== null) {
    const { books, embedded, questions, byWords, fault } = vectors;
    const counts = `${embedded} of ${books} books are embedded, ${byWords} of ${questions} searches were by words alone`;
    return fault === null
      ? ok(`Passages are found by ${named}: ${counts}. ${sent}`)
      : warn(`Cannot ask ${named}: ${fault}; ${counts}`, REMEDY);
  }
  const began = performance.now();
  try {
    const [vector] = await embed(
      embeddings,
      [embeddings.queryPrefix + 'heron'],
      AbortSignal.timeout(PATIENCE),
    );
    const took = Math.round(performance.now() - began);
    const told = `Within ${took} ms ${named} gave a vector of ${vector!.length} numbers. ${sent}`;
    if (took <= embeddings.timeout) return ok(told);
    return warn(
      told,
      `Questions wait ${embeddings.timeout} ms: set BOOKSTALL_EMBEDDINGS_TIMEOUT, or ask again`,
    );
  } catch (error) {
    if (!(error instanceof EmbeddingFault)) throw error;
    return fail(`Cannot ask ${named}: ${error.message}`, REMEDY);
  }
}
