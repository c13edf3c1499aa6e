// Reads the objects that are for sale, and the webhooks, in each provider's API:
// https://docs.stripe.com/api/payment-link/object, /api/prices/object and /api/webhook_endpoints/object,
// https://polar.sh/docs/api-reference/products/get and /api-reference/webhooks/endpoints/list,
// https://docs.lemonsqueezy.com/api/variants/the-variant-object and /api/webhooks/the-webhook-object (JSON:API),
// https://gumroad.com/api#products and #resource-subscriptions.
import type { SalesConfig } from '../../platform/config/sales.ts';
import type { PaymentProvider } from '../../words/payment-provider.ts';
import { GUMROAD_EVENTS, PING_PLACE } from './gumroad.ts';
import { integerAt, known, listAt, objectAt, textAt } from './json.ts';
import { askProvider } from './provider-api.ts';

/** A product as its provider describes it. Amounts are in minor units; `amount` is null if it is unknown. */
export type ProviderProduct = {
  readonly isActive: boolean;
  readonly amount: number | null;
  /**
   * The suggested amount if the buyer chooses what to pay, or `amount` if the provider suggests none; null if the price
   * is fixed.
   */
  readonly suggested: number | null;
  /** The ISO 4217 code in lower case; null if the provider does not say it. */
  readonly currency: string | null;
  readonly isSubscription: boolean;
  readonly isTest: boolean;
  readonly links: readonly ProviderLink[];
};

/**
 * An address at which a product is bought. `returnUrl` is where buyers come after paying: null for nowhere, undefined if
 * the provider does not say.
 */
type ProviderLink = { readonly url: string; readonly returnUrl?: string | null };

export type ProviderEndpoint = {
  readonly url: string;
  readonly events: readonly string[];
  readonly isActive: boolean;
  readonly version: string | null;
};

/** The result of a look-up: the object, null if the provider does not have it, or the reason why it could not be read. */
export type Lookup<T> = { readonly found: T | null } | { readonly problem: string };

export type ProviderReader = {
  readonly findProduct: (id: string) => Promise<Lookup<ProviderProduct>>;
  readonly listEndpoints: () => Promise<Lookup<readonly ProviderEndpoint[]>>;
};

export function readerOf({ apis }: SalesConfig, provider: PaymentProvider): ProviderReader | null {
  const api = apis[provider];
  if (api === null) return null;
  return READERS[provider](async (path, read) => {
    const answer = await askProvider(provider, api, path);
    if (answer.state === 'missing') return { found: null };
    return answer.state === 'failed' ? { problem: answer.reason } : { found: read(answer.body) };
  });
}

type Ask = <T>(path: string, read: (body: unknown) => T) => Promise<Lookup<T>>;

const READERS: Readonly<Record<PaymentProvider, (ask: Ask) => ProviderReader>> = {
  // A restricted key with the rights to read Payment Links, prices and webhook endpoints is enough.
  stripe: (ask) => ({
    findProduct: (id) =>
      id.startsWith('plink_')
        ? ask(`/v1/payment_links/${id}?expand[]=line_items`, readStripeLink)
        : ask(`/v1/prices/${id}`, readStripePrice),
    listEndpoints: () => ask('/v1/webhook_endpoints?limit=100', readEndpoints),
  }),
  polar: (ask) => ({
    async findProduct(id) {
      const product = await ask(`/v1/products/${encodeURIComponent(id)}`, readPolarProduct);
      if ('problem' in product || product.found === null) return product;
      const links = await ask(`/v1/checkout-links/?product_id=${encodeURIComponent(id)}&limit=100`, (body) =>
        listAt(body, 'items').map((link) => ({
          url: textAt(link, 'url') ?? '',
          returnUrl: textAt(link, 'success_url'),
        })),
      );
      return { found: { ...product.found, links: ('found' in links && links.found) || [] } };
    },
    listEndpoints: () => ask('/v1/webhooks/endpoints?limit=100', readEndpoints),
  }),
  // The API gives no currency for a variant: its price is in the currency of the store.
  lemonsqueezy: (ask) => ({
    findProduct: (id) => ask(`/v1/variants/${id}`, readLemonVariant),
    listEndpoints: () => ask('/v1/webhooks?page[size]=100', readEndpoints),
  }),
  gumroad: (ask) => ({
    findProduct: (id) => ask(`/v2/products/${encodeURIComponent(id)}`, readGumroadProduct),
    listEndpoints: () => listGumroadEndpoints(ask),
  }),
};

const textsAt = (value: unknown, ...path: readonly string[]): readonly string[] =>
  listAt(value, ...path).filter((one) => typeof one === 'string');

/**
 * Reads a list of webhooks. Stripe, Polar and Lemon Squeezy use almost the same fields; Lemon Squeezy's webhooks are
 * always active.
 */
