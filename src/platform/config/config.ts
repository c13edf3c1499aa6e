import { join, relative } from 'node:path';
import { type Networks, parseNetworks } from '../http/address.ts';
import { type Budget, parseBudget } from '../http/sliding-window.ts';
import { parseDuration } from '../base/duration.ts';
import { isLoopback } from './local-host.ts';
import { type MailConfig, readMailConfig } from './mail.ts';
import { type EmbeddingsConfig, readEmbeddingsConfig } from './embeddings.ts';
import { type ModelConfig, type NeedsKey, readModelConfig } from './model.ts';
import { ENGINE_CHOICES, type EngineName, EXTRACTIVE, isEngineName } from './model-engines.ts';
import { Refusal } from '../base/refusal.ts';
import { createAttempt, type Environment } from './secret-variable.ts';
import { readSalesConfig, type SalesConfig } from './sales.ts';
import { defaultLimits, type Limits, MOST_LIMITS } from '../base/item-limits.ts';

/** The settings of a stall, checked, from flags and environment. `createLiveConfig` adds those of the office. */
export type Config = {
  readonly content: string;
  readonly data: string;
  /** The file with the key that encrypts the office's secrets; null means `secrets.key` in the data directory. */
  readonly secretsKey: string | null;
  readonly host: string;
  readonly port: number;
  /** The stall's public address; null means the address on which it listens. */
  readonly baseUrl: string | null;
  readonly budget: Budget | null;
  readonly routeBudget: Budget | null;
  readonly trustedProxies: Networks;
  /** The sign-in by a proxy in front of the stall; null means that people sign in with passwords. */
  readonly proxySignIn: ProxySignIn | null;
  /** Whether the stall reads documents of OAuth clients, at addresses that an assistant of a signed-in reader names. */
  readonly oauthDocuments: boolean;
  readonly limits: Limits;
  /** The maximum number of bytes of one push, both compressed and uncompressed. */
  readonly mostPush: number;
  readonly backup: BackupPlan;
  /** How long rows of the logs are kept, in milliseconds; null means for ever. */
  readonly keepLogs: number | null;
  /**
   * How many editions of an item stay available, with the served one, and the maximum number of bytes of all replaced editions.
   */
  readonly keepEditions: { readonly editions: number; readonly bytes: number };
  /** The language model that answers questions; null means answers with quotes only. */
  readonly model: ModelConfig | null;
  /** The server of an embedding model; null means that passages are found by words alone. */
  readonly embeddings: EmbeddingsConfig | null;
  readonly mail: MailConfig | null;
  readonly sales: SalesConfig;
  readonly watch: boolean;
  readonly demo: boolean;
  readonly insecureHttp: boolean;
  readonly log: 'json' | 'pretty';
  /** The variables that are set, and the flags under the names of their variables. The office cannot change what they set. */
  readonly given: Environment;
};

type ProxySignIn = {
  readonly header: string;
  readonly signUp: boolean;
  /** The proxy's page for signing out, as an address or a path; null if it has none. */
  readonly signOut: string | null;
};

/** A backup is made every `every` milliseconds, or with null only on request. `directory` keeps the newest `keep` backups. */
type BackupPlan = ReturnType<typeof readBackupPlan>;

/** Each setting with its environment variable and its default, '' for none. A flag of the same name beats both. */
export const SETTINGS = {
  content: ['BOOKSTALL_CONTENT', 'content'],
  data: ['BOOKSTALL_DATA', 'data'],
  host: ['BOOKSTALL_HOST', '127.0.0.1'],
  port: ['BOOKSTALL_PORT', '7070'],
  'base-url': ['BOOKSTALL_BASE_URL', ''],
  budget: ['BOOKSTALL_BUDGET', '60/60'],
  'route-budget': ['BOOKSTALL_ROUTE_BUDGET', '600/60'],
  'trusted-proxies': ['BOOKSTALL_TRUSTED_PROXIES', ''],
  'proxy-user': ['BOOKSTALL_PROXY_USER', ''],
  'proxy-sign-up': ['BOOKSTALL_PROXY_SIGN_UP', 'off'],
  'proxy-sign-out': ['BOOKSTALL_PROXY_SIGN_OUT', ''],
  'oauth-documents': ['BOOKSTALL_OAUTH_DOCUMENTS', 'on'],
  'secrets-key-file': ['BOOKSTALL_SECRETS_KEY_FILE', ''],
  'max-files': ['BOOKSTALL_MAX_FILES', String(defaultLimits.files)],
  'max-bytes': ['BOOKSTALL_MAX_BYTES', String(defaultLimits.bytes)],
  'most-push': ['BOOKSTALL_MOST_PUSH', String(256 * 1024 ** 2)],
  'backup-every': ['BOOKSTALL_BACKUP_EVERY', 'off'],
  'backup-dir': ['BOOKSTALL_BACKUP_DIR', ''],
  'backup-keep': ['BOOKSTALL_BACKUP_KEEP', '7'],
  'keep-logs': ['BOOKSTALL_KEEP_LOGS', 'forever'],
  'keep-editions': ['BOOKSTALL_KEEP_EDITIONS', '5'],
  'keep-bytes': ['BOOKSTALL_KEEP_BYTES', String(2 * 1024 ** 3)],
  engine: ['BOOKSTALL_ENGINE', EXTRACTIVE],
  log: ['BOOKSTALL_LOG', ''],
} as const;

