// https://docs.stripe.com/api/payment-link/object, /api/prices/object and /api/webhook_endpoints/object.
import type { ProviderApi } from '../config/sales.ts';
import { integerAt, listAt, objectAt, textAt } from '../sales/json.ts';
import {
  askProvider,
  type ProviderEndpoint,
  type ProviderProduct,
  type ProviderReader,
  readLookup,
} from './history.ts';

/** Reads Payment Links, prices and webhook endpoints of Stripe; a restricted key with these three rights is enough. */
export function createStripeReader(api: ProviderApi): ProviderReader {
  return {
    async findProduct(id) {
      const isLink = id.startsWith('plink_');
      const path = isLink ? `/v1/payment_links/${id}?expand[]=line_items` : `/v1/prices/${id}`;
      return readLookup(await askProvider(api, path), isLink ? readLink : readPrice);
    },
    async listEndpoints() {
      return readLookup(await askProvider(api, '/v1/webhook_endpoints?limit=100'), (body) =>
        listAt(body, 'data').map(readEndpoint),
      );
    },
  };
}

function readLink(link: unknown): ProviderProduct {
  const lines = listAt(link, 'line_items', 'data');
  const prices = lines.map((line) => readPrice(objectAt(line, 'price')));
  const [first] = prices;
  const amounts = prices.map(({ amount }, n) => amount && amount * (integerAt(lines[n], 'quantity') ?? 1));
  return {
    isActive: objectAt(link)?.['active'] === true,
    amount: amounts.some((one) => one === null)
      ? null
      : amounts.reduce<number>((sum, one) => sum + (one ?? 0), 0),
    currency: textAt(link, 'currency') ?? first?.currency ?? null,
    isSubscription: prices.some(({ isSubscription }) => isSubscription),
    isTest: objectAt(link)?.['livemode'] === false,
    returnUrl: textAt(link, 'after_completion', 'redirect', 'url'),
  };
}

function readPrice(price: unknown): ProviderProduct {
  const { active, livemode, unit_amount: amount, recurring } = objectAt(price) ?? {};
  return {
    isActive: active === true,
    amount: typeof amount === 'number' ? amount : null,
    currency: textAt(price, 'currency'),
    isSubscription: recurring !== null && recurring !== undefined,
    isTest: livemode === false,
    returnUrl: null,
  };
}

function readEndpoint(endpoint: unknown): ProviderEndpoint {
  return {
    url: textAt(endpoint, 'url') ?? '',
    events: listAt(endpoint, 'enabled_events').filter((event) => typeof event === 'string'),
    isActive: textAt(endpoint, 'status') === 'enabled',
    isTest: objectAt(endpoint)?.['livemode'] === false,
    version: textAt(endpoint, 'api_version'),
  };
}
