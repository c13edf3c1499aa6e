import type { Manifest } from '../catalog/item.rule.ts';
import type { ItemKind } from '../platform/base/principal.ts';
import type { Sell } from '../catalog/manifest-key.rule.ts';
import { type Catalog } from '../catalog/catalog.ts';
import { listOffers } from '../selling/offer.ts';
import { formatPrice } from '../catalog/price.rule.ts';
import type { Log } from '../platform/base/log.ts';
import {
  isSigning,
  PAYMENT_PROVIDERS,
  type PaymentProvider,
  PROVIDER_NAMES,
} from '../words/payment-provider.ts';
import type { SetupOffer } from '../selling/providers/setup.ts';
import type {
  Lookup,
  ProviderEndpoint,
  ProviderProduct,
  ProviderReader,
} from '../selling/providers/provider-product.ts';
import { GUMROAD_EVENTS, PING_PLACE } from '../selling/providers/gumroad.ts';
import { LEMONSQUEEZY_EVENTS } from '../selling/providers/lemonsqueezy.ts';
import { POLAR_EVENTS } from '../selling/providers/polar.ts';
import { STRIPE_EVENTS } from '../selling/providers/stripe.ts';
import { type SalesConfig, secretVariable, takesSales } from '../platform/config/sales.ts';
import { listPushedFolders } from './pushed.ts';
import { listItemFolders, scanItem } from './scan.ts';
import { readStall } from '../catalog/stall-edition.ts';
import { createItemCheck } from './check.ts';
import type { Config } from '../platform/config/config.ts';
import type { LastSale } from '../selling/order.ts';
import { RETURNS, returnUrlOf } from '../selling/claim.rule.ts';

/**
 * The webhook of a provider: the event types that are read, the versions of the API whose events can be read (null if it
 * sends only one), and the beginning of every signing secret.
 */
type Webhook = {
  readonly events: readonly string[];
  readonly versions: RegExp | null;
  readonly secret: string;
};

const WEBHOOKS: Readonly<Record<PaymentProvider, Webhook>> = {
  stripe: {
    events: STRIPE_EVENTS,
    versions: /^(?:20\d\d-\d\d-\d\d(?:\.(?:acacia|basil|clover|dahlia|endive))?)?$/,
    secret: 'whsec_',
  },
  polar: { events: POLAR_EVENTS, versions: /^(?:2026-04|2026-10|2027-01)?$/, secret: '' },
  lemonsqueezy: { events: LEMONSQUEEZY_EVENTS, versions: null, secret: '' },
  gumroad: { events: GUMROAD_EVENTS, versions: null, secret: '' },
};

/**
 * Returns what an owner pastes at a provider: the address for events, their types, and the address that buyers return to,
 * with the provider's placeholder for the sale; null if it sends nobody back. For Gumroad, the first has a placeholder for
 * its secret.
 */
export function addressesOf(provider: PaymentProvider, origin: string) {
  const { placeholder } = RETURNS[provider];
  const webhook = `${origin}/webhooks/${provider}`;
  return {
    webhook: isSigning(provider) ? webhook : `${webhook}/${PING_PLACE}`,
    events: WEBHOOKS[provider].events,
    returnUrl: placeholder === null ? null : returnUrlOf(provider, origin, placeholder),
  };
}

type Addresses = ReturnType<typeof addressesOf>;

/** Finds the providers whose product ids and secrets do not fit together, such as ids without a secret. */
export const findSetupProblems = (sales: SalesConfig, sold: ReadonlySet<string>) =>
  PAYMENT_PROVIDERS.flatMap((provider) => problemOf(sales, provider, sold.has(provider)) ?? []);

function problemOf(sales: SalesConfig, provider: PaymentProvider, isSold: boolean) {
  const [name, variable] = [PROVIDER_NAMES[provider], secretVariable(provider)];
  const fault = (sentence: string, remedy: string) => ({ provider, sentence, remedy });
  if (!isSold && !takesSales(sales, provider)) return null;
  if (!isSold)
    return fault(
      `${variable} is set, but no item names an id of ${name}: its sales lead to nothing`,
      `Add "sell: {${provider}: [id]}" to an item.yaml, or remove the variable`,
    );
  if (!sales.isOn)
    return fault(
      `Items name ids of ${name}, but sales are switched off: they make no grants`,
      'Set BOOKSTALL_SALES to live; the demo takes no sales',
    );
  if (!takesSales(sales, provider))
    return fault(
      `Items name ids of ${name}, but ${variable} is not set: its sales make no grants`,
      `Run "${setupOf(provider)}", or set it to the secret that ${name} has for this stall`,
    );
  if (!isSigning(provider)) return null;
  const { live } = sales.secrets[provider];
  const { secret } = WEBHOOKS[provider];
  if (live.length === 0)
    return fault(
      `Only test sales of ${name} are verified: real ones make no grants`,
      `Set ${variable} beside ${variable}_TEST`,
    );
  if (!live.every((one) => one.startsWith(secret)))
    return fault(
      `${variable} does not begin with "${secret}", as a signing secret of ${name} does: its sales make no grants`,
      `Copy the signing secret of the webhook endpoint from ${name}, not an API key`,
    );
  return null;
}

