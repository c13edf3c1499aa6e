import { type Networks, parseNetworks } from './budget/address.ts';
import { type Budget, parseBudget } from './budget/sliding-window.ts';
import { defaultLimits, type Limits } from './item/limit.ts';
import { Refusal } from './refusal.ts';

/** How a stall is run. Checked once, here; nothing reads the environment later. */
export type Config = {
  readonly content: string;
  readonly data: string;
  readonly host: string;
  readonly port: number;
  /** The stall's public origin; null is the address it listens on. */
  readonly baseUrl: string | null;
  readonly budget: Budget | null;
  readonly routeBudget: Budget | null;
  readonly trustedProxies: Networks;
  readonly limits: Limits;
  readonly engine: 'extractive';
  readonly watch: boolean;
  readonly demo: boolean;
  readonly log: 'json' | 'pretty';
};

export type Settings = Readonly<Record<string, string | boolean | undefined>>;

/** Each setting with its environment variable and its default; a flag of the same name beats both. */
const SETTINGS = {
  content: ['BOOKSTALL_CONTENT', 'content'],
  data: ['BOOKSTALL_DATA', 'data'],
  host: ['BOOKSTALL_HOST', '127.0.0.1'],
  port: ['BOOKSTALL_PORT', '7070'],
  'base-url': ['BOOKSTALL_BASE_URL', ''],
  budget: ['BOOKSTALL_BUDGET', '60/60'],
  'route-budget': ['BOOKSTALL_ROUTE_BUDGET', '600/60'],
  'trusted-proxies': ['BOOKSTALL_TRUSTED_PROXIES', ''],
  'max-files': ['BOOKSTALL_MAX_FILES', String(defaultLimits.files)],
  'max-bytes': ['BOOKSTALL_MAX_BYTES', String(defaultLimits.bytes)],
  engine: ['BOOKSTALL_ENGINE', 'extractive'],
  log: ['BOOKSTALL_LOG', ''],
} as const;

type Setting = keyof typeof SETTINGS;

/** One setting: the flag, else the environment, else the default. An empty environment variable is an unset one. */
export function readSetting(name: Setting, flags: Settings, environment: Settings): string {
  const [variable, fallback] = SETTINGS[name];
  return String(flags[name] ?? (environment[variable] || fallback));
}

/** Reads every setting of `serve` and names every problem at once, as one refusal. */
export function readConfig(flags: Settings, environment: Settings, isTerminal: boolean): Config {
  const problems: string[] = [];
  const attempt = <T>(name: Setting, parse: (text: string) => T): T | undefined => {
    try {
      return parse(readSetting(name, flags, environment));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push(`--${name}: ${error.message}`);
      return undefined;
    }
  };
  const text = (value: string): string => value;
  const config = {
    content: attempt('content', text),
    data: attempt('data', text),
    host: attempt('host', text),
    port: attempt('port', parsePort),
    baseUrl: attempt('base-url', parseOrigin),
    budget: attempt('budget', parseBudget),
    routeBudget: attempt('route-budget', parseBudget),
    trustedProxies: attempt('trusted-proxies', parseNetworks),
    limits: { files: attempt('max-files', parseFiles), bytes: attempt('max-bytes', parseBytes) },
    engine: attempt('engine', parseEngine),
    log: attempt('log', (value) => parseLog(value, isTerminal)),
    watch: flags['watch'] === true || ['1', 'true'].includes(String(environment['BOOKSTALL_WATCH'])),
    demo: flags['demo'] === true,
  };
  if (problems.length > 0) throw new Refusal('invalid-request', problems.join('\n'));
  return config as Config;
}

/** How much one item may hold: at most what a zip without ZIP64 can. */
export function readLimits(flags: Settings, environment: Settings): Limits {
  return {
    files: parseFiles(readSetting('max-files', flags, environment)),
    bytes: parseBytes(readSetting('max-bytes', flags, environment)),
  };
}

const parseFiles = (text: string): number => parseLimit(text, 'files', 65_000);
const parseBytes = (text: string): number => parseLimit(text, 'bytes', 4_000_000_000);

function parseLimit(text: string, what: string, most: number): number {
  if (/^[1-9][0-9]{0,9}$/.test(text) && Number(text) <= most) return Number(text);
  throw new Refusal(
    'invalid-request',
    `Cannot take "${text}" ${what} an item: give a number from 1 to ${most}`,
  );
}

function parsePort(text: string): number {
  if (/^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Refusal(
    'invalid-request',
    `Cannot listen on port "${text}": give a number from 0 (any free port) to 65535`,
  );
}

function parseOrigin(text: string): string | null {
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin =
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    [url.origin, `${url.origin}/`].includes(text.toLowerCase());
  if (isOrigin) return url.origin;
  throw new Refusal(
    'invalid-request',
    `Cannot use "${text}" as the base URL: give an origin without a path, such as https://stall.example.org`,
  );
}

function parseEngine(text: string): 'extractive' {
  if (text === 'extractive') return text;
  throw new Refusal(
    'invalid-request',
    `Cannot answer with engine "${text}": this version has "extractive" alone, which quotes the book`,
  );
}

function parseLog(text: string, isTerminal: boolean): 'json' | 'pretty' {
  if (text === '') return isTerminal ? 'pretty' : 'json';
  if (text === 'json' || text === 'pretty') return text;
  throw new Refusal('invalid-request', `Cannot log as "${text}": give json or pretty`);
}

/** Refuses a demo that others could reach: it prints a key. */
export function refuseOpenDemo({ demo, host, baseUrl }: Config): void {
  if (!demo) return;
  if (!isLoopback(host)) {
    throw new Refusal(
      'invalid-request',
      `Cannot run the demo on "${host}": it prints a key, so it serves this machine alone; leave --host at 127.0.0.1`,
    );
  }
  if (baseUrl?.startsWith('https:')) {
    throw new Refusal(
      'invalid-request',
      'Cannot run the demo behind an https base URL: it prints a key; leave --base-url out',
    );
  }
}

/** Whether a host to listen on is this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
