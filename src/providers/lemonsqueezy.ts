// https://docs.lemonsqueezy.com/api/variants/the-variant-object and /api/webhooks/the-webhook-object (JSON:API).
import type { ProviderApi } from '../config/sales.ts';
import { listAt, objectAt, textAt } from '../sales/json.ts';
import {
  askProvider,
  type ProviderEndpoint,
  type ProviderProduct,
  type ProviderReader,
  readLookup,
} from './history.ts';

const HEADERS = { Accept: 'application/vnd.api+json' };

/** Reads variants and webhooks of Lemon Squeezy. Prices are in the store's currency, which a variant does not say. */
export function createLemonSqueezyReader(api: ProviderApi): ProviderReader {
  return {
    async findProduct(id) {
      return readLookup(await askProvider(api, `/v1/variants/${id}`, HEADERS), readVariant);
    },
    async listEndpoints() {
      return readLookup(await askProvider(api, '/v1/webhooks?page[size]=100', HEADERS), (body) =>
        listAt(body, 'data').map(readEndpoint),
      );
    },
  };
}

function readVariant(body: unknown): ProviderProduct {
  const {
    status,
    price,
    is_subscription: isSubscription,
    test_mode: isTest,
  } = objectAt(body, 'data', 'attributes') ?? {};
  return {
    // The only variant of a product is "pending", and is sold all the same.
    isActive: status === 'published' || status === 'pending',
    amount: typeof price === 'number' ? price : null,
    currency: null,
    isSubscription: isSubscription === true,
    isTest: isTest === true,
    returnUrl: null,
  };
}

function readEndpoint(endpoint: unknown): ProviderEndpoint {
  return {
    url: textAt(endpoint, 'attributes', 'url') ?? '',
    events: listAt(endpoint, 'attributes', 'events').filter((event) => typeof event === 'string'),
    isActive: true,
    isTest: objectAt(endpoint, 'attributes')?.['test_mode'] === true,
    version: null,
  };
}
