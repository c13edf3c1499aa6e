import { BlockList, isIP } from 'node:net';
import { Refusal } from './refusal.ts';

/** A model behind the Messages API and what it may cost. Times in milliseconds. The key is in no log and no note. */
export type ModelConfig = {
  readonly engine: 'anthropic' | 'compat';
  readonly model: string;
  readonly url: string;
  readonly key: string | null;
  /** Tokens the model can take in and give at once. */
  readonly contextTokens: number;
  /** A book of more tokens is asked by its passages. */
  readonly wholeBookTokens: number;
  readonly timeouts: { readonly firstByte: number; readonly idle: number; readonly total: number };
  readonly fallback: 'none' | 'extractive';
  /** Questions a day and account, and tokens a day in all; null is no limit. */
  readonly dailyQuestions: number | null;
  readonly dailyTokens: number | null;
  readonly prices: Prices | null;
};

/** What a million tokens cost, in whatever currency the operator reckons. */
export type Prices = { readonly input: number; readonly output: number };

/** The settings of a model, each with its environment variable; none of them is a flag, since `ps` shows flags. */
const MODEL_SETTINGS = {
  model: 'BOOKSTALL_MODEL',
  'model-url': 'BOOKSTALL_MODEL_URL',
  'model-key': 'BOOKSTALL_MODEL_KEY',
  'model-http': 'BOOKSTALL_MODEL_HTTP',
  'context-tokens': 'BOOKSTALL_CONTEXT_TOKENS',
  'whole-book-tokens': 'BOOKSTALL_WHOLE_BOOK_TOKENS',
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

/** What differs between the engines where nothing is said. */
const DEFAULTS = {
  anthropic: {
    'model-url': 'https://api.anthropic.com',
    'context-tokens': '200000',
    'first-byte-ms': '60000',
    'idle-ms': '30000',
    'total-ms': '300000',
  },
  // A model on a CPU reads for minutes before it says a word.
  compat: {
    'model-url': '',
    'context-tokens': '4096',
    'first-byte-ms': '300000',
    'idle-ms': '60000',
    'total-ms': '900000',
  },
} as const;

const COMMON: Readonly<Partial<Record<ModelSetting, string>>> = {
  'whole-book-tokens': '100000',
  fallback: 'none',
  'daily-questions': '100',
  'daily-tokens': '2000000',
};

const LOCAL = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  LOCAL.addSubnet(network, prefix, 'ipv4');
LOCAL.addAddress('::1', 'ipv6');
LOCAL.addSubnet('fc00::', 7, 'ipv6');
LOCAL.addSubnet('fe80::', 10, 'ipv6');

/**
 * Reads a model's settings, and tells `report` each problem with the variable it lies in. With problems, what is returned
 * must not be used. A doctor may do without the key.
 */
export function readModelConfig(
  engine: ModelConfig['engine'],
  environment: Readonly<Record<string, string | boolean | undefined>>,
  report: (problem: string) => void,
  needsKey: boolean = true,
): ModelConfig {
  const read = (name: ModelSetting): string =>
    String(environment[MODEL_SETTINGS[name]] ?? '').trim() ||
    (DEFAULTS[engine] as Partial<Record<ModelSetting, string>>)[name] ||
    (COMMON[name] ?? '');
  const attempt = <T>(name: ModelSetting, parse: (text: string) => T): T => {
    try {
      return parse(read(name));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      report(`${MODEL_SETTINGS[name]}: ${error.message}`);
      return undefined as T;
    }
  };
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
    key: attempt('model-key', (text) =>
      parseKey(text, engine === 'anthropic' && needsKey, environment, engine),
    ),
    contextTokens: attempt('context-tokens', from(1024, 10_000_000)),
    wholeBookTokens: attempt('whole-book-tokens', from(0, 10_000_000)),
    timeouts: {
      firstByte: attempt('first-byte-ms', from(100, 3_600_000)),
      idle: attempt('idle-ms', from(100, 3_600_000)),
      total: attempt('total-ms', from(100, 3_600_000)),
    },
    fallback: attempt('fallback', parseFallback),
    dailyQuestions: attempt('daily-questions', parseCap),
    dailyTokens: attempt('daily-tokens', parseCap),
    prices: input === null || output === null ? null : { input, output },
  };
}

