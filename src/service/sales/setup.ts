import { formatPrice } from '../../item/price.ts';
import { PAYMENT_PROVIDERS, type PaymentProvider, PROVIDER_NAMES } from '../../payment-provider.ts';
import type { Lookup, ProviderEndpoint, ProviderProduct, ProviderReader } from '../../providers/product.ts';
import { type SalesConfig, takesSales } from '../../sales-config.ts';
import type { Selling } from '../publish/sellers.ts';
import { addressesOf, type ProviderAddresses } from './addresses.ts';
import { findSetupProblems } from './setup-problems.ts';

/** One product id as this stall names it and as its provider describes it; `seen` is null if the provider was not asked. */
type SetupProduct = {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly price: string;
  readonly seen: string | null;
};

/** The setup of one provider: how many secrets it has, the settings to paste, and every problem with its remedy. */
export type ProviderSetup = ProviderAddresses & {
  readonly provider: PaymentProvider;
  readonly name: string;
  readonly secrets: number;
  readonly testSecrets: number;
  readonly hasKey: boolean;
  readonly products: readonly SetupProduct[];
  readonly problems: readonly string[];
};

type Dependencies = {
  readonly sales: SalesConfig;
  readonly sellings: readonly Selling[];
  readonly origin: string;
  readonly readerOf: (provider: PaymentProvider) => ProviderReader | null;
};

/** Examines every provider that is configured or named by an item, and asks the APIs that have a key. */
export function examineSetup(dependencies: Dependencies): Promise<readonly ProviderSetup[]> {
  const { sales, sellings } = dependencies;
  const used = PAYMENT_PROVIDERS.filter(
    (provider) =>
      takesSales(sales, provider) ||
      sales.apis[provider] !== null ||
      sellings.some(({ sell }) => sell[provider].length > 0),
  );
  return Promise.all(used.map((provider) => examineProvider(provider, dependencies)));
}

async function examineProvider(
  provider: PaymentProvider,
  { sales, sellings, origin, readerOf }: Dependencies,
): Promise<ProviderSetup> {
  const addresses = addressesOf(provider, origin);
  const reader = readerOf(provider);
  const ids = sellings.flatMap((selling) => selling.sell[provider].map((id) => ({ id, selling })));
  const sold = new Set(ids.length > 0 ? [provider] : []);
  const own = findSetupProblems(sales, sold).filter((problem) => problem.provider === provider);
  const endpoints = reader === null ? null : await reader.listEndpoints();
  const looks = await mapOne(ids, async ({ id, selling }) => {
    const looked = reader === null ? null : await reader.findProduct(id);
    return {
      ...describe(id, selling, looked),
      problems: productProblems(provider, id, selling, looked, addresses),
    };
  });
  const secrets = provider === 'gumroad' ? { live: [sales.gumroadPing], test: [] } : sales.secrets[provider];
  return {
    ...addresses,
    provider,
    name: PROVIDER_NAMES[provider],
    secrets: secrets.live.filter((secret) => secret !== null).length,
    testSecrets: secrets.test.length,
    hasKey: sales.apis[provider] !== null,
    products: looks.map(({ problems: _, ...product }) => product),
    problems: [
      ...own.map(({ sentence, remedy }) => `${sentence}. ${remedy}`),
      ...(endpoints === null ? [] : endpointProblems(provider, endpoints, addresses)),
      ...looks.flatMap(({ problems }) => problems),
    ],
  };
}

/** One after the other: providers limit how many requests they take at once. */
async function mapOne<T, R>(values: readonly T[], map: (value: T) => Promise<R>): Promise<readonly R[]> {
  const mapped: R[] = [];
  for (const value of values) mapped.push(await map(value));
  return mapped;
}

function describe(id: string, selling: Selling, looked: Lookup<ProviderProduct> | null): SetupProduct {
  const { slug, title, unitAmountCents, currency } = selling;
  return { id, slug, title, price: formatPrice(unitAmountCents, currency), seen: seenAs(selling, looked) };
}

function seenAs({ currency }: Selling, looked: Lookup<ProviderProduct> | null): string | null {
  if (looked === null) return null;
  if ('problem' in looked) return looked.problem;
  if (looked.found === null) return 'unknown there';
  const { amount, isActive, isSubscription, isTest } = looked.found;
  return [
    isActive ? 'on sale' : 'switched off',
    amount === null ? 'price not told' : formatPrice(amount, looked.found.currency ?? currency),
    ...(isSubscription ? ['subscription'] : []),
    ...(isTest ? ['test mode'] : []),
  ].join(', ');
}

function productProblems(
  provider: PaymentProvider,
  id: string,
  selling: Selling,
  looked: Lookup<ProviderProduct> | null,
  { returnUrl }: ProviderAddresses,
): readonly string[] {
  const name = PROVIDER_NAMES[provider];
  const { slug, file, unitAmountCents, checkoutUrl } = selling;
  const here =
    checkoutUrl === null
      ? [`"${slug}" has no Buy button. Add "checkoutUrl" with the address of its checkout to ${file}`]
      : [];
  if (looked === null) return here;
  if ('problem' in looked)
    return [
      ...here,
      `${id} could not be looked up at ${name}: ${looked.problem}. Check the key and its rights`,
    ];
  if (looked.found === null)
    return [
      ...here,
      `${name} does not know ${id} of ${file}. Correct the id, or use the key of the account that has it`,
    ];
  const { amount, isActive, isTest } = looked.found;
  const price = formatPrice(unitAmountCents, selling.currency);
  const taken = amount === null ? price : formatPrice(amount, looked.found.currency ?? selling.currency);
  return [
    ...here,
    ...(isActive
      ? []
      : [`${id} is switched off at ${name}: nobody can buy "${slug}" by it. Switch it on there`]),
    ...(isTest
      ? [`${id} is of ${name}'s test mode: its sales grant nothing. Name the id of the real product`]
      : []),
    ...(taken === price
      ? []
      : [`"${slug}" is ${price} here and ${taken} at ${name} (${id}). Change one of the two prices`]),
    ...(provider !== 'stripe' || !id.startsWith('plink_') || looked.found.returnUrl === returnUrl
      ? []
      : [`${id} does not send its buyers back here. Let its confirmation page redirect to ${returnUrl}`]),
  ];
}

function endpointProblems(
  provider: PaymentProvider,
  looked: Lookup<readonly ProviderEndpoint[]>,
  { webhook, events }: ProviderAddresses,
): readonly string[] {
  const name = PROVIDER_NAMES[provider];
  if ('problem' in looked)
    return [`The webhooks at ${name} could not be listed: ${looked.problem}. Check the key and its rights`];
  const own = (looked.found ?? []).filter(({ url }) => url === webhook);
  if (own.length === 0) return [`${name} sends no events to ${webhook}. Add it there as a webhook`];
  return own.flatMap((endpoint) => {
    const missing = endpoint.events.includes('*')
      ? []
      : events.filter((event) => !endpoint.events.includes(event));
    return [
      ...(endpoint.isActive ? [] : [`The webhook at ${name} is switched off. Switch it on there`]),
      ...(missing.length === 0
        ? []
        : [`The webhook at ${name} does not send ${missing.join(', ')}. Choose them there`]),
    ];
  });
}

/** Why no provider could reach a stall at this origin, or null. */
export function originProblem(origin: string): string | null {
  const { protocol, hostname } = new URL(origin);
  const isOwn = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  if (protocol === 'https:' && !isOwn) return null;
  return `No payment provider can reach ${origin}. They need a public https address: set it with --base-url`;
}
