import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { artefactFile, type IndexKind } from '../catalog/artefact.ts';
import { type Edition, nameOf } from '../catalog/catalog.ts';
import { createKept } from '../platform/base/cache.ts';
import { singleFlight } from '../platform/base/chores.ts';
import { DAY, MINUTE, SECOND } from '../platform/base/duration.ts';
import { messageOf } from '../platform/base/refusal.ts';
import { sha256, workerUrl } from '../platform/base/runtime.ts';
import { createJobQueue } from '../platform/base/worker-queue.ts';
import type { EmbeddingsConfig } from '../platform/config/embeddings.ts';
import { embed, EmbeddingFault } from './search/embedder.ts';
import type { BookVectors as Vectors, Near } from './search/vectors.ts';
import type { VectorJob } from './search/vectors.worker.ts';
import type { Stall } from './stall.ts';

const KINDS: readonly IndexKind[] = ['index', 'sample'];
/**
 * Vectors of books outside the catalog are deleted when they have not changed for this long; a failed build is tried again
 * after RETRY. Both are in milliseconds.
 */
const OUTLIVES = 30 * DAY;
const RETRY = 10 * MINUTE;
/** How long the embedding server is not asked after a failure, in milliseconds; meanwhile, words alone find passages. */
const REST = 5000;
const MOST_KEPT = 500;
/** How long the Worker that finds passages lives without a question, in milliseconds. */
const TIMES = { limit: Infinity, idle: 10 * MINUTE };

const startWorker = (): Worker => new Worker(workerUrl('asking/search/vectors.worker'));

export const vectorFile = (dataDirectory: string, edition: Pick<Edition, 'manifest'>): string =>
  join(dataDirectory, 'vectors', `${sha256(nameOf(edition))}.vectors`);

type Given = Pick<Stall, 'config' | 'catalog' | 'log' | 'now'>;

/** Makes the vectors of all books in the background, and finds passages by them. Does nothing without an embedding model. */
export function createBookVectors({ config, catalog, log, now }: Given) {
  const { data: dataDirectory, embeddings } = config;
  const [building, finding] = [
    createJobQueue(startWorker, { limit: Infinity, idle: SECOND }),
    createJobQueue(startWorker, TIMES),
  ];
  const asked = createKept<Promise<Float32Array>>(MOST_KEPT);
  /** The names of the indexes whose passages all have vectors. */
  const whole = new Set<string>();
  /** The names of the indexes whose vectors could not be read, or have another length than a question's. */
  const doubted = new Set<string>();
  let [questions, byWords, restUntil] = [0, 0, 0];
  let fault: string | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  const fail = (cause: unknown, event: string, message: string): void => {
    fault = messageOf(cause);
    log({ event, message, cause: fault });
  };
  const vectorsOf = (edition: Edition, kind: IndexKind, embeddings: EmbeddingsConfig): Vectors => {
    const { name } = edition.artefacts[kind]!;
    const index = artefactFile(dataDirectory, { kind, name });
    return { name, index, file: vectorFile(dataDirectory, edition), config: embeddings };
  };

  const build = async (): Promise<void> => {
    clearTimeout(retry);
    if (embeddings === null) return;
    for (const edition of catalog().editions)
      for (const kind of KINDS) {
        const name = edition.artefacts[kind]?.name;
        if (isClosed || name === undefined || whole.has(name)) continue;
        const job: VectorJob = {
          task: 'build',
          ...vectorsOf(edition, kind, embeddings),
          foreign: join(dataDirectory, 'vectors', 'foreign'),
          language: edition.manifest.language,
          isDoubted: doubted.delete(name),
          isWhole: kind === 'index',
        };
        try {
          await building.run(job);
          whole.add(name);
          fault = null;
        } catch (error) {
          const { slug } = edition.manifest;
          fail(error, 'embeddings-failed', `Cannot embed the passages of "${slug}"`);
          retry = setTimeout(() => void flight.call(), RETRY).unref();
        }
      }
    forget(
      dataDirectory,
      catalog().editions.map((edition) => vectorFile(dataDirectory, edition)),
      now(),
    );
  };
  const flight = singleFlight(build);

  /** Returns a question's vector, cached by the question's hash. For REST after a failed request, throws at once instead. */
  const vectorOf = (embeddings: EmbeddingsConfig, question: string): Promise<Float32Array> => {
    const key = sha256(question);
    const known = asked.get(key);
    if (known !== undefined) return known;
    if (now() < restUntil) throw new EmbeddingFault(fault ?? 'it failed');
    const text = embeddings.queryPrefix + question;
    const vector = embed(embeddings, [text], AbortSignal.timeout(embeddings.timeout)).then(([one]) => one!);
    vector.catch(() => {
      asked.drop(key);
      restUntil = now() + REST;
    });
    return asked.set(key, vector);
  };

  return {
    /** Makes the vectors that are missing. Resolves when those of each book are made or have failed. */
    build: flight.call,
    /**
     * Finds the passages near a question in a book's index. Null without an embedding model, until the book's vectors are made,
     * and after a failure; `report` counts the failures as `byWords`.
     */
    async near(edition: Edition, kind: IndexKind, question: string): Promise<Near | null> {
      const name = edition.artefacts[kind]?.name;
      if (embeddings === null || name === undefined || !whole.has(name)) return null;
      questions++;
      try {
        const vector = await vectorOf(embeddings, question);
        const job: VectorJob = { task: 'find', vector, ...vectorsOf(edition, kind, embeddings) };
        // The first question to a long book loads its vectors. If that takes too long, words alone answer it.
        const found = finding.run(job).catch(() => null) as Promise<Near | null>;
        const near = await Promise.race([found, Bun.sleep(embeddings.timeout)]);
        if (near === undefined) throw new EmbeddingFault('the vectors are read too slowly');
        if (near === null) {
          doubted.add(name);
          whole.delete(name);
          void flight.call();
          throw new EmbeddingFault('its vectors do not fit those of the book');
        }
        fault = null;
        return near;
      } catch (error) {
        byWords++;
        fail(error, 'embeddings-failed', 'A question is answered by words alone');
        return null;
      }
    },
    /**
     * Reports how many of all books have vectors, how many searches by vectors were tried and failed (`byWords`), and why the
     * last build or search failed; null if it did not.
     */
    report() {
      const indexes = catalog().editions.flatMap(({ artefacts: { index } }) => index?.name ?? []);
      return {
        books: indexes.length,
        embedded: indexes.filter((name) => whole.has(name)).length,
        questions,
        byWords,
        fault,
      };
    },
    close(): void {
      isClosed = true;
      clearTimeout(retry);
      building.close();
      finding.close();
    },
  };
}

/** Deletes old vectors of books that are not in the catalog. */
function forget(dataDirectory: string, kept: readonly string[], at: number): void {
  const folder = join(dataDirectory, 'vectors');
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const file = join(folder, name);
    const isOld = !name.startsWith('foreign') && statSync(file).mtimeMs + OUTLIVES < at;
    if (isOld && !kept.includes(file)) rmSync(file);
  }
}

export type BookVectors = ReturnType<typeof createBookVectors>;
