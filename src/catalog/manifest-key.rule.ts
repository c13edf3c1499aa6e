import { LONGEST_CHANGES } from './changelog.rule.ts';
import { chapter, nameOfEntry } from './chapters.rule.ts';
import {
  type Field,
  type Key,
  line,
  lines,
  list,
  mapping,
  oneOf,
  optional,
  paragraph,
  readEntries,
  readKeys,
  refine,
  refuseUnknown,
  type ReportProblem,
  required,
  type Values,
  withDefault,
  type YamlMap,
  type YamlValue,
} from '../platform/base/field.ts';
import { PAYMENT_PROVIDERS, type PaymentProvider, PROVIDER_NAMES } from '../words/payment-provider.ts';
import type { ItemKind } from '../platform/base/principal.ts';
import { quote } from '../platform/base/problem.ts';
import { normalForm } from '../platform/base/text.ts';
import { COVER_IN_WORDS, shownPicture } from './picture.rule.ts';
import { majorUnits, readPrice } from './price.rule.ts';
import { BOOK_ID_IN_WORDS, type Format, isBookId, isSlug, pathOfFormat, SLUG_IN_WORDS } from './path.rule.ts';

const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

const bookId: Field<string> = refine(line(200), 'bad-id', `Use ${BOOK_ID_IN_WORDS}`, (text) =>
  isBookId(text) ? text : null,
);