type Setting = keyof typeof SETTINGS;

export function readSetting(name: Setting, flags: Environment, environment: Environment): string {
  const [variable, fallback] = SETTINGS[name];
  return String(flags[name] ?? (environment[variable] || fallback));
}

/** Reads every setting of `serve`. A refusal lists all problems. If `needsKey` is false, a model's key may be missing. */
export function readConfig(
  flags: Environment,
  { environment, isTerminal = false }: { readonly environment: Environment; readonly isTerminal?: boolean },
  { needsKey = true }: NeedsKey = {},
): Config {
  const problems: string[] = [];
  const attempt = createAttempt<Setting>(
    (name) => readSetting(name, flags, environment),
    (name, problem) => problems.push(`--${name}: ${problem}`),
  );
  const text = (value: string): string => value;
  const engine = attempt('engine', parseEngine);
  const every = attempt('backup-every', parseEvery);
  const keep = attempt('backup-keep', readKeep);
  const trustedProxies = attempt('trusted-proxies', parseNetworks);
  const header = attempt('proxy-user', (name) => parseHeaderName(name, trustedProxies));
  const signUp = attempt('proxy-sign-up', text) === 'on';
  const signOut = attempt('proxy-sign-out', text) || null;
  const content = attempt('content', text);
  const data = attempt('data', (path) => {
    if (!/^(?:books|skills)[/\\]/.test(relative(content, path))) return path;
    throw Refusal.invalid(
      `Cannot keep the data in "${path}": an item is handed out with all that is below it, secrets too; name a directory beside "${content}"`,
    );
  });
  const config = {
    content,
    data,
    secretsKey: attempt('secrets-key-file', text) || null,
    host: attempt('host', text),
    port: attempt('port', parsePort),
    baseUrl: attempt('base-url', parseOrigin),
    budget: attempt('budget', parseBudget),
    routeBudget: attempt('route-budget', parseBudget),
    trustedProxies,
    proxySignIn: header === null ? null : { header, signUp, signOut },
    oauthDocuments: attempt('oauth-documents', text) !== 'off',
    limits: { files: attempt('max-files', parseFiles), bytes: attempt('max-bytes', parseBytes) },
    mostPush: attempt('most-push', parseMostPush),
    backup: { every, keep, directory: readBackupDirectory(flags, environment) },
    keepLogs: attempt('keep-logs', parseKeepLogs),
    keepEditions: {
      editions: attempt('keep-editions', parseKeepEditions),
      bytes: attempt('keep-bytes', parseKeepBytes),
    },
    // Only the setting `engine` turns the model on, so that a key or address left in the environment never sends a book away.
    model:
      engine === undefined || engine === EXTRACTIVE
        ? null
        : readModelConfig(engine, environment, (problem) => problems.push(problem), { needsKey }),
    embeddings: readEmbeddingsConfig(environment, (problem) => problems.push(problem)),
    mail: readMailConfig(environment, (problem) => problems.push(problem)),
    sales: readSalesConfig(environment, flags['demo'] === true, (problem) => problems.push(problem)),
    log: attempt('log', (value) => parseLog(value, isTerminal)),
    watch: isOn('watch', 'BOOKSTALL_WATCH', flags, environment),
    insecureHttp: isOn('insecure-http', 'BOOKSTALL_INSECURE_HTTP', flags, environment),
    demo: flags['demo'] === true,
    given: givenBy(flags, environment),
  };
  if (problems.length > 0) throw Refusal.invalid(problems.join('\n'));
  return config;
}

function givenBy(flags: Environment, environment: Environment): Environment {
  // Leaves out the keys of commands that set up a payment provider: a server has no use for them.
  const variables = Object.keys(environment)
    .filter((name) => name.startsWith('BOOKSTALL_') && !name.includes('_SETUP_KEY'))
    .filter((name) => environment[name] !== '')
    .map((name) => [name, environment[name]] as const);
  const named = Object.entries(SETTINGS).flatMap(([flag, [variable]]) =>
    flags[flag] === undefined ? [] : [[variable, flags[flag]] as const],
  );
  return Object.fromEntries([...variables, ...named]);
}

const isOn = (flag: string, variable: string, flags: Environment, environment: Environment): boolean =>
  flags[flag] === true || ['1', 'true'].includes(String(environment[variable]));

