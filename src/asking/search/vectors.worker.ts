/** Runs in two Workers that `book-vectors.ts` starts: one makes the vectors of books, the other finds the nearest passages. */
import { createKept } from '../../platform/base/cache.ts';
import { messageOf } from '../../platform/base/refusal.ts';
import {
  type BookVectors,
  buildVectors,
  type LoadedVectors,
  loadVectors,
  nearestPassages,
  type VectorBuild,
} from './vectors.ts';

export type VectorJob =
  | ({ readonly task: 'build' } & VectorBuild)
  | ({ readonly task: 'find'; readonly vector: Float32Array } & BookVectors);

declare const self: Worker;

/** The maximum size of vectors in memory, in bytes; those of the books asked last stay. */
const MOST_BYTES = 200 * 1024 ** 2;

const loaded = createKept<LoadedVectors>(
  MOST_BYTES,
  ({ bytes, scales }) => bytes.byteLength + scales.byteLength,
);

self.onmessage = async ({ data }: MessageEvent<VectorJob>) => {
  try {
    self.postMessage({ result: await work(data) });
  } catch (error) {
    self.postMessage({ error: messageOf(error) });
  }
};

async function work(job: VectorJob) {
  if (job.task === 'build') return buildVectors(job);
  const key = JSON.stringify([job.name, job.config]);
  const near = nearestPassages(loaded.get(key) ?? loaded.set(key, loadVectors(job)), job.vector);
  // The caller has the vectors made again then.
  if (near === null) loaded.drop(key);
  return near;
}

self.postMessage('ready');
