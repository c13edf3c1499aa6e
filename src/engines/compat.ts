import type { ModelConfig } from '../model-config.ts';
import { quotedPrompt } from '../passages/prompt/prompt.ts';
import type { Dialect } from './dialect.ts';
import { messageStream } from './message-stream.ts';
import type { Post } from './model-post.ts';
import { quoteParser } from './quote-parser.ts';

/** The version that compatible servers were written for. */
const VERSION = '2023-06-01';

/** Any server that speaks the Messages API (llama.cpp, Ollama, vLLM, LM Studio). It is sent text blocks only. */
export function compatDialect(config: ModelConfig): Dialect {
  const { model, contextTokens } = config;
  const answerTokens = Math.min(2048, Math.floor(contextTokens / 4));
  return {
    answerTokens,
    post: openPost(config),
    body(brief) {
      const { system, content } = quotedPrompt(brief);
      const messages = [{ role: 'user', content }];
      return { model, max_tokens: answerTokens, temperature: 0, stream: true, system, messages };
    },
    format: messageStream,
    openParser: quoteParser,
    mayShowReasoning: true,
  };
}

function openPost({ url, key }: ModelConfig): Post {
  // Some servers read one of these headers, some the other.
  const secret: Record<string, string> =
    key === null ? {} : { 'x-api-key': key, authorization: `Bearer ${key}` };
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'anthropic-version': VERSION,
    ...secret,
  };
  return (body, signal) =>
    fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
      redirect: 'error',
    });
}
