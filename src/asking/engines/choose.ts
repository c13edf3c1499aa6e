import type { Log } from '../../platform/base/log.ts';
import { type ModelConfig } from '../../platform/config/model.ts';
import { EXTRACTIVE, type ModelEngine } from '../../platform/config/model-engines.ts';
import { bypassProxy } from '../../platform/config/local-host.ts';
import { anthropicDialect } from './anthropic.ts';
import { compatDialect } from './compat.ts';
import type { Dialect } from './answer-filter.ts';
import type { AnswerEvent, Engine, Question, TokenCount } from './engine.ts';
import { createExtractive } from './extractive.ts';
import { createModel, LONGEST_ANSWER } from './model.ts';
import { withQuoteFallback } from './quote-verifier.ts';
import { createRequestSlots, requestModel } from './model-request.ts';
import { createReasoningFilter } from '../model-output.rule.ts';
import type { Prompt } from '../prompt.rule.ts';
import { Refusal } from '../../platform/base/refusal.ts';

/** How many requests Bun sends at once by default, and how many of them other work keeps. */
const BUN_LIMIT = 256;
const RESERVED = 16;

const DIALECTS: Readonly<Record<ModelEngine, (config: ModelConfig) => Dialect>> = {
  anthropic: anthropicDialect,
  compat: compatDialect,
};

function chooseEngine(config: ModelConfig | null, log: Log, now: () => number): Engine {
  if (config === null) return createExtractive();
  const model = withQuoteFallback(openModel(config, log, now), createExtractive(0));
  return config.fallback === EXTRACTIVE ? withFallback(model, createExtractive()) : model;
}

export function createEngineChoice(
  config: () => ModelConfig | null,
  log: Log,
  now: () => number,
): () => Engine {
  let chosen: { readonly of: ModelConfig | null; readonly engine: Engine } | null = null;
  return () => {
    const present = config();
    if (chosen?.of !== present) chosen = { of: present, engine: chooseEngine(present, log, now) };
    return chosen.engine;
  };
}

export function openModel(config: ModelConfig, log: Log, now: () => number): Engine {
  bypassProxy(config.url);
  const seed = () => crypto.randomUUID().slice(0, 8);
  const slots = createRequestSlots(fetchLimit() - RESERVED);
  return createModel({ config, dialect: DIALECTS[config.engine](config), log, slots, seed, now });
}

export async function completePrompt(config: ModelConfig, log: Log, prompt: Prompt) {
  bypassProxy(config.url);
  const { post, body, answerTokens } = DIALECTS[config.engine](config);
  const { timeouts, protocol } = config;
  const server = {
    post,
    protocol,
    timeouts,
    log,
    longestAnswer: LONGEST_ANSWER,
    slots: createRequestSlots(1),
  };
  const { signal } = new AbortController();
  let [heard, inputTokens, outputTokens] = ['', 0, 0];
  for await (const event of requestModel(server, () => body(prompt, answerTokens), signal)) {
    if (event.type === 'text') heard += event.text;
    if (event.type === 'usage') [inputTokens, outputTokens] = [event.input, event.output];
  }
  const reasoning = createReasoningFilter();
  return { text: reasoning.push(heard).text + reasoning.end().text, inputTokens, outputTokens };
}

/** Returns how many requests `fetch` sends at once. Bun reads the variable only at its start. */
function fetchLimit(): number {
  const limit = Number(process.env['BUN_CONFIG_MAX_HTTP_REQUESTS'] ?? BUN_LIMIT);
  return Number.isInteger(limit) && limit > RESERVED && limit < 65_536 ? limit : BUN_LIMIT;
}

/** The refusals of a model after which a fallback answers; invalid-request says that the question is too long for the model. */
const MODEL_FAULTS = [
  'model-failed',
  'model-unavailable',
  'model-timeout',
  'rate-limited',
  'invalid-request',
];

/** Makes an engine that asks `second` if `first` fails before its first event; `end` then names `second`. */
function withFallback(first: Engine, second: Engine): Engine {
  return { ...first, answer: (question) => answerOrFallBack(first, second, question) };
}

async function* answerOrFallBack(
  first: Engine,
  second: Engine,
  question: Question,
): AsyncGenerator<AnswerEvent> {
  let hasBegun = false;
  let spent: TokenCount = { inputTokens: 0, outputTokens: 0 };
  const spend = (tokens: TokenCount): void => {
    question.spend?.(tokens);
    spent = tokens;
  };
  try {
    for await (const event of first.answer({ ...question, spend })) {
      hasBegun = true;
      yield event;
    }
    return;
  } catch (error) {
    if (hasBegun || !(error instanceof Refusal) || !MODEL_FAULTS.includes(error.kind)) throw error;
  }
  for await (const event of second.answer(question))
    yield event.type === 'end' ? { ...event, ...spent, by: second } : event;
}
