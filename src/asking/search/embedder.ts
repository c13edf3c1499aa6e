// A client of https://platform.openai.com/docs/api-reference/embeddings, which Ollama, llama.cpp, LM Studio and vLLM speak.
import { setTimeout as sleep } from 'node:timers/promises';
import { bypassProxy } from '../../platform/config/local-host.ts';
import type { EmbeddingsConfig } from '../../platform/config/embeddings.ts';

type EmbeddingServer = Pick<EmbeddingsConfig, 'url' | 'model' | 'key'>;

/**
 * No usable vectors could be had. The message says why and quotes no text; `status` is that of an answer that refused, else 0;
 * `mayPass` says that trying again may help.
 */
export class EmbeddingFault extends Error {
  constructor(
    message: string,
    readonly status = 0,
    readonly mayPass = false,
  ) {
    super(message);
  }
}

/** The maximum number of bytes read for each text, and of numbers in a vector. */
const MOST_BYTES = 512 * 1024;
const MOST_NUMBERS = 16_384;
const BUSY = [408, 425, 429, 500, 502, 503, 504];

/** Returns the vector of each text, scaled to length 1. Throws an EmbeddingFault; the caller's `signal` limits the time. */
export async function embed(
  { url, model, key }: EmbeddingServer,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  bypassProxy(url);
  try {
    const response = await fetch(`${url}/embeddings`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
      signal,
      redirect: 'error',
    });
    if (response.ok) return vectorsIn(await readBody(response, texts.length * MOST_BYTES), texts.length);
    await response.body?.cancel();
    throw new EmbeddingFault(
      `it answered ${response.status}`,
      response.status,
      BUSY.includes(response.status),
    );
  } catch (error) {
    throw error instanceof EmbeddingFault ? error : faultOf(error);
  }
}

function faultOf(error: unknown): EmbeddingFault {
  // The message of an error may hold an address; its name and code do not.
  const { name, code } = error as { readonly name?: string; readonly code?: unknown };
  if (name === 'TimeoutError') return new EmbeddingFault('it took too long', 0, true);
  if (error instanceof SyntaxError) return new EmbeddingFault('it sent no JSON');
  return new EmbeddingFault(`it cannot be reached (${typeof code === 'string' ? code : name})`, 0, true);
}

async function readBody({ body }: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > most) throw new EmbeddingFault('it sent more than any vector has');
  }
  return Buffer.concat(chunks).toString();
}

function vectorsIn(body: string, count: number): readonly Float32Array[] {
  const { data } = (JSON.parse(body) ?? {}) as { readonly data?: unknown };
  const rows = Array.isArray(data) ? (data as readonly { index?: unknown; embedding?: unknown }[]) : [];
  if (rows.length !== count) throw new EmbeddingFault('it sent no vector for each text');
  const inOrder = rows.every((row) => Number.isInteger(row?.index))
    ? rows.toSorted((a, b) => Number(a.index) - Number(b.index))
    : rows;
  const vectors = inOrder.map((row) => unitVector(row?.embedding));
  if (vectors.some(({ length }) => length !== vectors[0]!.length))
    throw new EmbeddingFault('it sent vectors of different lengths');
  return vectors;
}

function unitVector(numbers: unknown): Float32Array {
  const isVector =
    Array.isArray(numbers) &&
    numbers.length <= MOST_NUMBERS &&
    numbers.every((one) => typeof one === 'number');
  const length = isVector ? Math.hypot(...numbers) : 0;
  if (!(length > 0 && length < Infinity)) throw new EmbeddingFault('it sent what is no vector');
  return Float32Array.from(numbers as number[], (one) => one / length);
}

const TRIES = 3;
const PAUSES = [500, 1500];
/** How long a batch of vectors may take, in milliseconds: without a graphics card, one text may take seconds. */
const LONGEST_BATCH = 120_000;
const TOO_LARGE = [400, 413, 422, 500];
/** The minimum length of a text that is cut in half when the server refuses it. */
const SHORTEST_CUT = 100;

/** Returns the vectors of texts. Asks up to three times; halves a batch that is refused, and drops half of a single text. */
export async function embedBatch(
  server: EmbeddingServer,
  texts: readonly string[],
): Promise<readonly Float32Array[]> {
  for (let n = 0; ; n++)
    try {
      return await embed(server, texts, AbortSignal.timeout(LONGEST_BATCH));
    } catch (error) {
      if (!(error instanceof EmbeddingFault)) throw error;
      if (error.mayPass && n + 1 < TRIES) {
        await sleep(PAUSES[n]);
        continue;
      }
      const [first = ''] = texts;
      if (!TOO_LARGE.includes(error.status) || (texts.length === 1 && first.length < SHORTEST_CUT))
        throw error;
      if (texts.length === 1) return embedBatch(server, [first.slice(0, first.length / 2)]);
      const half = texts.length >> 1;
      const left = await embedBatch(server, texts.slice(0, half));
      return [...left, ...(await embedBatch(server, texts.slice(half)))];
    }
}