const readEndpoints = (body: unknown): readonly ProviderEndpoint[] =>
  [...listAt(body, 'data'), ...listAt(body, 'items')].map((one) => {
    const endpoint = objectAt(one, 'attributes') ?? objectAt(one);
    return {
      url: textAt(endpoint, 'url') ?? '',
      events: [...textsAt(endpoint, 'enabled_events'), ...textsAt(endpoint, 'events')],
      isActive: endpoint?.['status'] !== 'disabled' && endpoint?.['enabled'] !== false,
      version: textAt(endpoint, 'api_version'),
    };
  });

const numberOr = (value: unknown): number | null => (typeof value === 'number' ? value : null);

export function readStripeLink(link: unknown): ProviderProduct {
  const lines = listAt(link, 'line_items', 'data');
  const prices = lines.map((line) => readStripePrice(objectAt(line, 'price')));
  const amounts = prices.map(({ amount }, n) => amount && amount * (integerAt(lines[n], 'quantity') ?? 1));
  return {
    isActive: objectAt(link)?.['active'] === true,
    amount: amounts.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0),
    suggested: prices.length === 1 ? (prices[0]?.suggested ?? null) : null,
    currency: textAt(link, 'currency') ?? prices[0]?.currency ?? null,
    isSubscription: prices.some(({ isSubscription }) => isSubscription),
    isTest: objectAt(link)?.['livemode'] === false,
    links: [
      { url: textAt(link, 'url') ?? '', returnUrl: textAt(link, 'after_completion', 'redirect', 'url') },
    ],
  };
}

function amountsOf(least: unknown, suggested: unknown, isChosen: boolean) {
  const amount = numberOr(least);
  return { amount, suggested: isChosen ? (numberOr(suggested) ?? amount) : null };
}

function readStripePrice(price: unknown): ProviderProduct {
  const {
    active,
    livemode,
    unit_amount: amount,
    recurring,
    custom_unit_amount: custom,
  } = objectAt(price) ?? {};
  return {
    isActive: active === true,
    ...amountsOf(
      amount ?? integerAt(custom, 'minimum'),
      integerAt(custom, 'preset'),
      objectAt(custom) !== null,
    ),
    currency: textAt(price, 'currency'),
    isSubscription: recurring !== null && recurring !== undefined,
    isTest: livemode === false,
    links: [],
  };
}

function readPolarProduct(product: unknown): ProviderProduct {
  const prices = listAt(product, 'prices');
  const [price] = prices;
  return {
    isActive: objectAt(product)?.['is_archived'] !== true,
    // If there are several prices, buyers choose one, so the amount is unknown.
    ...(prices.length === 1
      ? amountsOf(
          objectAt(price)?.['price_amount'] ?? objectAt(price)?.['minimum_amount'],
          objectAt(price)?.['preset_amount'],
          textAt(price, 'amount_type') === 'custom',
        )
      : { amount: null, suggested: null }),
    currency: textAt(price, 'price_currency'),
    isSubscription: objectAt(product)?.['is_recurring'] === true,
    isTest: false,
    links: [],
  };
}

export function readLemonVariant(body: unknown): ProviderProduct {
  const variant = objectAt(body, 'data', 'attributes') ?? {};
  return {
    // A product's only variant has the status "pending", and is sold nevertheless.
    isActive: variant['status'] === 'published' || variant['status'] === 'pending',
    ...amountsOf(
      variant['pay_what_you_want'] === true ? variant['min_price'] : variant['price'],
      variant['suggested_price'],
      variant['pay_what_you_want'] === true,
    ),
    currency: null,
    isSubscription: variant['is_subscription'] === true,
    isTest: variant['test_mode'] === true,
    links: [],
  };
}

export function readGumroadProduct(body: unknown): ProviderProduct {
  const { published, price, customizable_price: isChosen } = objectAt(body, 'product') ?? {};
  return {
    isActive: published === true,
    ...amountsOf(price, null, isChosen === true),
    currency: textAt(body, 'product', 'currency'),
    isSubscription: textAt(body, 'product', 'subscription_duration') !== null,
    isTest: false,
    links: known(textAt(body, 'product', 'short_url')).map((url) => ({ url })),
  };
}

async function listGumroadEndpoints(ask: Ask): Promise<Lookup<readonly ProviderEndpoint[]>> {
  const told = new Map<string, string[]>();
  // Leaves out sales, which the ping in Gumroad's settings reports: the API does not show that ping.
  for (const resource of GUMROAD_EVENTS.filter((event) => event !== 'sale')) {
    const answer = await ask(`/v2/resource_subscriptions?resource_name=${resource}`, (body) =>
      listAt(body, 'resource_subscriptions'),
    );
    if ('problem' in answer) return answer;
    for (const subscription of answer.found ?? []) {
      // The secret at the end of the address is replaced, since `sell check` prints the address.
      const given = textAt(subscription, 'post_url') ?? '';
      const url = given.replace(/(\/webhooks\/gumroad\/)[^/?#]+$/, `$1${PING_PLACE}`);
      told.set(url, [...(told.get(url) ?? ['sale']), resource]);
    }
  }
  const about = { isActive: true, version: null };
  return { found: [...told].map(([url, events]) => ({ url, events, ...about })) };
}
