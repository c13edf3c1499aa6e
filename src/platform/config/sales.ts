import { DAY, parseDuration } from '../base/duration.ts';
import { parseServiceUrl } from './local-host.ts';
import {
  isSigning,
  PAYMENT_PROVIDERS,
  type PaymentProvider,
  PROVIDER_NAMES,
  SIGNING_PROVIDERS,
  type SigningProvider,
} from '../../words/payment-provider.ts';
import { Refusal } from '../base/refusal.ts';
import { createAttempt, type Environment, readSecretVariable } from './secret-variable.ts';

/**
 * The secrets of a provider's webhook; several while a new one replaces an old one. A sale signed with a `test` secret gives no
 * access.
 */
export type WebhookSecrets = { readonly live: readonly string[]; readonly test: readonly string[] };

/** The address of a payment provider's API, and the key to read it. Neither is ever logged or shown. */
export type ProviderApi = { readonly key: string; readonly url: string };

/** The configuration of sales. If sales are off, it has no secrets and no APIs. Times are in milliseconds. */
export type SalesConfig = {
  readonly isOn: boolean;
  readonly secrets: Readonly<Record<SigningProvider, WebhookSecrets>>;
  /** The secret last part of the address to which Gumroad reports sales; null if Gumroad is not set up. */
  readonly gumroadPing: string | null;
  readonly apis: Readonly<Record<PaymentProvider, ProviderApi | null>>;
  /** How long a subscription's items stay open after the paid period has ended. */
  readonly grace: number;
  readonly keepEvents: number;
};

type Attempt = ReturnType<typeof createAttempt<string>>;

/**
 * For each payment provider, the environment variable of its API key and its API's usual address, which
 * `BOOKSTALL_<PROVIDER>_API_URL` can replace.
 */
const APIS: Readonly<Record<PaymentProvider, { readonly key: string; readonly url: string }>> = {
  stripe: { key: 'BOOKSTALL_STRIPE_KEY', url: 'https://api.stripe.com' },
  polar: { key: 'BOOKSTALL_POLAR_TOKEN', url: 'https://api.polar.sh' },
  lemonsqueezy: { key: 'BOOKSTALL_LEMONSQUEEZY_KEY', url: 'https://api.lemonsqueezy.com' },
  gumroad: { key: 'BOOKSTALL_GUMROAD_TOKEN', url: 'https://api.gumroad.com' },
};

const GUMROAD_PING = 'BOOKSTALL_GUMROAD_PING_SECRET';
const NONE: WebhookSecrets = { live: [], test: [] };

export const NO_SALES: SalesConfig = {
  isOn: false,
  secrets: { stripe: NONE, polar: NONE, lemonsqueezy: NONE },
  gumroadPing: null,
  apis: { stripe: null, polar: null, lemonsqueezy: null, gumroad: null },
  grace: 3 * DAY,
  keepEvents: 90 * DAY,
};

export const secretVariable = (provider: PaymentProvider): string =>
  isSigning(provider) ? `BOOKSTALL_${provider.toUpperCase()}_WEBHOOK_SECRET` : GUMROAD_PING;

export const keyVariable = (provider: PaymentProvider): string => APIS[provider].key;

export const setupVariable = (provider: PaymentProvider): string =>
  `BOOKSTALL_${provider.toUpperCase()}_SETUP_KEY`;

export function takesSales({ secrets, gumroadPing }: SalesConfig, provider: PaymentProvider): boolean {
  if (!isSigning(provider)) return gumroadPing !== null;
  const { live, test } = secrets[provider];
  return live.length + test.length > 0;
}

/**
 * Reads the settings of sales; each may also be in the file that `NAME_FILE` names. Reports each problem with the name of its
 * variable; after a problem the result must not be used.
 */
export function readSalesConfig(
  environment: Environment,
  isDemo: boolean,
  report: (problem: string) => void,
): SalesConfig {
  const attempt = createAttempt<string>(
    (name) => readSecretVariable(name, environment),
    (name, problem) => report(`${name}: ${problem}`),
  );
  const isOn = attempt('BOOKSTALL_SALES', parseSwitch);
  const config = {
    isOn: isOn && !isDemo,
    secrets: Object.fromEntries(
      SIGNING_PROVIDERS.map((provider) => [provider, readSecrets(provider, attempt)] as const),
    ) as SalesConfig['secrets'],
    gumroadPing: attempt(GUMROAD_PING, parsePing),
    apis: Object.fromEntries(
      PAYMENT_PROVIDERS.map((provider) => [provider, readApi(provider, attempt)] as const),
    ) as SalesConfig['apis'],
    grace: attempt('BOOKSTALL_GRACE_DAYS', parseGrace),
    keepEvents: attempt('BOOKSTALL_KEEP_EVENTS', (text) => parseDuration(text || '90d', '1d')),
  };
  if (config.gumroadPing !== null && config.apis.gumroad === null)
    report(
      `${GUMROAD_PING}: Cannot take sales of Gumroad without BOOKSTALL_GUMROAD_TOKEN: its pings are not signed, and only its API is believed`,
    );
  const { grace, keepEvents } = config;
  return config.isOn ? config : { ...NO_SALES, grace, keepEvents };
}

