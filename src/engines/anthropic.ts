import type { ModelConfig } from '../model-config.ts';
import { citedPrompt } from '../passages/prompt/prompt.ts';
import { type Post, readRefusal } from './model-request.ts';
import { citationParser } from './citation-parser.ts';
import type { Dialect } from './model.ts';

/** Thinking counts as output: room for it and the answer. */
const ANSWER_TOKENS = 8192;

/** Talks to Anthropic: its own citations, the book cached between questions, no sampling parameters. */
export function anthropicDialect(config: ModelConfig): Dialect {
  return {
    answerTokens: ANSWER_TOKENS,
    post: openPost(config),
    body(brief) {
      const { system, content } = citedPrompt(brief);
      const messages = [{ role: 'user', content }];
      return { model: config.model, max_tokens: ANSWER_TOKENS, stream: true, system, messages };
    },
    parser: citationParser,
  };
}

/** The SDK sends the request, and no more: it is loaded at the first question, retries nothing and reads no environment. */
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
    timeout: 24 * 60 * 60 * 1000,
    async fetch(target, init) {
      const headers = ownHeaders(init?.headers, key);
      const response = await fetch(target, { ...init, headers, redirect: 'error' });
      // The SDK would read a refusal to its end.
      return response.ok ? response : new Response(await readRefusal(response), response);
    },
  });
  return { messages: client.messages, APIError };
}

// ANTHROPIC_CUSTOM_HEADERS is read whatever the client is given (1.11.0), and could even change the key.
const KNOWN = /^(?:accept|content-type|user-agent|anthropic-version|x-stainless-[a-z-]+)$/;

function ownHeaders(given: RequestInit['headers'], key: string | null): Headers {
  const own = new Headers();
  for (const [name, value] of new Headers(given)) if (KNOWN.test(name)) own.set(name, value);
  if (key !== null) own.set('authorization', `Bearer ${key}`);
  return own;
}
