// A scripted server of /v1/embeddings, over real sockets: https://platform.openai.com/docs/api-reference/embeddings
import { afterAll } from 'bun:test';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EmbeddingsConfig } from '../../src/platform/config/embeddings.ts';

type Request = { readonly path: string; readonly key: string | undefined; readonly input: readonly string[] };
type Script = (response: ServerResponse, request: Request) => void;

export const DIMENSION = 64;

/** Returns a vector that differs for each text, but is near that of others about the same topic. */
export function vectorOf(text: string, topics: readonly RegExp[], dimension = DIMENSION): readonly number[] {
  const noise = Array.from(
    { length: dimension },
    (_, n) => (Bun.hash.crc32(`${n} ${text}`) / 2 ** 32 - 0.5) / Math.sqrt(dimension),
  );
  return noise.map((one, n) => (topics[n]?.test(text) ? one + 4 : one));
}

export const sendVectors = (response: ServerResponse, vectors: readonly unknown[]): void =>
  send(response, 200, {
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  });

export function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Opens the server on a free port of 127.0.0.1; it ends with the file's tests. Without a script it sends right vectors. */
export async function openEmbeddings(topics: readonly RegExp[] = []) {
  const right: Script = (response, { input }) =>
    sendVectors(
      response,
      input.map((text) => vectorOf(text, topics)),
    );
  let script = right;
  const received: Request[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then(({ input }) => {
      const one = { path: request.url ?? '', key: request.headers.authorization, input };
      received.push(one);
      script(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    url,
    received,
    right,
    config: (more: Partial<EmbeddingsConfig> = {}): EmbeddingsConfig => ({
      url,
      model: 'script-1',
      key: 'sk-very-secret-key',
      queryPrefix: 'query: ',
      textPrefix: 'text: ',
      timeout: 3000,
      ...more,
    }),
    play(next: Script = right): void {
      received.length = 0;
      script = next;
    },
  };
}

async function readBody(request: IncomingMessage): Promise<{ readonly input: readonly string[] }> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text) as { readonly input: readonly string[] };
}
