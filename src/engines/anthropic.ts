import { DAY } from '../duration.ts';
import type { ModelConfig } from '../model-config.ts';
import { citedPrompt } from '../passages/prompt/prompt.ts';
import { citationParser } from './citation-parser.ts';
import type { Dialect } from './dialect.ts';
import { messageStream } from './message-stream.ts';
import { type Post, readErrorBody } from './model-post.ts';

/** Room for thinking, which counts as output, and for the answer. */
const ANSWER_TOKENS = 8192;

/** Anthropic's API: its own citations, the book cached between questions, no sampling parameters. */
export function anthropicDialect(config: ModelConfig): Dialect {
  return {
    answerTokens: ANSWER_TOKENS,
    post: openPost(config),
    body(brief) {
      const { system, content } = citedPrompt(brief);
      const messages = [{ role: 'user', content }];
      return { model: config.model, max_tokens: ANSWER_TOKENS, stream: true, system, messages };
    },
    format: messageStream,
    openParser: citationParser,
    mayShowReasoning: false,
  };
}

/** The SDK only sends the request. It is loaded at the first question, does not retry and reads no environment variables. */
function openPost(config: ModelConfig): Post {
  let client: ReturnType<typeof openClient> | null = null;
  return async (body, signal) => {
    const { messages, APIError } = await (client ??= openClient(config));
    try {
      return await messages.create(body as Parameters<typeof messages.create>[0], { signal }).asResponse();
    } catch (error) {
      if (!(error instanceof APIError) || error.status === undefined)
        throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return new Response(JSON.stringify({ error: { type: error.type } }), {
        status: error.status,
        headers: error.headers ?? {},
      });
    }
  };
}

async function openClient({ url, key }: ModelConfig) {
  const { default: Anthropic, APIError } = await import('@anthropic-ai/sdk');
  const client = new Anthropic({
    apiKey: key,
    authToken: null,
    baseURL: url,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    timeout: DAY,
    async fetch(target, init) {
      const headers = allowedHeaders(init?.headers, key);
      const response = await fetch(target, { ...init, headers, redirect: 'error' });
      // The SDK would read an error's body to its end.
      return response.ok ? response : new Response(await readErrorBody(response), response);
    },
  });
  return { messages: client.messages, APIError };
}

// The SDK reads ANTHROPIC_CUSTOM_HEADERS whatever its options (1.11.0), and they could even change the key.
const ALLOWED = /^(?:accept|content-type|user-agent|anthropic-version|x-stainless-[a-z-]+)$/;

function allowedHeaders(given: RequestInit['headers'], key: string | null): Headers {
  const allowed = new Headers();
  for (const [name, value] of new Headers(given)) if (ALLOWED.test(name)) allowed.set(name, value);
  if (key !== null) allowed.set('authorization', `Bearer ${key}`);
  return allowed;
}
