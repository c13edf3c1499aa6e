import { parseServiceUrl } from './local-host.ts';
import { Refusal } from '../base/refusal.ts';
import { createAttempt, type Environment } from './secret-variable.ts';
import { EXTRACTIVE, MODEL_ENGINES, type ModelEngine, type ModelProtocol } from './model-engines.ts';

/** The settings of a language model and its maximum cost. Times are in milliseconds. The key is never logged or saved. */
export type ModelConfig = {
  readonly engine: ModelEngine;
  readonly model: string;
  readonly url: string;
  /** Always `messages` with the engine `anthropic`. */
  readonly protocol: ModelProtocol;
  readonly key: string | null;
  readonly contextTokens: number;
  /** The maximum length, in tokens, of a book that the model gets as a whole. From a longer book it gets only passages. */
  readonly wholeBookTokens: number;
  /** Whether the model is asked for words by which to search the book. */
  readonly lookUp: boolean;
  readonly marksUntied: boolean;
  readonly timeouts: { readonly firstByte: number; readonly idle: number; readonly total: number };
  readonly fallback: 'none' | typeof EXTRACTIVE;
  /** Questions a day for each account, and tokens a day for the whole stall; null means unlimited. */
  readonly dailyQuestions: number | null;
  readonly dailyTokens: number | null;
  readonly prices: Prices | null;
};

export type Prices = { readonly input: number; readonly output: number };

/** The settings of a model with their environment variables. None is a command-line flag, since `ps` shows flags. */
export const MODEL_SETTINGS = {
  model: 'BOOKSTALL_MODEL',
  'model-url': 'BOOKSTALL_MODEL_URL',
  'model-protocol': 'BOOKSTALL_MODEL_PROTOCOL',
  'model-key': 'BOOKSTALL_MODEL_KEY',
  'model-http': 'BOOKSTALL_MODEL_HTTP',
  'context-tokens': 'BOOKSTALL_CONTEXT_TOKENS',
  'whole-book-tokens': 'BOOKSTALL_WHOLE_BOOK_TOKENS',
  'look-up': 'BOOKSTALL_LOOK_UP',
  untied: 'BOOKSTALL_UNTIED',
  'first-byte-ms': 'BOOKSTALL_FIRST_BYTE_MS',
  'idle-ms': 'BOOKSTALL_IDLE_MS',
  'total-ms': 'BOOKSTALL_TOTAL_MS',
  fallback: 'BOOKSTALL_FALLBACK',
  'daily-questions': 'BOOKSTALL_DAILY_QUESTIONS',
  'daily-tokens': 'BOOKSTALL_DAILY_TOKENS',
  'price-input': 'BOOKSTALL_PRICE_INPUT',
  'price-output': 'BOOKSTALL_PRICE_OUTPUT',
} as const;

type ModelSetting = keyof typeof MODEL_SETTINGS;

const COMMON: Readonly<Partial<Record<ModelSetting, string>>> = {
  'model-protocol': 'messages',
  'whole-book-tokens': '100000',
  'look-up': 'on',
  untied: 'mark',
  fallback: 'none',
  'daily-questions': '100',
  'daily-tokens': '2000000',
};

export type NeedsKey = { readonly needsKey?: boolean };

/**
 * Reads the settings of a model, and reports each problem with the name of its variable; after a problem the result must not be
 * used. The command `doctor`, which may run without the key, passes `needsKey: false`.
 */
export function readModelConfig(
  engine: ModelEngine,
  environment: Environment,
  report: (problem: string) => void,
  { needsKey = true }: NeedsKey = {},
): ModelConfig {
  const read = (name: ModelSetting): string =>
    String(environment[MODEL_SETTINGS[name]] ?? '').trim() ||
    (MODEL_ENGINES[engine].defaults as Partial<Record<ModelSetting, string>>)[name] ||
    (COMMON[name] ?? '');
  const attempt = createAttempt(read, (name, problem) => report(`${MODEL_SETTINGS[name]}: ${problem}`));
  const from =
    (least: number, most: number) =>
    (text: string): number =>
      parseWhole(text, least, most);
  const isHttpAllowed = read('model-http') === 'allow';
  const input = attempt('price-input', parsePrice);
  const output = attempt('price-output', parsePrice);
  return {
    engine,
    model: attempt('model', parseModel),
    url: attempt('model-url', (text) => parseModelUrl(text, isHttpAllowed)),
    protocol: attempt('model-protocol', (text) => parseProtocol(text, engine)),
    key: attempt('model-key', (text) =>
      parseModelKey(text, needsKey && MODEL_ENGINES[engine].requiresKey, environment, engine),
    ),
    contextTokens: attempt('context-tokens', from(1024, 10_000_000)),
    wholeBookTokens: attempt('whole-book-tokens', from(0, 10_000_000)),
    lookUp: attempt('look-up', oneOf('on', 'off')) === 'on',
    marksUntied: attempt('untied', oneOf('mark', 'allow')) === 'mark',
    timeouts: {
      firstByte: attempt('first-byte-ms', from(100, 3_600_000)),
      idle: attempt('idle-ms', from(100, 3_600_000)),
      total: attempt('total-ms', from(100, 3_600_000)),
    },
    fallback: attempt('fallback', oneOf('none', EXTRACTIVE)),
    dailyQuestions: attempt('daily-questions', parseCap),
    dailyTokens: attempt('daily-tokens', parseCap),
    prices: input === null || output === null ? null : { input, output },
  };
}

