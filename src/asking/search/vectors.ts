import type { EmbeddingsConfig } from '../../platform/config/embeddings.ts';
import { sha256 } from '../../platform/base/runtime.ts';
import { embedBatch, EmbeddingFault } from './embedder.ts';
import { openIndexFile } from './index-file.sql.ts';
import { type ForeignNearness, openVectorFile, type Stored, type VectorFile } from './vectors.sql.ts';

/** A book's index, the file of its vectors, and the model that makes them. `name` is that of the index. */
export type BookVectors = {
  readonly name: string;
  readonly index: string;
  readonly file: string;
  readonly config: EmbeddingsConfig;
};

export type VectorBuild = BookVectors & {
  /**
   * The file of the vectors of foreign questions (about other things, such as cats) without its ending, and the book's
   * language.
   */
  readonly foreign: string;
  readonly language: string | null;
  /** Whether another model of the same name may have made the vectors, so that one is made again to compare. */
  readonly isDoubted: boolean;
  /** Whether the index has all of the book: then the vectors of other texts can be deleted. */
  readonly isWhole: boolean;
};

/** The vectors of a book in memory, each padded with zeros to a multiple of four numbers. */
export type LoadedVectors = {
  readonly dimension: number;
  readonly scales: Float32Array;
  readonly bytes: Int8Array;
  readonly nearness: ForeignNearness;
};

/**
 * How near a question's vector is to the passages of a book. `nearness` is by the passage's number less 1: 0 is as near as the
 * best passage is to half of the questions about other things, 1 as near as to one in ten of these. `best` has the numbers of
 * the nearest passages, the nearest first.
 */
export type Near = { readonly nearness: Float32Array; readonly best: readonly number[] };

const BATCH = 32;
const MOST_NEAR = 60;
/**
 * A question's numbers are multiplied by this and rounded, so that a sum of 16,384 products with bytes stays a 32-bit integer.
 */
const FINE = 100_000;

const madeBy = ({ model, textPrefix }: EmbeddingsConfig): string => JSON.stringify([1, model, textPrefix]);

/**
 * Embeds the passages of a book whose vectors are not in its file yet, and measures how near foreign questions come. It may be
 * stopped at any time; the next call continues. Throws an EmbeddingFault.
 */
export async function buildVectors(build: VectorBuild): Promise<void> {
  const { name, index, file, config, isWhole, isDoubted } = build;
  const vectors = openVectorFile(file, madeBy(config));
  try {
    const texts = new Map(readTexts(index));
    const [first] = texts;
    if (isDoubted && first !== undefined) {
      const [probe] = await embedBatch(config, [config.textPrefix + first[1]]);
      if (vectors.find(first[0])?.bytes.length !== probe!.length) vectors.empty();
    }
    const known = vectors.keys();
    const missing = [...texts].filter(([key]) => !known.has(key));
    await addVectors(vectors, missing, config, config.textPrefix);
    if (isWhole && missing.length > 0) vectors.remove([...known].filter((key) => !texts.has(key)));
    const measured = nearnessName(name, config);
    if (vectors.nearness(measured) !== null) return;
    const { dimension, ...loaded } = readVectors(index, vectors);
    const nearest = await foreignVectors(build, dimension);
    const best = nearest.map((one) =>
      cosines({ dimension, ...loaded }, one).reduce((a, b) => Math.max(a, b), -1),
    );
    best.sort((a, b) => a - b);
    vectors.setNearness(measured, {
      half: best[Math.floor(best.length / 2)]!,
      most: best[Math.floor(0.9 * best.length)]!,
    });
  } finally {
    vectors.close();
  }
}

async function addVectors(
  file: VectorFile,
  missing: readonly (readonly [key: string, text: string])[],
  config: EmbeddingsConfig,
  prefix: string,
): Promise<void> {
  for (let at = 0; at < missing.length; at += BATCH) {
    const batch = missing.slice(at, at + BATCH);
    const vectors = await embedBatch(
      config,
      batch.map(([, text]) => prefix + text),
    );
    file.add(batch.map(([key], n) => [key, toBytes(vectors[n]!)]));
  }
}

