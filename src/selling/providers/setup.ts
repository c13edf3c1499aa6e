// Sets up sales at a payment provider: the types of what is made there, and the access to the provider's API.
import { rights } from '../../words/en/office/settings.ts';
import type { ProviderApi } from '../../platform/config/sales.ts';
import { type PaymentProvider, PROVIDER_NAMES } from '../../words/payment-provider.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { idAt, objectAt } from './json.ts';
import { askProvider } from './provider-api.ts';
import { gumroadSetup, lemonsqueezySetup } from './setup-by-hand.ts';
import { polarSetup } from './setup-polar.ts';
import { stripeSetup } from './setup-stripe.ts';

export type Sent = { readonly [name: string]: unknown };
type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Headers = Readonly<Record<string, string>>;

/**
 * Access to a provider's API for setting up sales. If the provider refuses, both functions throw a refusal with its
 * reason, in which key and secret are masked.
 */
export type SetupApi = {
  readonly get: (path: string) => Promise<unknown>;
  /**
   * Writes, and returns the answer. `did` begins the line that people read, as in `Made the price`. A dry run sends
   * nothing and returns the request's fields with an id such as `(new price)`.
   */
  readonly send: (method: Method, path: string, sent: Sent, did: string, more?: Headers) => Promise<unknown>;
};

export type SetupOffer = {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** The price in minor units of `currency`, which is an ISO 4217 code in lower case. */
  readonly unitAmountCents: number;
  /** The amount suggested to a buyer who chooses the price, `unitAmountCents` or more; else null. */
  readonly suggestedAmountCents?: number | null;
  readonly currency: string;
  readonly checkoutUrl: string | null;
};

/**
 * An item or bundle to sell.
 * - `ids`: this provider's ids in item.yaml, the current one first.
 * - `returnUrl`: the address that buyers return to, with the provider's placeholder; '' if it sends nobody back.
 * - `countsCopies`: whether the server can ask the provider how many copies were bought.
 */
export type Wanted = SetupOffer & {
  readonly ids: readonly string[];
  readonly returnUrl: string;
  readonly countsCopies: boolean;
};

export type SetUpItem = {
  /** The id under which the item is sold. If item.yaml lacks it, it is added before the other ids. Null adds nothing. */
  readonly id: string | null;
  /** The address at which buyers pay. It is written to item.yaml with a new id, or if the item has no button. */
  readonly checkoutUrl: string | null;
  /** Steps that the owner takes by hand, a sentence each, with the page to do it on. */
  readonly byHand: readonly string[];
  /** Takes the steps that remain once item.yaml names the new id, such as switching the former one off. */
  readonly finish?: () => Promise<void>;
};

type SecretFile = {
  /**
   * The secret, from the environment or its file; null if neither has it. It is '' if an earlier run stopped between
   * `begin` and `keep`, so that the secret which the provider made is lost.
   */
  readonly value: string | null;
  /** Checks that a secret can be saved. Call it before the provider makes one. */
  readonly begin: () => Promise<void>;
  readonly keep: (secret: string) => Promise<void>;
  /** Makes a secret of 40 letters, digits, "-" and "_", for a provider that lets us choose it. */
  readonly make: () => string;
};

/** The functions that set up one provider. Called again, they change nothing if all is set up. */
export type SetupActs = {
  /** Whether an API is one for tests, by its key or address. What it lists then counts as tests. */
  readonly isTest: (api: ProviderApi) => boolean;
  /** The headers of requests: the type of the body, a form or JSON, and the version of the API. */
  readonly headers: Headers & { readonly 'Content-Type': string };
  readonly setUpItem: (api: SetupApi, wanted: Wanted) => Promise<SetUpItem>;
  /** Sets up the webhook, and replaces its secret if `isNew`. Returns the steps that the owner must take by hand. */
  readonly setUpWebhook: (
    api: SetupApi,
    wanted: { readonly url: string; readonly events: readonly string[] },
    secret: SecretFile,
    isNew: boolean,
  ) => Promise<readonly string[]>;
};

