import type { ModelConfig } from '../../platform/config/model.ts';
import { quotedPrompt, type PromptSource } from '../prompt.rule.ts';
import type { AnswerPiece, Dialect, OpenAnswerParser } from './answer-filter.ts';
import type { Post } from './model-request.ts';
import { type AnswerSegment, createQuoteScanner } from '../quote-scanner.rule.ts';
import { createPlainText } from './plain-text.ts';
import { createQuoteVerifier, MOST_QUOTES } from './quote-verifier.ts';

const VERSION = '2023-06-01';

export function compatDialect(config: ModelConfig): Dialect {
  const { model, contextTokens } = config;
  const isChat = config.protocol === 'chat';
  return {
    answerTokens: Math.min(2048, Math.floor(contextTokens / 4)),
    // One of the best twenty passages has the answer to 97 of 100 questions; more passages harm a small model more than they
    // help.
    passages: { most: 24, tokens: 8000 },
    post: isChat ? withUsage(openPost(config, '/v1/chat/completions')) : openPost(config, '/v1/messages'),
    prompt: quotedPrompt,
    body({ system, content }, tokens) {
      const request = { model, max_tokens: tokens, temperature: 0, stream: true };
      const user = { role: 'user', content };
      if (!isChat) return { ...request, system, messages: [user] };
      const text = content.map((block) => block.text).join('\n\n');
      const rules = { role: 'system', content: system };
      return { ...request, messages: [rules, { ...user, content: text }] };
    },
    openParser: quoteParser,
  };
}

/** Wraps `post` to ask chat completions to count their tokens. Stops asking once a server accepts a request only without it. */
function withUsage(post: Post): Post {
  let isRefused = false;
  return async (body, signal) => {
    if (isRefused) return post(body, signal);
    const counted = await post({ ...(body as object), stream_options: { include_usage: true } }, signal);
    if (counted.status !== 400 && counted.status !== 422) return counted;
    await counted.body?.cancel();
    const uncounted = await post(body, signal);
    isRefused = uncounted.ok;
    return uncounted;
  };
}

function openPost({ url, key }: ModelConfig, path: string): Post {
  // Servers differ in which of these two headers they read.
  const secret: Record<string, string> =
    key === null ? {} : { 'x-api-key': key, authorization: `Bearer ${key}` };
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'anthropic-version': VERSION,
    ...secret,
  };
  return (body, signal) =>
    fetch(url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
      redirect: 'error',
    });
}

/**
 * Parses an answer with quotations. Shows the book's own words instead of a quotation that is found in the book, and cites
 * them; removes the marks of any other quotation.
 */
export const quoteParser: OpenAnswerParser = (sources) => {
  const scanner = createQuoteScanner();
  const verify = createQuoteVerifier();
  const plain = createPlainText(Math.max(sources.length, MOST_QUOTES));

  const show = (segment: AnswerSegment): readonly AnswerPiece[] => {
    if (segment.type === 'text') return plain.push(segment.text);
    return plain.quote(segment, verify(segment.quote, sourcesFrom(sources, segment.number)));
  };

  return {
    text: (text) => scanner.push(text).flatMap(show),
    location: () => {},
    blockEnd: () => [],
    end: () => [...scanner.end().flatMap(show), ...plain.flush()],
  };
};

function* sourcesFrom(sources: readonly PromptSource[], number: number | null): Generator<PromptSource> {
  const named = number === null ? undefined : sources[number - 1];
  if (named !== undefined) yield named;
  for (const source of sources) if (source !== named) yield source;
}
