// https://gumroad.com/api#products and #resource-subscriptions.
import { PING_PLACE } from '../sales/gumroad.ts';
import type { ProviderApi } from '../config/sales.ts';
import { listAt, objectAt, textAt } from '../sales/json.ts';
import {
  askProvider,
  type ProviderEndpoint,
  type ProviderProduct,
  type ProviderReader,
  readLookup,
} from './history.ts';

/**
 * The events that need a subscription of their own. The ping in Gumroad's settings reports sales alone, and no API shows
 * it.
 */
const RESOURCES = [
  'refund',
  'dispute',
  'dispute_won',
  'cancellation',
  'subscription_ended',
  'subscription_restarted',
];

/** Reads products and webhook subscriptions of Gumroad. */
export function createGumroadReader(api: ProviderApi): ProviderReader {
  return {
    async findProduct(id) {
      return readLookup(await askProvider(api, `/v2/products/${encodeURIComponent(id)}`), readProduct);
    },
    async listEndpoints() {
      const told = new Map<string, string[]>();
      for (const resource of RESOURCES) {
        const answer = await askProvider(api, `/v2/resource_subscriptions?resource_name=${resource}`);
        if (answer.state === 'failed') return { problem: answer.reason };
        const body = answer.state === 'found' ? answer.body : {};
        for (const subscription of listAt(body, 'resource_subscriptions')) {
          const url = hideSecret(textAt(subscription, 'post_url') ?? '');
          told.set(url, [...(told.get(url) ?? ['sale']), resource]);
        }
      }
      return { found: [...told].map(([url, events]) => describe(url, events)) };
    },
  };
}

/** The address as `sell check` prints it, without its secret. */
function hideSecret(url: string): string {
  return url.replace(/(\/webhooks\/gumroad\/)[^/?#]+$/, `$1${PING_PLACE}`);
}

function describe(url: string, events: readonly string[]): ProviderEndpoint {
  return { url, events, isActive: true, isTest: false, version: null };
}

function readProduct(body: unknown): ProviderProduct {
  const { published, price, subscription_duration: duration } = objectAt(body, 'product') ?? {};
  return {
    isActive: published === true,
    amount: typeof price === 'number' ? price : null,
    currency: textAt(body, 'product', 'currency'),
    isSubscription: typeof duration === 'string' && duration !== '',
    isTest: false,
    returnUrl: null,
  };
}