async function foreignVectors(
  { foreign: file, language, config }: VectorBuild,
  dimension: number,
): Promise<readonly Float32Array[]> {
  // Loaded here, since no command needs them, nor a server without a model.
  const { default: foreign } = await import('./foreign-questions.json');
  const [tag = 'en'] = (language ?? 'en').toLowerCase().split('-');
  const known = tag in foreign ? (tag as keyof typeof foreign) : 'en';
  const vectors = openVectorFile(
    `${file}-${known}.vectors`,
    JSON.stringify([madeBy(config), config.queryPrefix, dimension]),
  );
  try {
    const asked = foreign[known].map((question) => [sha256(question), question] as const);
    const have = vectors.keys();
    await addVectors(
      vectors,
      asked.filter(([key]) => !have.has(key)),
      config,
      config.queryPrefix,
    );
    return asked.map(([key]) => {
      const { scale, bytes } = vectors.find(key)!;
      return Float32Array.from(bytes, (byte) => byte * scale);
    });
  } finally {
    vectors.close();
  }
}

/** Yields the passages as they are embedded, each with a hash of heading and text as its key. */
function* readTexts(index: string): Generator<readonly [key: string, text: string]> {
  const file = openIndexFile(index);
  try {
    for (let n = 1; n <= file.total; n++) {
      const { heading, plain, text } = file.passage(n);
      const whole = `${heading}\n${plain ?? text}`;
      yield [sha256(whole), whole];
    }
  } finally {
    file.close();
  }
}

const nearnessName = (name: string, { queryPrefix }: EmbeddingsConfig): string => `${name} ${queryPrefix}`;

/** Reads the vectors of an index; throws an EmbeddingFault if one is missing or has another length. */
export function loadVectors({ name, index, file, config }: BookVectors): LoadedVectors {
  const vectors = openVectorFile(file, madeBy(config));
  try {
    const nearness = vectors.nearness(nearnessName(name, config));
    if (nearness === null) throw new EmbeddingFault('the vectors of this book are made again');
    return { ...readVectors(index, vectors), nearness };
  } finally {
    vectors.close();
  }
}

function readVectors(index: string, vectors: VectorFile): Omit<LoadedVectors, 'nearness'> {
  const stored = Array.from(readTexts(index), ([key]) => vectors.find(key));
  const dimension = stored[0]?.bytes.length ?? 0;
  const bytes = new Int8Array(stored.length * filled(dimension));
  for (const [n, one] of stored.entries()) {
    if (one?.bytes.length !== dimension) {
      if (one !== null) vectors.empty();
      throw new EmbeddingFault('it changed the length of its vectors');
    }
    bytes.set(one.bytes, n * filled(dimension));
  }
  return { dimension, bytes, scales: Float32Array.from(stored, (one) => one!.scale) };
}

function toBytes(vector: Float32Array): Stored {
  const scale = vector.reduce((most, one) => Math.max(most, Math.abs(one)), 0) / 127;
  return { scale, bytes: Int8Array.from(vector, (one) => Math.round(one / scale)) };
}

/** Returns how near a question's vector is to each passage, and the nearest passages; null if its length is another. */
export function nearestPassages(loaded: LoadedVectors, vector: Float32Array): Near | null {
  if (vector.length !== loaded.dimension) return null;
  const { half, most } = loaded.nearness;
  const near = cosines(loaded, vector).map((cosine) => (cosine - half) / Math.max(0.001, most - half));
  const best: number[] = [];
  for (let n = 0; n < near.length; n++) {
    if (best.length === MOST_NEAR && near[n]! <= near[best.at(-1)!]!) continue;
    const at = best.findIndex((other) => near[other]! < near[n]!);
    best.splice(at < 0 ? best.length : at, 0, n);
    if (best.length > MOST_NEAR) best.pop();
  }
  return { nearness: near, best: best.map((n) => n + 1) };
}

function cosines(
  { dimension, bytes, scales }: Omit<LoadedVectors, 'nearness'>,
  vector: Float32Array,
): Float32Array {
  const width = filled(dimension);
  const rounded = new Int32Array(width);
  rounded.set(vector.map((one) => Math.round(one * FINE)));
  const found = new Float32Array(scales.length);
  // Four sums side by side take half the time of one.
  for (let passage = 0, at = 0; passage < found.length; passage++) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let i = 0; i < width; i += 4, at += 4) {
      a = (a + Math.imul(rounded[i]!, bytes[at]!)) | 0;
      b = (b + Math.imul(rounded[i + 1]!, bytes[at + 1]!)) | 0;
      c = (c + Math.imul(rounded[i + 2]!, bytes[at + 2]!)) | 0;
      d = (d + Math.imul(rounded[i + 3]!, bytes[at + 3]!)) | 0;
    }
    found[passage] = ((a + b + c + d) * scales[passage]!) / FINE;
  }
  return found;
}

const filled = (dimension: number): number => Math.ceil(dimension / 4) * 4;
