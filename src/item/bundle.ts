import { type Field, line, list, paragraph, refine, type Report } from './field.ts';
import { currency, httpsUrl, price } from './manifest-key.ts';
import { isSlug, SLUG_IN_WORDS } from './path.ts';
import { quote } from './problem.ts';
import { type Sell, sell } from './sell.ts';
import { didYouMean } from './spelling.ts';
import type { YamlMap } from './strict-yaml.ts';

/** Several items that are sold as one. `items` are slugs; `unitAmountCents` is in minor units and never 0. */
export type Bundle = {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly items: readonly string[];
  readonly unitAmountCents: number;
  readonly currency: string;
  readonly checkoutUrl: string | null;
  readonly sell: Sell | null;
};

const MOST_BUNDLES = 200;
const MOST_ITEMS = 100;
const KEYS = ['slug', 'title', 'items', 'description', 'unitAmountCents', 'currency', 'checkoutUrl', 'sell'];

const slug: Field<string> = refine(line(200), 'bad-bundle-slug', `Use ${SLUG_IN_WORDS}`, (text) =>
  isSlug(text) ? text : null,
);

const priceAboveNothing: Field<number> = (value, key, report) => {
  const amount = price(value, key, report);
  if (amount !== 0) return amount;
  report('free-bundle', `Cannot use 0 as "${key}"`, 'Give the bundle a price: free items need none');
  return null;
};

const slugs: Field<readonly string[]> = (value, key, report) => {
  const read = list(slug, (one) => one)(value, key, report);
  if (read === null || (read.length >= 2 && read.length <= MOST_ITEMS)) return read;
  report('bad-bundle-items', `Cannot use ${read.length} items as "${key}"`, `Name 2 to ${MOST_ITEMS}`);
  return null;
};

const bundle: Field<Bundle> = (value, key, report) => {
  if (!(value instanceof Map)) {
    report(
      'not-a-mapping',
      `Cannot read an entry of "${key}" as a mapping`,
      'Give it "slug", "title" and "items"',
    );
    return null;
  }
  const named = slug(value.get('slug') ?? '', `${key}.slug`, report);
  return named === null ? null : readBundle(value, named, `${key}.${named}`, report);
};

function readBundle(entries: YamlMap, named: string, key: string, report: Report): Bundle | null {
  reportUnknown(entries, key, report);
  const required = <T>(name: string, field: Field<T>): T | null =>
    field(entries.get(name) ?? '', `${key}.${name}`, report);
  const optional = <T>(name: string, field: Field<T>): T | null =>
    entries.has(name) ? required(name, field) : null;
  const title = required('title', line(200));
  const items = required('items', slugs);
  const unitAmountCents = required('unitAmountCents', priceAboveNothing);
  const others = {
    description: optional('description', paragraph(4000)) ?? '',
    currency: optional('currency', currency) ?? 'usd',
    checkoutUrl: optional('checkoutUrl', httpsUrl),
    sell: optional('sell', sell),
  };
  if (title === null || items === null || unitAmountCents === null) return null;
  return { slug: named, title, items, unitAmountCents, ...others };
}

function reportUnknown(entries: YamlMap, key: string, report: Report): void {
  for (const name of entries.keys())
    if (!KEYS.includes(name))
      report(
        'unknown-key',
        `Cannot read ${quote(name)} in "${key}"`,
        didYouMean(name, KEYS, `Use ${KEYS.map((known) => `"${known}"`).join(', ')}`),
      );
}

/** The bundles of stall.yaml, in order. */
export const bundles: Field<readonly Bundle[]> = (value, key, report) => {
  const read = list(bundle, (one) => one.slug)(value, key, report);
  if (read === null || read.length <= MOST_BUNDLES) return read;
  report('too-many', `Cannot use ${read.length} bundles`, `Write at most ${MOST_BUNDLES}`);
  return null;
};