export const SETUPS: Readonly<Record<PaymentProvider, SetupActs>> = {
  stripe: stripeSetup,
  polar: polarSetup,
  lemonsqueezy: lemonsqueezySetup,
  gumroad: gumroadSetup,
};

/** Writes a form as Stripe reads it, as in `a[b]=1&c[0]=2`; null is left out. */
function formOf(sent: Sent): string {
  const form = new URLSearchParams();
  const add = (value: unknown, name: string): void => {
    if (typeof value !== 'object') form.append(name, String(value));
    else
      for (const [key, one] of Object.entries(value ?? {})) add(one, name === '' ? key : `${name}[${key}]`);
  };
  add(sent, '');
  return form.toString();
}

const MADE_UP = '(new ';

const AGAIN = 'run the command again, which goes on where it stopped';
const DRY_AGAIN = 'run the command again: a dry run asks what is there already, too';

/**
 * Opens a provider's API for setting up. `done` gets a line for each write, in a dry run the request that would be sent;
 * `hide` masks a text in every sentence. `again` says how to try once more.
 */
export function createSetupApi(
  provider: PaymentProvider,
  api: ProviderApi,
  { isDryRun = false, again = isDryRun ? DRY_AGAIN : AGAIN }: { isDryRun?: boolean; again?: string } = {},
) {
  const { headers } = SETUPS[provider];
  const encode = headers['Content-Type'].includes('form') ? formOf : JSON.stringify;
  const [done, hidden]: [string[], Set<string>] = [[], new Set([api.key])];
  const mask = (text: string): string =>
    [...hidden].reduce((masked, one) => (one === '' ? masked : masked.replaceAll(one, '…')), text);
  const cannot = (reason: string): Refusal => {
    const allow = /\b4\d\d\b/.test(reason) ? `let the key ${rights[provider]}, and ` : '';
    return cannotSetUp(provider, `${mask(reason)}; ${allow}${again}`);
  };
  const ask = async (path: string, more?: Headers, sent?: { method: Method; body: string }) => {
    const answer = await askProvider(provider, api, path, { headers: { ...headers, ...more }, sent });
    if (answer.state === 'found') return answer.body;
    if (answer.state === 'missing' && (sent === undefined || sent.method === 'DELETE')) return null;
    throw cannot(answer.state === 'missing' ? 'what it had is gone' : answer.reason);
  };
  return {
    done,
    hide: (secret: string) => (hidden.add(secret), secret),
    // A made-up id belongs to something that the dry run did not make, so there is nothing to read.
    get: (path: string) => (path.includes(MADE_UP) ? Promise.resolve(null) : ask(path)),
    async send(wanted: Method, path: string, sent: Sent, did: string, more?: Headers) {
      // An API whose requests are forms uses POST, not PATCH, for changes.
      const method = wanted === 'PATCH' && encode === formOf ? 'POST' : wanted;
      const id = `${MADE_UP}${did.slice(did.lastIndexOf(' ') + 1)})`;
      const answer = isDryRun ? { ...sent, id } : await ask(path, more, { method, body: encode(sent) });
      if (['POST', 'PUT'].includes(method) && idOf(answer) === '') throw cannot('it answers without an id');
      const shown = JSON.stringify(sent, (_, one: unknown) => one ?? undefined);
      done.push(mask(isDryRun ? `${method} ${path} ${shown}` : `${did} ${idOf(answer)}`));
      return answer;
    },
  };
}

export const cannotSetUp = (provider: PaymentProvider, reason: string): Refusal =>
  Refusal.invalid(`Cannot set up ${PROVIDER_NAMES[provider]}: ${reason}`);

/** Finds the id in an answer: Lemon Squeezy has it below `data`, Gumroad below the object's name. */
function idOf(body: unknown): string {
  const last = Object.values(objectAt(body) ?? {}).at(-1);
  return idAt(body, 'id') ?? idAt(body, 'data', 'id') ?? idAt(last, 'id') ?? '';
}
