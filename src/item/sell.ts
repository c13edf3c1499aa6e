import { quote } from './problem.ts';
import { PAYMENT_PROVIDERS, type PaymentProvider, PROVIDER_NAMES } from '../payment-provider.ts';
import { didYouMean, type Field, line, list, refine, type Report } from './field.ts';
import { currency, price } from './manifest-key.ts';
import type { YamlMap, YamlValue } from './strict-yaml.ts';

/**
 * The provider's ids that sell an item or a bundle. `least` is the smallest net amount by currency, in minor units; null
 * takes every amount.
 */
export type Sell = Readonly<Record<PaymentProvider, readonly string[]>> & {
  readonly least: Readonly<Record<string, number>> | null;
};

const MOST_IDS = 100;
const KEYS = [...PAYMENT_PROVIDERS, 'least'];

const ID_FORMS: Readonly<Record<PaymentProvider, { readonly form: RegExp; readonly remedy: string }>> = {
  stripe: {
    form: /^(plink|price)_[A-Za-z0-9]{1,200}$/,
    remedy:
      'Write the id of a Payment Link, which begins with "plink_", or of a price, which begins with "price_"',
  },
  polar: {
    form: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    remedy: 'Write the id of the product, as in "7c2d3f80-1b2c-4d3e-8f90-0123456789ab"',
  },
  lemonsqueezy: { form: /^[1-9][0-9]{0,15}$/, remedy: 'Write the id of the variant, which is a number' },
  gumroad: {
    form: /^[A-Za-z0-9_-]{1,100}={0,2}$/,
    remedy: 'Write the id of the product, as in "Ex4mple=="',
  },
};

/** A mapping of providers to ids, as in `stripe: [plink_1Ab]`, and of `least`. */
export const sell: Field<Sell> = (value, key, report) => {
  if (!(value instanceof Map)) {
    report(
      'not-a-mapping',
      `Cannot read "${key}" as a mapping`,
      `Write a provider and its ids, as in "${key}: {stripe: [plink_1Ab]}"`,
    );
    return null;
  }
  for (const name of value.keys())
    if (!KEYS.includes(name))
      report(
        'unknown-key',
        `Cannot read ${quote(name)} in "${key}"`,
        didYouMean(name, KEYS, `Use ${KEYS.map((known) => `"${known}"`).join(', ')}`),
      );
  const ids = PAYMENT_PROVIDERS.map((provider) => [provider, readIds(provider, value, key, report)] as const);
  if (!PAYMENT_PROVIDERS.some((provider) => value.has(provider)))
    report('no-sell-id', `Cannot find an id in "${key}"`, 'Name the id of a product at a payment provider');
  return {
    ...(Object.fromEntries(ids) as Record<PaymentProvider, readonly string[]>),
    least: readLeast(value.get('least'), `${key}.least`, report),
  };
};

function readIds(
  provider: PaymentProvider,
  entries: YamlMap,
  key: string,
  report: Report,
): readonly string[] {
  const written = entries.get(provider);
  if (written === undefined) return [];
  const name = `${key}.${provider}`;
  const values = Array.isArray(written) ? written : [written];
  if (values.length === 0 || values.length > MOST_IDS)
    report('bad-sell-ids', `Cannot use ${values.length} ids in "${name}"`, `Name 1 to ${MOST_IDS}`);
  return list(idOf(provider), (id) => id)(values, name, report) ?? [];
}

function idOf(provider: PaymentProvider): Field<string> {
  const { form, remedy } = ID_FORMS[provider];
  return refine(line(2000), 'bad-sell-id', `${remedy} (${PROVIDER_NAMES[provider]})`, (text) => {
    // A UUID is one id in either case; the other ids differ by case.
    const id = provider === 'polar' ? text.toLowerCase() : text;
    return form.test(id) ? id : null;
  });
}

function readLeast(value: YamlValue | undefined, key: string, report: Report): Sell['least'] {
  if (value === undefined) return null;
  if (!(value instanceof Map) || value.size === 0) {
    report(
      'bad-least',
      `Cannot read "${key}"`,
      `Write a currency and its minor units, as in "${key}: {usd: 500}" for $5`,
    );
    return null;
  }
  const amounts = [...value].map(([code, amount]) => {
    const known = currency(code, key, report);
    const units = price(amount, `${key}.${code}`, report);
    return known === null || units === null ? null : ([known, units] as const);
  });
  return Object.fromEntries(amounts.filter((one) => one !== null));
}