export const readLimits = (flags: Environment, environment: Environment): Limits => ({
  files: parseFiles(readSetting('max-files', flags, environment)),
  bytes: parseBytes(readSetting('max-bytes', flags, environment)),
});

const parseFiles = parseNumber('take', 'files an item', 1, MOST_LIMITS.files);
const parseBytes = parseNumber('take', 'bytes an item', 1, MOST_LIMITS.bytes);
const parseMostPush = parseNumber('take', 'bytes of a push', 1, MOST_LIMITS.bytes);
const parseKeepEditions = parseNumber('keep', 'editions of an item', 1, 100);
const parseKeepBytes = parseNumber('keep', 'bytes of superseded editions', 0, 1e15);

function parseNumber(does: string, what: string, least: number, most: number) {
  return (text: string): number => {
    if (/^(0|[1-9][0-9]{0,15})$/.test(text) && Number(text) >= least && Number(text) <= most)
      return Number(text);
    throw Refusal.invalid(`Cannot ${does} "${text}" ${what}: give a number from ${least} to ${most}`);
  };
}

const parseEvery = (text: string): number | null => (text === 'off' ? null : parseDuration(text, '1m'));

/** Reads how long logs are kept, at least a day: "6m" is six minutes, but was probably meant as months. */
const parseKeepLogs = (text: string): number | null =>
  text === 'forever' ? null : parseDuration(text, '1d');

export function readKeep(text: string): number {
  if (/^[1-9][0-9]{0,5}$/.test(text)) return Number(text);
  throw Refusal.invalid(`Cannot keep "${text.slice(0, 40)}" backups: give a number from 1`);
}

export const readBackupPlan = (flags: Environment, environment: Environment) => ({
  every: parseEvery(readSetting('backup-every', flags, environment)),
  keep: readKeep(readSetting('backup-keep', flags, environment)),
  directory: readBackupDirectory(flags, environment),
});

function readBackupDirectory(flags: Environment, environment: Environment): string {
  const named = readSetting('backup-dir', flags, environment);
  return named === '' ? join(readSetting('data', flags, environment), 'backups') : named;
}

function parsePort(text: string): number {
  if (/^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw Refusal.invalid(`Cannot listen on port "${text}": give a number from 0 (any free port) to 65535`);
}

/** Reads the stall's public address; null if it is not set. Refuses an address with more than scheme, host and port. */
export const readBaseUrl = (flags: Environment, environment: Environment): string | null =>
  parseOrigin(readSetting('base-url', flags, environment));

function parseOrigin(text: string): string | null {
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin =
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    [url.origin, `${url.origin}/`].includes(text.toLowerCase());
  if (isOrigin) return url.origin;
  throw Refusal.invalid(
    `Cannot use ${text.includes('@') ? 'an address with a user name' : `"${text}"`} as the base URL: give an origin without a path, such as https://stall.example.org`,
  );
}

/**
 * Reads the name of the sign-in proxy's header; null if it is not set. Refuses it if --trusted-proxies lets anybody send it.
 */
function parseHeaderName(name: string, trustedProxies: Networks | undefined): string | null {
  if (name !== '' && !/^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(name))
    throw Refusal.invalid(`Cannot read "${name}" as the name of a header: write one such as Remote-Email`);
  // `trustedProxies` is undefined if it could not be parsed; that problem is reported already.
  const isOpen = trustedProxies?.length === 0 || trustedProxies?.some(([, prefix]) => prefix < 4);
  if (name === '' || !isOpen) return name || null;
  throw Refusal.invalid(
    `Cannot sign in by "${name}": anybody could send it; name your proxy alone in --trusted-proxies`,
  );
}

function parseEngine(text: string): EngineName {
  if (isEngineName(text)) return text;
  throw Refusal.invalid(`Cannot answer with engine "${text}": give ${ENGINE_CHOICES}`);
}

function parseLog(text: string, isTerminal: boolean): 'json' | 'pretty' {
  if (text === '') return isTerminal ? 'pretty' : 'json';
  if (text === 'json' || text === 'pretty') return text;
  throw Refusal.invalid(`Cannot log as "${text}": give json or pretty`);
}

export function refuseOpenDemo({ demo, host, baseUrl }: Config): void {
  if (!demo) return;
  if (!isLoopback(host)) {
    throw Refusal.invalid(
      `Cannot run the demo on "${host}": it prints a key, so it serves this machine alone; leave --host at 127.0.0.1`,
    );
  }
  if (baseUrl !== null && !isLoopback(new URL(baseUrl).hostname)) {
    throw Refusal.invalid(
      `Cannot run the demo at ${baseUrl}: it prints a key, so it serves this machine alone; leave --base-url out`,
    );
  }
}

/** Returns the origin at which this machine reaches a server that listens on this host and port. */
export const localOriginOf = (host: string, port: number | string): string =>
  originOf({ '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host, port);

export const originOf = (host: string, port: number | string): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
