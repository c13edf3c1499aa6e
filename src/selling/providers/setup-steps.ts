import { type PaymentProvider, PROVIDER_NAMES } from '../../words/payment-provider.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { objectAt } from './json.ts';
import type { Sent, SetupApi } from './setup.ts';

type Difference = {
  readonly wanted: Sent;
  readonly found: unknown;
  readonly wrap?: (changes: Sent) => Sent;
};

/**
 * Sends the fields that differ from those at the provider, if any; a list's order does not matter. `wrap` puts them into
 * the form that the API needs.
 */
export async function sendChanges(
  api: SetupApi,
  path: string,
  { wanted, found, wrap = (changes) => changes }: Difference,
  did: string,
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