/**
 * Creates a function that logs problems which keep sales from opening items. It is called with each new catalog, and
 * logs only changes.
 */
export function createSetupLog(config: Pick<Config, 'sales'>, log: Log): (catalog: Catalog) => void {
  let last = '';
  return (catalog) => {
    const sold = new Set(listOffers(catalog).map(({ provider }) => provider));
    const problems = findSetupProblems(config.sales, sold);
    const sentences = problems.map(({ sentence, remedy }) => `${sentence}. ${remedy}`);
    if (sentences.join('\n') !== last) for (const message of sentences) log({ event: 'sale-setup', message });
    last = sentences.join('\n');
  };
}

type Sources = {
  readonly readerOf: (provider: PaymentProvider) => ProviderReader | null;
  readonly lastSales: (provider: PaymentProvider, product: string) => Promise<readonly LastSale[]>;
};

export type ProviderSetup = Addresses & {
  readonly provider: PaymentProvider;
  readonly name: string;
  readonly secrets: number;
  readonly testSecrets: number;
  readonly hasKey: boolean;
  /** `price` is written for people. `seen` describes the product at the provider; null without an API key. */
  readonly products: readonly (Readonly<Record<'id' | 'slug' | 'title' | 'price', string>> & {
    readonly seen: string | null;
  })[];
  readonly problems: readonly string[];
};

type SaleSetup = {
  readonly sales: SalesConfig;
  readonly sellings: readonly Selling[];
  readonly origin: string;
};

/**
 * Checks the setup of each provider that is configured or that an item names. Asks its API if there is a key, else
 * looks at the stall's own sales.
 */
export function examineSetup(setup: SaleSetup, sources: Sources): Promise<readonly ProviderSetup[]> {
  const { sales, sellings } = setup;
  const used = PAYMENT_PROVIDERS.filter(
    (provider) =>
      takesSales(sales, provider) ||
      sales.apis[provider] !== null ||
      sellings.some(({ sell }) => sell[provider].length > 0),
  );
  return Promise.all(used.map((provider) => examineProvider(provider, setup, sources)));
}

async function examineProvider(
  provider: PaymentProvider,
  { sales, sellings, origin }: SaleSetup,
  sources: Sources,
): Promise<ProviderSetup> {
  const addresses = addressesOf(provider, origin);
  const reader = sources.readerOf(provider);
  const sold = new Set(sellings.some(({ sell }) => sell[provider].length > 0) ? [provider] : []);
  const own = findSetupProblems(sales, sold).filter((problem) => problem.provider === provider);
  const endpoints = reader === null ? null : await reader.listEndpoints();
  const products = [];
  const problems: string[] = [];
  for (const selling of sellings) {
    const seen: Seen[] = [];
    // One product after the other, since providers limit the number of requests at a time.
    for (const id of selling.sell[provider])
      seen.push({ id, looked: reader === null ? null : await reader.findProduct(id) });
    const { slug, title } = selling;
    const price = formatPrice(selling.unitAmountCents, selling.currency, selling.suggestedAmountCents);
    for (const { id, looked } of seen)
      products.push({ id, slug, title, price, seen: seenAs(selling, looked) });
    // Only the first id is looked at: after a change of price, the new link comes first.
    const last =
      reader === null && seen[0] !== undefined ? await sources.lastSales(provider, seen[0].id) : [];
    problems.push(
      ...sellingProblems(provider, selling, seen, addresses),
      ...saleProblems(provider, selling, last),
    );
  }
  const secrets = isSigning(provider) ? sales.secrets[provider] : { live: [sales.gumroadPing], test: [] };
  return {
    ...addresses,
    provider,
    name: PROVIDER_NAMES[provider],
    secrets: secrets.live.filter((secret) => secret !== null).length,
    testSecrets: secrets.test.length,
    hasKey: sales.apis[provider] !== null,
    products,
    problems: [
      ...own.map(({ sentence, remedy }) => `${sentence}. ${remedy}`),
      ...(endpoints === null ? [] : endpointProblems(provider, endpoints, addresses)),
      ...problems,
    ],
  };
}