/** What these tokens cost, in the currency of the prices; null without prices. */
export function priceOf(prices: Prices | null, inputTokens: number, outputTokens: number): number | null {
  if (prices === null) return null;
  return (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000;
}

/** The prices alone, for commands that ask no model; null where they are not set or make no sense. */
export function readPrices(
  environment: Readonly<Record<string, string | boolean | undefined>>,
): Prices | null {
  const [input, output] = [MODEL_SETTINGS['price-input'], MODEL_SETTINGS['price-output']].map((name) =>
    parsePrice(String(environment[name] ?? '').trim()),
  );
  return input == null || output == null ? null : { input, output };
}

/** The settings as environment variables that `readModelConfig` reads again; the key is none of them. */
export function formatModelConfig(config: ModelConfig): Readonly<Record<string, string>> {
  const { timeouts, prices } = config;
  const values: Readonly<Partial<Record<ModelSetting, string | number>>> = {
    model: config.model,
    'model-url': config.url,
    'model-http': 'allow',
    'context-tokens': config.contextTokens,
    'whole-book-tokens': config.wholeBookTokens,
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

/** Whether a host of a URL is this machine or in a private network; a name other than localhost cannot tell. */
export function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  return host === 'localhost' || (family !== 0 && LOCAL.check(host, family === 4 ? 'ipv4' : 'ipv6'));
}

function parseModel(text: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(text)) return text;
  throw refusal(
    text === ''
      ? 'Cannot ask a model without a name: give the one its server knows it by'
      : 'Cannot use this model name: give up to 200 visible ASCII characters',
  );
}

function parseModelUrl(text: string, isHttpAllowed: boolean): string {
  if (text === '')
    throw refusal('Cannot ask a model without its address: give one such as http://127.0.0.1:8080');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw refusal('Cannot use this address: give a URL such as http://127.0.0.1:8080');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw refusal('Cannot use an address with a name, password, query or fragment: give the key apart');
  if (/\/v1\/?$/.test(url.pathname))
    throw refusal('Cannot use an address that ends in "/v1": leave that out, it is added');
  if (url.protocol === 'http:' && !isHttpAllowed && !isLocalHost(url.hostname))
    throw refusal(
      `Cannot send a book in clear to "${url.hostname}": use https, or set BOOKSTALL_MODEL_HTTP=allow where that network is yours`,
    );
  return url.href.replace(/\/+$/, '');
}

function parseKey(
  text: string,
  isNeeded: boolean,
  environment: Readonly<Record<string, string | boolean | undefined>>,
  engine: ModelConfig['engine'],
): string | null {
  const key = text || (engine === 'anthropic' ? String(environment['ANTHROPIC_API_KEY'] ?? '').trim() : '');
  if (key === '' && !isNeeded) return null;
  if (key === '')
    throw refusal('Cannot ask Anthropic without a key: set it, or ANTHROPIC_API_KEY, in the environment');
  if (/^[\x21-\x7e]{1,500}$/.test(key)) return key;
  throw refusal('Cannot use this key: it holds blanks or characters that no key has');
}

function parseFallback(text: string): 'none' | 'extractive' {
  if (text === 'none' || text === 'extractive') return text;
  throw refusal(`Cannot fall back to "${text.slice(0, 40)}": give none or extractive`);
}

const parseCap = (text: string): number | null =>
  text === 'off' ? null : parseWhole(text, 1, 1_000_000_000_000);

function parseWhole(text: string, least: number, most: number): number {
  if (/^\d{1,13}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw refusal(`Cannot use "${text.slice(0, 40)}": give a whole number from ${least} to ${most}`);
}

function parsePrice(text: string): number | null {
  if (text === '') return null;
  if (/^\d{1,6}(\.\d{1,6})?$/.test(text)) return Number(text);
  throw refusal(
    `Cannot reckon with a price of "${text.slice(0, 40)}": give what a million tokens cost, such as 2.50`,
  );
}

const refusal = (message: string): Refusal => new Refusal('invalid-request', message);