/** Reads a price in the currency's minor unit, 0 to 999,999,999, in plain digits: `1e2` and `0x10` are refused. */
export const price: Field<number> = refine(
  line(200),
  'bad-price',
  'Write whole minor units in plain digits, as in "unitAmountCents: 1900" for 19.00, or 0 for a free item',
  (text) => (/^(0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : null),
);

const percent: Field<number> = refine(
  line(200),
  'bad-progress',
  'Write a whole number from 0 to 100, as in "progress: 60" for 60 %',
  (text) => (/^(?:0|[1-9][0-9]?|100)$/.test(text) ? Number(text) : null),
);

export const LONGEST_EXPECTED = 40;

export const currency: Field<string> = refine(
  line(200),
  'bad-currency',
  'Write an ISO 4217 code, as in "currency: usd"',
  (text) => (currencies.has(text.toLowerCase()) ? text.toLowerCase() : null),
);

/**
 * Replaces `price`, given in the currency's major unit, by `unitAmountCents`; a price that is refused is removed.
 * `fallback` is the currency of entries that have none.
 */
export function withMinorUnits(
  entries: YamlMap,
  fallback: string | null,
  report: ReportProblem,
  under = '',
): YamlMap {
  const written = entries.get('price');
  if (written === undefined) return entries;
  const others = new Map(entries);
  others.delete('price');
  const name = `${under}price`;
  if (others.delete('unitAmountCents')) {
    report(
      'two-prices',
      `Cannot use "${name}" beside "${under}unitAmountCents"`,
      'Keep one of the two: "price: 19.00" and "unitAmountCents: 1900" say the same in dollars',
    );
    return others;
  }
  const code = currency(entries.get('currency') ?? '', 'currency', () => {}) ?? fallback ?? 'usd';
  const remedy = `Write it as in "price: ${majorUnits(1900, code)}" (${code.toUpperCase()}), or "price: 0" for a free item`;
  const read = refine(line(200), 'bad-price', remedy, (text) => readPrice(text, code));
  const amount = read(written, name, report);
  return amount === null ? others : others.set('unitAmountCents', String(amount));
}

/**
 * The ids of an item or a bundle at each payment provider. `least` is the smallest net amount of one copy that counts as
 * a sale, by currency in minor units; null accepts every amount.
 */
export type Sell = Readonly<Record<PaymentProvider, readonly string[]>> & {
  readonly least: Readonly<Record<string, number>> | null;
};

const MOST_IDS = 100;
const SELL_KEYS = [...PAYMENT_PROVIDERS, 'least'];

type IdForm = { readonly form: RegExp; readonly remedy: string; readonly isFolded?: true };

const ID_FORMS: Readonly<Record<PaymentProvider, IdForm>> = {
  stripe: {
    form: /^(plink|price)_[A-Za-z0-9]{1,200}$/,
    remedy:
      'Write the id of a Payment Link, which begins with "plink_", or of a price, which begins with "price_"',
  },
  polar: {
    form: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    remedy: 'Write the id of the product, as in "7c2d3f80-1b2c-4d3e-8f90-0123456789ab"',
    isFolded: true,
  },
  lemonsqueezy: { form: /^[1-9][0-9]{0,15}$/, remedy: 'Write the id of the variant, which is a number' },
  gumroad: { form: /^[A-Za-z0-9_-]{1,100}={0,2}$/, remedy: 'Write the id of the product, as in "Ex4mple=="' },
};

export const sell = mapping<Sell>(
  (key) => `Write a provider and its ids, as in "${key}: {stripe: [plink_1Ab]}"`,
  (value, key, report) => {
    refuseUnknown(value, SELL_KEYS, report, { key });
    const ids = PAYMENT_PROVIDERS.map(
      (provider) => [provider, readIds(provider, value, key, report)] as const,
    );
    if (!PAYMENT_PROVIDERS.some((provider) => value.has(provider)))
      report('no-sell-id', `Cannot find an id in "${key}"`, 'Name the id of a product at a payment provider');
    return {
      ...(Object.fromEntries(ids) as Record<PaymentProvider, readonly string[]>),
      least: readLeast(value.get('least'), `${key}.least`, report),
    };
  },
);

function readIds(provider: PaymentProvider, entries: YamlMap, key: string, report: ReportProblem) {
  const written = entries.get(provider);
  if (written === undefined) return [];
  const name = `${key}.${provider}`;
  const values = Array.isArray(written) ? written : [written];
  if (values.length === 0 || values.length > MOST_IDS)
    report('bad-sell-ids', `Cannot use ${values.length} ids in "${name}"`, `Name 1 to ${MOST_IDS}`);
  return list(idOf(provider), (id) => id)(values, name, report) ?? [];
}

function idOf(provider: PaymentProvider): Field<string> {
  const { form, remedy, isFolded } = ID_FORMS[provider];
  return refine(line(2000), 'bad-sell-id', `${remedy} (${PROVIDER_NAMES[provider]})`, (text) => {
    const id = isFolded ? text.toLowerCase() : text;
    return form.test(id) ? id : null;
  });
}

function readLeast(value: YamlValue | undefined, key: string, report: ReportProblem): Sell['least'] {
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

export function canonicalLanguage(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    return null;
  }
}

export const language: Field<string> = refine(
  line(200),
  'bad-language',
  'Write a BCP 47 tag, as in "language: en" or "language: pt-BR"',
  canonicalLanguage,
);

export const httpsUrl: Field<string> = refine(
  line(2000),
  'bad-url',
  'Write a URL that begins with "https://" and holds no password',
  (text) => {
    const url = /^https:\/\/\S+$/i.test(text) ? URL.parse(text) : null;
    return url !== null && url.username === '' && url.password === '' ? text : null;
  },
);

export const image: Field<string> = refine(line(4096), 'bad-image', `Name ${COVER_IN_WORDS}`, (text) =>
  shownPicture(text) === null ? null : text,
);

const FORMAT_KEYS = { path: required(line(4096)), label: required(line(60)) };

const format: Field<Format> = (value, key, report) => {
  if (!(value instanceof Map)) return line(4096)(value, key, report);
  const names = Object.keys(FORMAT_KEYS);
  refuseUnknown(value, names, report, { key, remedyOf: () => 'A format has the keys "path" and "label"' });
  const { path, label } = readKeys(FORMAT_KEYS, value, report, `${key}.`);
  return path === null || label === null ? null : { path, label };
};

const formats: Field<readonly Format[]> = list(format, pathOfFormat);

const MOST_FORMER = 100;

const formerSlug: Field<string> = refine(
  line(200),
  'bad-former-slug',
  `Name folders that the item had: ${SLUG_IN_WORDS}`,
  (text) => (isSlug(text) ? text : null),
);

const formerSlugs: Field<readonly string[]> = (value, key, report) =>
  list(formerSlug, (slug) => slug, MOST_FORMER)(Array.isArray(value) ? value : [value], key, report);

/** For each word that readers may use, in lower case, the words that the book uses for the same thing. */
type Aliases = Readonly<Record<string, readonly string[]>>;

export const MOST_ALIASED_WORDS = 200;
export const MOST_ALIASES = 10;
export const LONGEST_ALIAS = 40;
const WORD = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*$/u;

const aliases = mapping<Aliases>(
  (key) => `Write it as in "${key}: {internet: [network, online]}"`,
  (value, key, report) => {
    if (value.size > MOST_ALIASED_WORDS)
      report('too-many', `Cannot use ${value.size} words in "${key}"`, `Write at most ${MOST_ALIASED_WORDS}`);
    const read = new Map<string, readonly string[]>();
    for (const [written, others] of value) {
      const word = readWord(written, key, report);
      const found = lines(200)(others, `${key}.${written}`, report);
      const known = found?.map((one) => readWord(one, `${key}.${written}`, report)) ?? [];
      if (known.length > MOST_ALIASES)
        report(
          'too-many',
          `Cannot use ${known.length} words for ${quote(written)} in "${key}"`,
          `Write at most ${MOST_ALIASES}`,
        );
      if (word !== null && read.has(word))
        report('repeated-entry', `Cannot name ${quote(word)} twice in "${key}"`, 'Keep one of the two');
      if (word !== null)
        read.set(
          word,
          known.filter((one) => one !== null),
        );
    }
    return Object.fromEntries(read);
  },
);

function readWord(text: string, key: string, report: ReportProblem): string | null {
  const written = line(LONGEST_ALIAS)(text, key, report);
  const word = written === null ? null : normalForm(written, 'NFC').toLowerCase();
  if (word === null || WORD.test(word)) return word;
  report('not-a-word', `Cannot use ${quote(text)} in "${key}"`, 'Write single words of letters and digits');
  return null;
}

export type Author = { readonly name: string; readonly about: string | null; readonly url: string | null };

/** The longest description of an item and of an author, in characters. */
export const LONGEST_PROSE = 4000;

const AUTHOR_KEYS = {
  name: required(line(200)),
  about: optional(paragraph(LONGEST_PROSE)),
  url: optional(httpsUrl),
};

const author: Field<Author> = (value, key, report) => {
  if (!(value instanceof Map)) {
    const name = line(200)(value, key, report);
    return name === null ? null : { name, about: null, url: null };
  }
  const { name, ...others } = readEntries(AUTHOR_KEYS, value, key, report);
  return name === null ? null : { name, ...others };
};

export type Praise = { readonly quote: string; readonly by: string; readonly url: string | null };

const PRAISE_KEYS = { quote: required(paragraph(600)), by: required(line(200)), url: optional(httpsUrl) };

const praise = mapping<Praise>(
  (key) => `Write quotations with their authors, as in "${key}: [{quote: Read it twice., by: Ada Heron}]"`,
  (value, key, report) => {
    const { quote: words, by, url } = readEntries(PRAISE_KEYS, value, key, report);
    return words === null || by === null ? null : { quote: words, by, url };
  },
);

export const MOST_PRAISE = 12;

/** The certifier, named by the publisher, who found that the book meets WCAG 2.1 AA and EPUB Accessibility 1.1. */
const accessibility = mapping<{ readonly certifiedBy: string }>(
  (key) => `Write who has certified it, as in "${key}: {certifiedBy: Quince Press}"`,
  (value, key, report) => {
    const { certifiedBy } = readEntries({ certifiedBy: required(line(200)) }, value, key, report);
    return certifiedBy === null ? null : { certifiedBy };
  },
);

/** The states of an item. An announced item is listed and sold, but not handed out to anybody yet. */
export const STATUSES = ['draft', 'announced', 'published', 'private', 'archived'] as const;

/**
 * A key of item.yaml. `isTerm` says whether it decides who may have the item and for how much: a publish key made without
 * --terms cannot change it. `isOfFiles` says whether it belongs to the edition's files, as a path of one does: an older edition
 * keeps its own values of these keys, and takes today's values of all others.
 */
type ManifestKey = Key<unknown> & { readonly isTerm: boolean; readonly isOfFiles: boolean };

const term = <K extends Key<unknown>>(key: K) => ({ ...key, isTerm: true, isOfFiles: false });
const words = <K extends Key<unknown>>(key: K) => ({ ...key, isTerm: false, isOfFiles: false });
const ofFiles = <K extends Key<unknown>>(key: K) => ({ ...key, isTerm: false, isOfFiles: true });

const sharedKeys = {
  title: words(withDefault(line(200), '')),
  publisher: words(withDefault(line(200), '')),
  // The default is null and not 0, so that an item without a price is never free by mistake.
  unitAmountCents: term(optional(price)),
  /** The amount that is suggested to a buyer who chooses what to pay. `unitAmountCents` is then the minimum. */
  suggestedAmountCents: term(optional(price)),
  currency: term(withDefault(currency, 'usd')),
  status: term(withDefault(oneOf(STATUSES), 'published')),
  expected: words(optional(line(LONGEST_EXPECTED))),
  progress: words(optional(percent)),
  formerly: term(withDefault(formerSlugs, [])),
  version: ofFiles(optional(line(200))),
  changes: ofFiles(optional(paragraph(LONGEST_CHANGES))),
  language: ofFiles(optional(language)),
  // Whether $…$ is a formula; if false, a dollar is money.
  math: words(
    withDefault(
      refine(oneOf(['true', 'false']), '', '', (text) => text === 'true'),
      false,
    ),
  ),
  license: words(optional(line(200))),
  tags: words(withDefault(lines(200), [])),
  authors: words(
    withDefault(
      list(author, ({ name }) => name),
      [],
    ),
  ),
  praise: words(
    withDefault(
      list(praise, ({ quote: words }) => words, MOST_PRAISE),
      [],
    ),
  ),
  guarantee: words(optional(line(200))),
  cover: ofFiles(optional(image)),
  chapters: ofFiles(optional(list(chapter, nameOfEntry))),
  sample: { ...ofFiles(withDefault(lines(4096), [])), isTerm: true },
  checkoutUrl: term(optional(httpsUrl)),
  sell: term(optional(sell)),
  contact: words(optional(line(200))),
  include: ofFiles(withDefault(lines(4096), [])),
  formats: ofFiles(withDefault(formats, [])),
} satisfies Readonly<Record<string, ManifestKey>>;

/** The keys for each kind of item. A skill has no id, and its description must always fit the Agent Skills specification. */
export const manifestKeys = {
  book: {
    id: term(optional(bookId)),
    description: words(withDefault(paragraph(LONGEST_PROSE), '')),
    aliases: words(withDefault(aliases, {})),
    accessibility: ofFiles(optional(accessibility)),
    ...sharedKeys,
  },
  skill: { description: words(withDefault(paragraph(1024), '')), ...sharedKeys },
} satisfies Readonly<Record<ItemKind, Readonly<Record<string, ManifestKey>>>>;

const keysThat = (is: 'isTerm' | 'isOfFiles') =>
  Object.entries<ManifestKey>(manifestKeys.book).flatMap(([key, one]) =>
    one[is] ? [key as keyof ManifestValues] : [],
  );

export const termKeys = keysThat('isTerm');
export const editionKeys = keysThat('isOfFiles');

/** The keys that an item.yaml must have; a skill's title and description default to those of SKILL.md. */
export const requiredKeys = {
  book: ['id', 'title', 'description', 'publisher', 'unitAmountCents'],
  skill: ['publisher', 'unitAmountCents'],
};

export type ManifestValues = Values<(typeof manifestKeys)['book']>;

/** The values of an empty item.yaml. They also serve for keys that did not exist when a saved edition was written. */
export const manifestDefaults: ManifestValues = readKeys(manifestKeys.book, new Map(), () => {});