function seenAs({ currency }: Selling, looked: Lookup<ProviderProduct> | null): string | null {
  if (looked === null) return null;
  if ('problem' in looked) return looked.problem;
  if (looked.found === null) return 'unknown there';
  const { amount, suggested, isActive, isSubscription, isTest } = looked.found;
  return [
    isActive ? 'on sale' : 'switched off',
    amount === null ? 'price not told' : formatPrice(amount, looked.found.currency ?? currency, suggested),
    ...(isSubscription ? ['subscription'] : []),
    ...(isTest ? ['test mode'] : []),
  ].join(', ');
}

/** An id of an item at a provider, and the provider's answer about it; `looked` is null without an API key. */
type Seen = { readonly id: string; readonly looked: Lookup<ProviderProduct> | null };

function sellingProblems(
  provider: PaymentProvider,
  { slug, file, unitAmountCents, suggestedAmountCents = null, currency, checkoutUrl, sell }: Selling,
  seen: readonly Seen[],
  { returnUrl }: Addresses,
): readonly string[] {
  const name = PROVIDER_NAMES[provider];
  const price = formatPrice(unitAmountCents, currency, suggestedAmountCents);
  const isButton = (url: string) => checkoutUrl !== null && pageOf(url) === pageOf(checkoutUrl);
  const urls = seen.flatMap(({ looked }) =>
    looked !== null && 'found' in looked && looked.found?.isActive
      ? looked.found.links.map(({ url }) => url)
      : [],
  );
  const isOnlyHere = PAYMENT_PROVIDERS.every((one) => one === provider || sell[one].length === 0);
  const leadsAway = urls.length > 0 && isOnlyHere && !urls.some(isButton);
  return [
    ...told(
      seen.length > 0 &&
        checkoutUrl === null &&
        `"${slug}" has no Buy button. Add "checkoutUrl" with the address of its checkout to ${file}`,
      checkoutUrl !== null &&
        leadsAway &&
        `The Buy button of "${slug}" leads to ${checkoutUrl}, and it is bought at ${urls[0]}. Correct "checkoutUrl" in ${file}`,
    ),
    ...seen.flatMap(({ id, looked }) => {
      if (looked === null) return [];
      if ('problem' in looked)
        return [`${id} could not be looked up at ${name}: ${looked.problem}. Check the key and its rights`];
      const { found } = looked;
      if (found === null)
        return [
          `${name} does not know ${id} of ${file}. Correct the id, or use the key of the account that has it`,
        ];
      // The old link of an item whose price changed is inactive at the provider, but still in item.yaml, for late sales by
      // it.
      if (!found.isActive && urls.length > 0) return [];
      // If item.yaml suggests no price, the product at the provider may let buyers choose theirs: then the item's price is
      // not compared.
      const isOwn = found.amount === null || (found.suggested !== null && suggestedAmountCents === null);
      const taken = isOwn ? price : formatPrice(found.amount, found.currency ?? currency, found.suggested);
      const link = found.links.find(({ url }) => isButton(url)) ?? found.links[0];
      return told(
        !found.isActive &&
          `${id} is switched off at ${name}: nobody can buy "${slug}" by it. Switch it on there`,
        found.isTest &&
          `${id} is of ${name}'s test mode: its sales grant nothing. Name the id of the real product`,
        taken !== price &&
          `"${slug}" is ${price} here and ${taken} at ${name} (${id}). ${priceRemedy(provider)}`,
        link?.returnUrl !== undefined &&
          link.returnUrl !== returnUrl &&
          `${id} does not send its buyers back here. Let it lead to ${returnUrl} after paying: ${setupOf(provider)}`,
      );
    }),
  ];
}

const told = (...sentences: readonly (string | false)[]) => sentences.filter((one) => one !== false);

/** Returns the last part of the path in a checkout's address, which is the same in all addresses of one checkout. */
const pageOf = (url: string): string | undefined => URL.parse(url)?.pathname.split('/').findLast(Boolean);

const setupOf = (provider: PaymentProvider): string => `bookstall sell setup ${provider}`;

const priceRemedy = (provider: PaymentProvider): string =>
  `Change the price at ${PROVIDER_NAMES[provider]}: ${setupOf(provider)}`;

/**
 * Reports a problem if none of the last sales was at the item's price, with or without tax. One such sale is enough: the
 * others may have had a discount, or date from before a change of the price.
 */
