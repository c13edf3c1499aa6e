import type { ModelConfig } from '../../platform/config/model.ts';
import type { Log } from '../../platform/base/log.ts';
import { createReasoningFilter } from '../model-output.rule.ts';
import { chooseHeadings, lookUpPrompt, type Prompt } from '../prompt.rule.ts';
import { estimateTokens } from '../split.rule.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import type { Dialect } from './answer-filter.ts';
import type { Question, TokenCount } from './engine.ts';
import { requestModel, type RequestSlots } from './model-request.ts';
import { createTokenCount } from './token-count.ts';

export type AskedModel = {
  readonly config: ModelConfig;
  readonly dialect: Dialect;
  readonly log: Log;
  readonly slots: RequestSlots;
  readonly seed: () => string;
  readonly now: () => number;
};

const MOST_TOKENS = 200;
const LONGEST_REPLY = 2400;
const MOST_HEADINGS = 1500;
/** The share of the context window that a prompt may fill; it is below 1 since token counts are estimates. */
export const MARGIN = 0.75;
/** The maximum time for a look-up, in milliseconds; it may also take at most a third of the timeout for a first byte. */
const LONGEST_WAIT = 20_000;
const WORD = /[\p{L}\p{N}]/u;
const NO_TOKENS: TokenCount = { inputTokens: 0, outputTokens: 0 };

/**
 * Asks a model for search words, and finds passages with these and the question's own words. `found` is null if look-ups are
 * off, or if this one fails, is slow or gives no words. If the prompt can have the whole book, looks up only a question that
 * may refer to earlier ones.
 */
export async function lookUp(model: AskedModel, question: Question, hasWholeBook: boolean) {
  const { config, seed } = model;
  const { query, book, lookUp: given } = question;
  const notLookedUp = { found: null, spent: NO_TOKENS };
  if (!config.lookUp || !given || (hasWholeBook && given.history.length === 0)) return notLookedUp;
  const brief = { book, headings: [], history: given.history, query, seed: seed() };
  const left = config.contextTokens * MARGIN - MOST_TOKENS - tokensOf(lookUpPrompt(brief));
  if (left < 0) return notLookedUp;
  const headings = chooseHeadings(await given.headings(), Math.min(MOST_HEADINGS, left));
  const { words, spent } = await requestWords(model, question, lookUpPrompt({ ...brief, headings }));
  const found = WORD.test(words) ? await given.search(words) : null;
  return { found: found?.passages.length === 0 ? null : found, spent };
}

const tokensOf = (prompt: Prompt): number => estimateTokens(JSON.stringify(prompt));

/** Asks the model for the words as one short reply, without retries; `words` is '' if that fails. */
async function requestWords(model: AskedModel, { signal, spend, reserve }: Question, prompt: Prompt) {
  const { config, dialect, log, slots } = model;
  const wait = Math.min(config.timeouts.firstByte / 3, LONGEST_WAIT);
  const timeouts = { firstByte: wait, idle: wait, total: wait };
  const { post } = dialect;
  const { protocol } = config;
  const server = { post, protocol, timeouts, longestAnswer: LONGEST_REPLY, retries: 0, slots, log };
  const body = dialect.body(prompt, MOST_TOKENS);
  const count = createTokenCount(tokensOf(prompt), MOST_TOKENS);
  count.limit(Buffer.byteLength(JSON.stringify(body)));
  const reasoning = createReasoningFilter();
  let [words, hasCost] = ['', false];
  try {
    spend?.(count.tokens());
    await reserve?.(count.tokens());
    for await (const event of requestModel(server, () => body, signal)) {
      hasCost = true;
      if (event.type === 'usage') count.reported(event);
      if (event.type !== 'text') continue;
      count.heard(event.text);
      words += reasoning.push(event.text).text;
    }
    words += reasoning.end().text;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    log({ event: 'model-look-up', message: 'A book was searched without a look-up', cause: error.kind });
    hasCost ||= error.kind === 'model-timeout';
    words = '';
  }
  return { words, spent: hasCost ? count.tokens() : NO_TOKENS };
}
