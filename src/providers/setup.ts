// How a stall is set up at a payment provider: what is made there, and how its API is written to.
import { type ProviderApi, setupKeyVariable } from '../config/sales.ts';
import { type PaymentProvider, PROVIDER_NAMES } from '../payment-provider.ts';
import { Refusal } from '../refusal.ts';
import { idAt, objectAt } from '../sales/json.ts';
import { askProvider, HEADERS, waitForTurn } from './history.ts';
import { STRIPE_HEADERS, stripeSetup } from './setup-stripe.ts';

/** What is sent: values may be lists and mappings of their own. */
export type Sent = { readonly [name: string]: unknown };

/** A provider's API as setting up uses it. Both refuse, in a sentence without key or secret, what the provider refuses. */
export type SetupApi = {
  /** The JSON at an address below the API's; null if there is none. */
  readonly get: (path: string) => Promise<unknown>;
  /**
   * Writes, and gives the answer. `did` begins the line that people read, as in `Made the price`. In a dry run nothing is
   * sent: the answer is what would be sent, and its id is made up, as in `(new price)`.
   */
  readonly send: (
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body: Sent,
    did: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<unknown>;
};

/** An item or bundle as it is to be sold; `ids` are this provider's in item.yaml, the current one first. */
export type Wanted = {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** In minor units of `currency`, which is an ISO 4217 code in lower case. */
  readonly unitAmountCents: number;
  readonly currency: string;
  readonly ids: readonly string[];
  /** The address of the Buy button. */
  readonly checkoutUrl: string | null;
  /** The address that buyers return to, with the provider's placeholder; '' if it sends nobody back. */
  readonly returnUrl: string;
  /** The stall's address, `https://…`. */
  readonly origin: string;
};

/** What a provider has for an item now. */
export type SetUpItem = {
  /** The id that sells it; item.yaml gets it in front of the others if it lacks it. Null leaves item.yaml as it is. */
  readonly id: string | null;
  /** Where buyers pay. It is written if the item has no button, or one that leads to `formerUrl`. */
  readonly checkoutUrl: string | null;
  readonly formerUrl: string | null;
  /** What the owner does by hand, a sentence each, with the page to do it on. */
  readonly byHand: readonly string[];
  /** What remains to be done once item.yaml names the new id, such as switching the former one off. */
  readonly finish?: () => Promise<void>;
};

/** Where the secret of a provider's webhooks is kept. */
export type SecretFile = {
  /** The secret; null if there is none; '' if a run ended between `begin` and `keep`, so that it was lost. */
  readonly value: string | null;
  /** Makes sure that a secret can be kept, before one is made. */
  readonly begin: () => Promise<void>;
  readonly keep: (secret: string) => Promise<void>;
};

/** The acts by which a provider is set up. Each may be done again at any time, and then changes nothing. */
export type SetupActs = {
  /** Whether an API is the provider's test mode. */
  readonly isTest: (api: ProviderApi) => boolean;
  /** What the key must be allowed to do, as in `write Products`. */
  readonly rights: string;
  readonly setUpItem: (api: SetupApi, wanted: Wanted) => Promise<SetUpItem>;
  /** `isNew` replaces the secret. Gives what is to be done by hand. */
  readonly setUpWebhook: (
    api: SetupApi,
    wanted: { readonly url: string; readonly events: readonly string[] },
    secret: SecretFile,
    isNew: boolean,
  ) => Promise<readonly string[]>;
};

/** The providers that can be set up. */
export const SETUPS: Readonly<Partial<Record<PaymentProvider, SetupActs>>> = { stripe: stripeSetup };

type Format = { readonly encode: (sent: Sent) => string; readonly headers: Readonly<Record<string, string>> };

const FORM: Format = { encode: formOf, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
const FORMATS: Readonly<Record<PaymentProvider, Format>> = {
  stripe: { ...FORM, headers: { ...FORM.headers, ...STRIPE_HEADERS } },
  polar: { encode: JSON.stringify, headers: { 'Content-Type': 'application/json' } },
  lemonsqueezy: {
    encode: JSON.stringify,
    headers: { ...HEADERS.lemonsqueezy, 'Content-Type': 'application/vnd.api+json' },
  },
  gumroad: FORM,
};

/** `a[b]=1&c[0]=2`, as Stripe writes forms. */
function formOf(sent: Sent): string {
  const fields = (value: unknown, name: string): readonly [string, string][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, one]) => fields(one, name === '' ? key : `${name}[${key}]`))
      : [[name, String(value)]];
  return new URLSearchParams([...fields(sent, '')]).toString();
}

/** One write, or what a dry run would write: `sent` is masked. */
type Write = {
  readonly did: string;
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly sent: string;
};

/** Opens a provider's API for writing. `hidden` are texts that no sentence and no write shows; more may be added later. */
export function createSetupApi(
  provider: PaymentProvider,
  api: ProviderApi,
  hidden: Set<string>,
  isDryRun: boolean,
  sleep: (ms: number) => Promise<void> = Bun.sleep,
): SetupApi & { readonly writes: readonly Write[] } {
  const { encode, headers } = FORMATS[provider];
  const writes: Write[] = [];
  const mask = (text: string): string =>
    [api.key, ...hidden].reduce((masked, one) => (one === '' ? masked : masked.replaceAll(one, '…')), text);
  const ask = async (path: string, more: Readonly<Record<string, string>>, sent?: Sending) => {
    const answer = await waitForTurn(
      () => askProvider(api, path, { ...headers, ...more }, undefined, sent),
      sleep,
    );
    if (answer.state !== 'failed') return answer.state === 'missing' ? null : answer;
    const said = answer.said ? ` and says "${answer.said}"` : '';
    throw Refusal.invalid(
      `Cannot set up ${PROVIDER_NAMES[provider]}: ${mask(answer.reason + said)}; ${remedyOf(provider, answer.status)}`,
    );
  };
  return {
    writes,
    async get(path) {
      // What a dry run would have made is not there.
      return path.includes(MADE_UP) ? null : ((await ask(path, {}))?.body ?? null);
    },
    async send(method, path, body, did, more = {}) {
      const write = { did, method, path: mask(path), sent: mask(JSON.stringify(body)) };
      if (isDryRun) {
        const id = `${MADE_UP}${did.slice(did.lastIndexOf(' ') + 1)})`;
        writes.push({ ...write, id });
        return { ...body, id };
      }
      const answer = await ask(path, more, { method, body: encode(body) });
      if (answer === null)
        throw Refusal.invalid(
          `Cannot set up ${PROVIDER_NAMES[provider]}: ${mask(path)} is no longer there; run the command again`,
        );
      writes.push({ ...write, id: mask(idOf(answer.body)) });
      return answer.body;
    },
  };
}

type Sending = { readonly method: string; readonly body: string };

const MADE_UP = '(new ';

/** The id in an answer: Lemon Squeezy has it below `data`, Gumroad below the object's name. */
function idOf(body: unknown): string {
  return (
    idAt(body, 'id') ??
    idAt(body, 'data', 'id') ??
    idAt(Object.values(objectAt(body) ?? {}).at(-1), 'id') ??
    ''
  );
}

function remedyOf(provider: PaymentProvider, status: number | undefined): string {
  const key = setupKeyVariable(provider);
  if (status === 401) return `set ${key} to a secret key of your account there`;
  if (status === 403) return `let the key in ${key} ${SETUPS[provider]?.rights ?? 'do this'}`;
  return 'run the command again: it goes on where it stopped';
}
