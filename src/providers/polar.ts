// https://polar.sh/docs/api-reference/products/get and /api-reference/webhooks/endpoints/list.
import type { ProviderApi } from '../config/sales.ts';
import { listAt, objectAt, textAt } from '../sales/json.ts';
import {
  askProvider,
  type ProviderEndpoint,
  type ProviderProduct,
  type ProviderReader,
  readLookup,
} from './history.ts';

/** Reads products and webhook endpoints of Polar. Its sandbox is another server, with keys of its own. */
export function createPolarReader(api: ProviderApi): ProviderReader {
  return {
    async findProduct(id) {
      return readLookup(await askProvider(api, `/v1/products/${encodeURIComponent(id)}`), readProduct);
    },
    async listEndpoints() {
      return readLookup(await askProvider(api, '/v1/webhooks/endpoints?limit=100'), (body) =>
        listAt(body, 'items').map(readEndpoint),
      );
    },
  };
}

function readProduct(product: unknown): ProviderProduct {
  const prices = listAt(product, 'prices');
  const [price] = prices;
  const amount = objectAt(price)?.['price_amount'];
  return {
    isActive: objectAt(product)?.['is_archived'] !== true,
    // With several prices the buyer chooses.
    amount: prices.length === 1 && typeof amount === 'number' ? amount : null,
    currency: textAt(price, 'price_currency'),
    isSubscription: objectAt(product)?.['is_recurring'] === true,
    isTest: false,
    returnUrl: null,
  };
}

function readEndpoint(endpoint: unknown): ProviderEndpoint {
  return {
    url: textAt(endpoint, 'url') ?? '',
    events: listAt(endpoint, 'events').filter((event) => typeof event === 'string'),
    isActive: objectAt(endpoint)?.['enabled'] !== false,
    isTest: false,
    version: null,
  };
}
