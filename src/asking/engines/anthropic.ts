import { DAY } from '../../platform/base/duration.ts';
import type { ModelConfig } from '../../platform/config/model.ts';
import { citedPrompt, type PromptSource } from '../prompt.rule.ts';
import { type AnswerPiece, citationOf, type Dialect, type OpenAnswerParser } from './answer-filter.ts';
import { type Post, readErrorBody } from './model-request.ts';
import { narrowQuote } from '../best-quote.rule.ts';
import { type AnswerSegment, createQuoteScanner } from '../quote-scanner.rule.ts';
import { createPlainText } from './plain-text.ts';
import { createQuoteVerifier, MOST_QUOTES } from './quote-verifier.ts';
import type { Location } from './message-stream.ts';

/** The maximum number of tokens of an answer: its text, and the model's thinking, which counts as output. */
const ANSWER_TOKENS = 8192;

/** Makes the dialect of Anthropic's API: with the API's own citations and prompt cache, and without sampling parameters. */
export const anthropicDialect = (config: ModelConfig): Dialect => ({
  answerTokens: ANSWER_TOKENS,
  passages: { most: 60, tokens: 16_000 },
  post: openPost(config),
  prompt: citedPrompt,
  body({ system, content }, tokens) {
    const messages = [{ role: 'user', content }];
    return { model: config.model, max_tokens: tokens, stream: true, system, messages };
  },
  openParser: citationParser,
});

/**
 * Makes the function that sends a request with Anthropic's SDK. Loads the SDK at the first question. It does not retry, and
 * environment variables have no effect on it.
 */
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
      // Reads only the beginning of an error's body, which the SDK would read to its end.
      return response.ok ? response : new Response(await readErrorBody(response), response);
    },
  });
  return { messages: client.messages, APIError };
}

// The SDK (1.11.0) reads headers from ANTHROPIC_CUSTOM_HEADERS whatever its options; these could even change the key.
const ALLOWED = /^(?:accept|content-type|user-agent|anthropic-version|x-stainless-[a-z-]+)$/;

function allowedHeaders(given: RequestInit['headers'], key: string | null): Headers {
  const allowed = new Headers();
  for (const [name, value] of new Headers(given)) if (ALLOWED.test(name)) allowed.set(name, value);
  if (key !== null) allowed.set('authorization', `Bearer ${key}`);
  return allowed;
}

const MOST_LOCATIONS = 100;
/** How many characters at the end of a block are compared with the cited paragraph. */
const LONGEST_CLAIM = 4000;

/**
 * Parses an answer whose blocks of text each cite paragraphs by number. Narrows each citation to the paragraph's sentences
 * closest to the block's text. Holds back a quotation until its block ends; then shows the book's own words instead, or, if the
 * book lacks them, the quotation without its marks.
 */
export const citationParser: OpenAnswerParser = (sources, isWholeBook) => {
  const verify = createQuoteVerifier();
  const plain = createPlainText(Math.max(sources.length, MOST_QUOTES));
  let scanner = createQuoteScanner();
  let claim = '';
  let waiting: AnswerSegment[] = [];
  let locations: Location[] = [];
  let left = MOST_LOCATIONS;

  const sourcesAt = ({ source, start, end }: Location): readonly PromptSource[] =>
    // A whole book is one document with a block for each paragraph; a search result has one block, its passage.
    isWholeBook
      ? source === 0
        ? sources.slice(start, Math.min(end, start + 3))
        : []
      : sources.slice(source, source + 1);

  const hear = (segments: readonly AnswerSegment[]): readonly AnswerPiece[] =>
    segments.flatMap((segment) => {
      if (waiting.length > 0 || segment.type === 'quote') waiting.push(segment);
      return waiting.length > 0 || segment.type === 'quote' ? [] : plain.push(segment.text);
    });

  const blockEnd = (): readonly AnswerPiece[] => {
    const begun = hear(scanner.end());
    const cited = [...new Set(locations.flatMap(sourcesAt))];
    const quoted = new Set<PromptSource>();
    const shown = waiting.flatMap((segment): readonly AnswerPiece[] => {
      if (segment.type === 'text') return plain.push(segment.text);
      const found = verify(segment.quote, cited.length > 0 ? cited : sources);
      if (found !== null && found.cite !== null) quoted.add(found.source);
      return plain.quote(segment, found);
    });
    const cites = cited
      .filter((source) => !quoted.has(source))
      .map((source) => {
        const { start, end } = narrowQuote(source.text, claim.slice(-LONGEST_CLAIM));
        return citationOf(source, start, end);
      });
    const rest = cites.length > 0 ? plain.flush() : [];
    scanner = createQuoteScanner();
    [claim, waiting, locations] = ['', [], []];
    return [...begun, ...shown, ...rest, ...cites];
  };

  return {
    text(text) {
      claim += text;
      return hear(scanner.push(text));
    },
    location(location) {
      if (left-- > 0) locations.push(location);
    },
    blockEnd,
    end: () => [...blockEnd(), ...plain.flush()],
  };
};