function saleProblems(
  provider: PaymentProvider,
  { slug, file, unitAmountCents, suggestedAmountCents, currency }: Selling,
  sales: readonly LastSale[],
): readonly string[] {
  const isPrice = (sale: LastSale) =>
    sale.currency === currency &&
    (suggestedAmountCents != null || [sale.amount, sale.amount - sale.tax].includes(unitAmountCents));
  if (sales.length === 0 || sales.some(isPrice)) return [];
  const took = new Set(sales.map((sale) => formatPrice(sale.amount - sale.tax, sale.currency ?? '')));
  const which = sales.length === 1 ? 'last sale' : `last ${sales.length} sales`;
  return [
    `The ${which} of "${slug}" took ${[...took].join(', ')}, and ${file} says ${formatPrice(unitAmountCents, currency)}. ${priceRemedy(provider)}`,
  ];
}

function endpointProblems(
  provider: PaymentProvider,
  looked: Lookup<readonly ProviderEndpoint[]>,
  { webhook, events }: Addresses,
): readonly string[] {
  const name = PROVIDER_NAMES[provider];
  if ('problem' in looked)
    return [`The webhooks at ${name} could not be listed: ${looked.problem}. Check the key and its rights`];
  const own = (looked.found ?? []).filter(({ url }) => url === webhook);
  if (own.length === 0) return [`${name} sends no events to ${webhook}. Add it there: ${setupOf(provider)}`];
  const mend = setupOf(provider);
  return own.flatMap(({ events: sent, isActive, version }) => {
    const missing = sent.includes('*') ? [] : events.filter((event) => !sent.includes(event));
    const more = sent.filter((event) => !events.includes(event));
    return told(
      !isActive && `The webhook at ${name} is switched off. Switch it on: ${mend}`,
      missing.length > 0 &&
        `The webhook at ${name} does not send ${missing.join(', ')}. Choose them there: ${mend}`,
      more.length > 0 &&
        `The webhook at ${name} also sends ${more.join(', ')}, which can name people who bought nothing here. Leave that out: ${mend}`,
      WEBHOOKS[provider].versions?.test(version ?? '') === false &&
        `The webhook at ${name} sends version ${version}, which this Bookstall does not know. Update Bookstall, or replace the webhook: ${mend} --new-secret`,
    );
  });
}

export function originProblem(origin: string): string | null {
  const { protocol, hostname } = new URL(origin);
  const isOwn = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  if (protocol === 'https:' && !isOwn) return null;
  return `No payment provider can reach ${origin}. They need a public https address: set BOOKSTALL_BASE_URL to it`;
}

export function findMixedBundles(config: Roots): readonly string[] {
  const priced = listPriced(config);
  const judge = createItemCheck(priced.filter(({ items }) => items === undefined));
  return priced
    .flatMap(({ items, ...bundle }) => (items === undefined ? [] : judge({ ...bundle, items })))
    .flatMap(({ code, sentence, remedy }) => (code === 'bundled-currency' ? `${sentence}. ${remedy}` : []));
}

export const listSellings = (config: Roots): readonly Selling[] =>
  listPriced(config).flatMap(({ sell, ...priced }) => (sell === null ? [] : [{ ...priced, sell }]));

type Roots = Pick<Config, 'content' | 'data' | 'limits'>;

/**
 * Lists the items and bundles that have a price, pushed items too. Items with errors are left out, since they sell
 * nothing. Reads only item.yaml and SKILL.md files.
 */
export function listPriced({ content, data, limits }: Roots): readonly Priced[] {
  const { stall } = readStall(content);
  const folders = [...(listItemFolders(content) ?? []), ...listPushedFolders(data)];
  const items = folders.flatMap((folder) => {
    const { manifest } = scanItem({ ...folder, defaults: stall.defaults }, limits);
    const file = `${folder.kind}s/${folder.slug}/item.yaml`;
    return manifest === null ? [] : [{ ...manifest, file, isPushed: folder.isPushed === true }];
  });
  const bundles = stall.bundles.map((bundle) => ({
    ...bundle,
    kind: 'bundle' as const,
    formerly: [],
    status: 'published' as const,
    file: 'stall.yaml',
    isPushed: false,
  }));
  return [...items, ...bundles].flatMap(({ unitAmountCents, ...priced }) =>
    unitAmountCents === null || unitAmountCents === 0 ? [] : [{ ...priced, unitAmountCents }],
  );
}

/** An item or bundle with a price. `file` names it in sentences, such as "books/field-notes/item.yaml" or "stall.yaml". */
export type Priced = SetupOffer & {
  readonly kind: ItemKind | 'bundle';
  readonly items?: readonly string[];
  readonly formerly: readonly string[];
  readonly status: Manifest['status'];
  readonly file: string;
  /** Whether the item was pushed, so that no command may change its file. */
  readonly isPushed: boolean;
  readonly sell: Sell | null;
};

type Selling = Priced & { readonly sell: Sell };