/** Adds the providers that the office set up to those of variables. Returns `given` unchanged if there is a problem. */
export function withOfficeSales(given: SalesConfig, variables: Environment): SalesConfig {
  const problems: string[] = [];
  const office = readSalesConfig(variables, !given.isOn, (problem) => problems.push(problem));
  if (problems.length > 0) return given;
  const secrets = SIGNING_PROVIDERS.map((name) => {
    const { live, test } = given.secrets[name];
    return [name, live.length + test.length > 0 ? given.secrets[name] : office.secrets[name]] as const;
  });
  const apis = PAYMENT_PROVIDERS.map((name) => [name, given.apis[name] ?? office.apis[name]] as const);
  return {
    ...given,
    secrets: Object.fromEntries(secrets) as SalesConfig['secrets'],
    gumroadPing: given.gumroadPing ?? office.gumroadPing,
    apis: Object.fromEntries(apis) as SalesConfig['apis'],
  };
}

function parseSwitch(text: string): boolean {
  if (text === '' || text === 'live') return true;
  if (text === 'off') return false;
  throw refusal(`Cannot read "${text.slice(0, 40)}": give live or off`);
}

function readSecrets(provider: SigningProvider, attempt: Attempt): WebhookSecrets {
  const name = secretVariable(provider);
  const live = attempt(name, parseSecrets);
  const test = attempt(`${name}_TEST`, (text) => {
    const secrets = parseSecrets(text);
    if (secrets.some((secret) => live?.includes(secret)))
      throw refusal(`Cannot use one secret for tests and for sales: leave it in ${name} or here`);
    return secrets;
  });
  return { live, test };
}

/** Reads secrets with commas between. Refuses short ones: anybody who guesses one could forge sales. */
function parseSecrets(text: string): readonly string[] {
  const secrets = text === '' ? [] : text.split(',').map((secret) => secret.trim());
  if (secrets.every((secret) => /^[^\s\p{Cc}]{6,500}$/u.test(secret))) return [...new Set(secrets)];
  throw refusal(
    'Cannot use this secret: give 6 to 500 characters without spaces, several with commas between',
  );
}

export const PING_SECRET = /^[A-Za-z0-9_-]{32,128}$/;

function parsePing(text: string): string | null {
  if (text === '') return null;
  if (PING_SECRET.test(text)) return text;
  throw refusal('Cannot use this secret: give 32 to 128 letters, digits, "_" or "-"');
}

/**
 * Returns the API of a provider with its setup key, which the command `sell setup` reads, never a server. Refuses a missing
 * key.
 */
export function readSetupApi(provider: PaymentProvider, environment: Environment): ProviderApi {
  const name = setupVariable(provider);
  const refuse = (variable: string, problem: string): never => {
    throw refusal(`${variable}: ${problem}`);
  };
  const attempt = createAttempt((variable: string) => readSecretVariable(variable, environment), refuse);
  const missing = `Cannot set up ${PROVIDER_NAMES[provider]} without a key: set it, for this command alone, to one of your account there`;
  return readApi(provider, attempt, name) ?? refuse(name, missing);
}

function readApi(
  provider: PaymentProvider,
  attempt: Attempt,
  keyName = keyVariable(provider),
): ProviderApi | null {
  const api = APIS[provider].url;
  const service = PROVIDER_NAMES[provider];
  const words = { example: api, login: 'leave it out', service, sent: 'a key', remedy: 'use https' };
  const key = attempt(keyName, (text) => {
    if (text === '' || /^[\x21-\x7e]{1,500}$/.test(text)) return text;
    throw refusal('Cannot use this key: it contains spaces or characters that no key has');
  });
  const url = attempt(`BOOKSTALL_${provider.toUpperCase()}_API_URL`, (text) =>
    text === '' ? api : parseServiceUrl(text, words),
  );
  return key === '' ? null : { key, url };
}

function parseGrace(text: string): number {
  if (text === '') return NO_SALES.grace;
  if (/^\d{1,2}$/.test(text)) return Number(text) * DAY;
  throw refusal(`Cannot give "${text.slice(0, 40)}" days of grace: give a whole number from 0 to 99`);
}

const refusal = Refusal.invalid;
