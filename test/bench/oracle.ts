// A server of /v1/embeddings in this process whose vectors are drawn at random by text, but that those of questions can be
// brought near to texts: the best and the worst that a model could be.
import { generator } from './qa-random.ts';

const DIMENSION = 768;
/** How much of a question's vector is that of its texts; the rest is drawn. */
const SHARE = 0.5;

export function openOracle() {
  const known = new Map<string, Float32Array>();
  const toTexts = new Map<string, readonly string[]>();
  const drawn = (text: string): Float32Array =>
    known.getOrInsertComputed(text, () => {
      const random = generator(Bun.hash.crc32(text));
      const numbers = Float32Array.from({ length: DIMENSION }, () => random() + random() + random() - 1.5);
      return scaled(numbers, 1);
    });
  const vectorOf = (text: string): Float32Array => {
    const texts = toTexts.get(text) ?? [];
    if (texts.length === 0) return drawn(text);
    const sum = scaled(
      texts.map(drawn).reduce((a, b) => a.map((one, i) => one + b[i]!)),
      SHARE,
    );
    const noise = scaled(drawn(text), Math.sqrt(1 - SHARE ** 2));
    return sum.map((one, i) => one + noise[i]!);
  };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { input } = (await request.json()) as { readonly input: readonly string[] };
      return Response.json({
        data: input.map((text, index) => ({ index, embedding: Array.from(vectorOf(text)) })),
      });
    },
  });
  server.unref();
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    /** Brings the vector of a question near to texts; without texts it is drawn like any other. */
    aim: (question: string, texts: readonly string[]): void => void toTexts.set(question, texts),
    close: (): void => void server.stop(true),
  };
}

function scaled(numbers: Float32Array, length: number): Float32Array {
  const factor = length / Math.hypot(...numbers);
  return numbers.map((one) => one * factor);
}
