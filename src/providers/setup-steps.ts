import { formatPrice } from '../item/price.ts';
import { type PaymentProvider, PROVIDER_NAMES } from '../payment-provider.ts';
import { Refusal } from '../refusal.ts';
import { objectAt } from '../sales/json.ts';
import type { ProviderProduct } from './readers.ts';
import type { Sent, SetupApi, SetUpItem, Wanted } from './setup.ts';

/** Writes the fields that differ from those found, if there are any; a list may be in any order. `wrap` puts them where the API has them. */
export async function sendChanges(
  api: SetupApi,
  path: string,
  wanted: Sent,
  found: unknown,
  did: string,
  wrap = (changes: Sent): Sent => changes,
): Promise<void> {
  const plain = (value: unknown) => (Array.isArray(value) ? new Set(value) : value);
  const changes = Object.entries(wanted).filter(
    ([name, value]) => !Bun.deepEquals(plain(objectAt(found)?.[name]), plain(value)),
  );
  if (changes.length > 0) await api.send('PATCH', path, wrap(Object.fromEntries(changes)), did);
}

export function refuseUnknown(provider: PaymentProvider, slug: string, id: string): never {
  throw Refusal.invalid(
    `Cannot set up "${slug}": ${PROVIDER_NAMES[provider]} does not know ${id}; correct the id, or use a key of the account that has it`,
  );
}

/**
 * What a provider whose API makes no products has for an item, and what its owner does there. `product` is the one of the
 * item's id. Refuses an unknown id.
 */
export function madeByHand(
  provider: PaymentProvider,
  { slug, title, ids: [id], unitAmountCents, currency, checkoutUrl, returnUrl }: Wanted,
  product: ProviderProduct | null,
  page: string,
  example: string,
): SetUpItem {
  const price = formatPrice(unitAmountCents, currency);
  const make = `Make "${title}" for ${price} at ${page}, add its id to "${slug}", as in "sell: {${provider}: [${example}]}", and run this again`;
  if (id === undefined) return { id: null, checkoutUrl: null, byHand: [make] };
  const { amount, currency: code, isActive, isTest, links } = product ?? refuseUnknown(provider, slug, id);
  const taken = formatPrice(amount ?? unitAmountCents, code?.toLowerCase() ?? currency);
  const button = `Let the buttons of the confirmation and of the receipt of "${slug}" lead to ${returnUrl} at ${page}`;
  const byHand = [
    taken !== price && `Change the price of "${slug}" from ${taken} to ${price} at ${page}`,
    isTest && `${id} is of the test mode: name the product that is sold, and use a key of the live mode`,
    !isActive && `Publish "${slug}" at ${page}`,
    checkoutUrl === null && returnUrl !== '' && button,
  ].filter((one) => one !== false);
  return { id, checkoutUrl: links[0]?.url ?? null, byHand };
}
