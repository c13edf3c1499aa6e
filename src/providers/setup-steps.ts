import { formatPrice } from '../item/price.ts';
import { type PaymentProvider, PROVIDER_NAMES } from '../payment-provider.ts';
import { Refusal } from '../refusal.ts';
import { objectAt } from '../sales/json.ts';
import type { ProviderProduct } from './readers.ts';
import type { Sent, SetupApi, Wanted } from './setup.ts';

/** Writes the fields that differ from those found, if there are any; a list may be in any order. `wrap` puts them where the API has them. */
export async function sendChanges(
  api: SetupApi,
  path: string,
  wanted: Sent,
  found: unknown,
  did: string,
  wrap = (changes: Sent): Sent => changes,
  method: 'PATCH' | 'POST' = 'PATCH',
): Promise<void> {
  const plain = (value: unknown) => (Array.isArray(value) ? new Set(value) : value);
  const changes = Object.entries(wanted).filter(
    ([name, value]) => !Bun.deepEquals(plain(objectAt(found)?.[name]), plain(value)),
  );
  if (changes.length > 0) await api.send(method, path, wrap(Object.fromEntries(changes)), did);
}

export function refuseUnknown(provider: PaymentProvider, slug: string, id: string): never {
  throw Refusal.invalid(
    `Cannot set up "${slug}": ${PROVIDER_NAMES[provider]} does not know ${id}; correct the id, or use a key of the account that has it`,
  );
}

/** What the owner does at a provider whose API makes no products; `product` is the one of the item's id. Refuses an unknown id. */
export function doByHand(
  provider: PaymentProvider,
  { slug, title, ids: [id], unitAmountCents, currency }: Wanted,
  product: ProviderProduct | null,
  page: string,
  example: string,
): readonly string[] {
  const price = formatPrice(unitAmountCents, currency);
  if (id === undefined)
    return [
      `Make "${title}" for ${price} at ${page}, add its id to "${slug}", as in "sell: {${provider}: [${example}]}", and run this again`,
    ];
  const { amount, currency: code, isActive } = product ?? refuseUnknown(provider, slug, id);
  const taken = formatPrice(amount ?? unitAmountCents, code?.toLowerCase() ?? currency);
  const wrong = taken === price ? [] : [`Change the price of "${slug}" from ${taken} to ${price} at ${page}`];
  return isActive ? wrong : [...wrong, `Publish "${slug}" at ${page}`];
}