export function priceOf(prices: Prices | null, inputTokens: number, outputTokens: number): number | null {
  if (prices === null) return null;
  return (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000;
}

export function readPrices(environment: Environment): Prices | null {
  const [input, output] = [MODEL_SETTINGS['price-input'], MODEL_SETTINGS['price-output']].map((name) =>
    parsePrice(String(environment[name] ?? '').trim()),
  );
  return input == null || output == null ? null : { input, output };
}

export function formatModelConfig(config: ModelConfig): Readonly<Record<string, string>> {
  const { timeouts, prices } = config;
  const values: Readonly<Partial<Record<ModelSetting, string | number>>> = {
    model: config.model,
    'model-url': config.url,
    'model-protocol': config.protocol,
    'model-http': 'allow',
    'context-tokens': config.contextTokens,
    'whole-book-tokens': config.wholeBookTokens,
    'look-up': config.lookUp ? 'on' : 'off',
    untied: config.marksUntied ? 'mark' : 'allow',
    'first-byte-ms': timeouts.firstByte,
    'idle-ms': timeouts.idle,
    'total-ms': timeouts.total,
    fallback: config.fallback,
    'daily-questions': config.dailyQuestions ?? 'off',
    'daily-tokens': config.dailyTokens ?? 'off',
    ...(prices === null ? {} : { 'price-input': prices.input, 'price-output': prices.output }),
  };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [MODEL_SETTINGS[name as ModelSetting], String(value)]),
  );
}

export function parseModel(text: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(text)) return text;
  throw refusal(
    text === ''
      ? 'Cannot ask a model without a name: give the name its server uses'
      : 'Cannot use this model name: give up to 200 visible ASCII characters',
  );
}

const MODEL_WORDS = {
  example: 'http://127.0.0.1:8080',
  login: 'set the key in BOOKSTALL_MODEL_KEY',
  service: 'a model',
  sent: 'a book',
  remedy: 'use https, or set BOOKSTALL_MODEL_HTTP=allow if you own that network',
};

function parseModelUrl(text: string, isHttpAllowed: boolean): string {
  if (text === '')
    throw refusal('Cannot ask a model without an address: give one such as http://127.0.0.1:8080');
  const url = parseServiceUrl(text, MODEL_WORDS, isHttpAllowed);
  if (!url.endsWith('/v1')) return url;
  throw refusal('Cannot use an address that ends in "/v1": leave it out, Bookstall adds it');
}

function parseProtocol(text: string, engine: ModelEngine): ModelProtocol {
  if (text === 'messages' || (text === 'chat' && engine === 'compat')) return text;
  throw refusal(`Cannot speak "${text.slice(0, 40)}": give messages, or chat with BOOKSTALL_ENGINE=compat`);
}

function parseModelKey(text: string, isNeeded: boolean, environment: Environment, engine: ModelEngine) {
  const { keyVariable } = MODEL_ENGINES[engine];
  const key = text || (keyVariable === null ? '' : String(environment[keyVariable] ?? '').trim());
  if (key === '' && isNeeded)
    throw refusal(`Cannot ask the model without a key: set it, or ${keyVariable}, in the environment`);
  return parseKey(key);
}

export function parseKey(key: string): string | null {
  if (key === '') return null;
  if (/^[\x21-\x7e]{1,500}$/.test(key)) return key;
  throw refusal('Cannot use this key: it contains spaces or characters that no key has');
}

const oneOf =
  <Word extends string>(...words: readonly Word[]) =>
  (text: string): Word => {
    const word = words.find((one) => one === text);
    if (word !== undefined) return word;
    throw refusal(`Cannot use "${text.slice(0, 40)}": give ${words.join(' or ')}`);
  };

const parseCap = (text: string): number | null =>
  text === 'off' ? null : parseWhole(text, 1, 1_000_000_000_000);

export function parseWhole(text: string, least: number, most: number): number {
  if (/^\d{1,13}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw refusal(`Cannot use "${text.slice(0, 40)}": give a whole number from ${least} to ${most}`);
}

function parsePrice(text: string): number | null {
  if (text === '') return null;
  if (/^\d{1,6}(\.\d{1,6})?$/.test(text)) return Number(text);
  throw refusal(
    `Cannot use the price "${text.slice(0, 40)}": give the price of a million tokens, such as 2.50`,
  );
}

const refusal = Refusal.invalid;
