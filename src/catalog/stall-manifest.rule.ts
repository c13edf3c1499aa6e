import {
  type Field,
  line,
  lines,
  list,
  mapping,
  oneOf,
  optional,
  paragraph,
  parseYaml,
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
import { readSigner } from './edition-signature.rule.ts';
import { didYouMean, error, type Problem, warning } from '../platform/base/problem.ts';
import {
  currency,
  httpsUrl,
  image,
  language,
  LONGEST_PROSE,
  price,
  sell,
  type Sell,
  withMinorUnits,
} from './manifest-key.rule.ts';
import { picturesIn } from '../platform/base/markdown-link.ts';
import { isSlug, pathProblems, SLUG_IN_WORDS } from './path.rule.ts';
import { shownPicture } from './picture.rule.ts';
import { KEY_KINDS } from './ssh-signature.rule.ts';
import { isLanguage, type Language, languageFor, OFFERED } from '../words/words.ts';

const DEFAULT_KEYS = {
  publisher: optional(line(200)),
  currency: optional(currency),
  language: optional(language),
  contact: optional(line(200)),
  license: optional(line(200)),
  guarantee: optional(line(200)),
};

type DefaultValues = Values<typeof DEFAULT_KEYS>;

/**
 * The values that stall.yaml gives for keys that an item.yaml lacks, each null if it gives none. `requiredSigners` are
 * the fingerprints of the keys in `signers`, one of which must have signed each item; null requires no signature.
 */
export type ItemDefaults = DefaultValues & { readonly requiredSigners: readonly string[] | null };

const noValues: DefaultValues = readKeys(DEFAULT_KEYS, new Map(), () => {});

export const noDefaults: ItemDefaults = { ...noValues, requiredSigners: null };

const KNOWN = Object.keys(DEFAULT_KEYS);
const NAMED = KNOWN.map((name) => `"${name}"`).join(', ');

const itemDefaults = mapping<DefaultValues>(
  () => `Indent its keys: ${NAMED}`,
  (value, key, report) => {
    let isRefused = false;
    const refuse: typeof report = (...problem) => {
      isRefused = true;
      report(...problem);
    };
    const remedyOf = (name: string) =>
      name === 'unitAmountCents' || name === 'price'
        ? 'Write the price in each item.yaml: it is never a default'
        : didYouMean(name, KNOWN, `Use ${NAMED}`);
    refuseUnknown(value, KNOWN, refuse, { key, remedyOf });
    const values = readKeys(DEFAULT_KEYS, value, refuse, `${key}.`);
    return isRefused ? null : values;
  },
);

const MOST_BUNDLES = 200;
const MOST_ITEMS = 100;

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

const BUNDLE_KEYS = {
  slug: required(slug),
  title: required(line(200)),
  items: required(slugs),
  description: withDefault(paragraph(LONGEST_PROSE), ''),
  unitAmountCents: required(priceAboveNothing),
  currency: withDefault(currency, 'usd'),
  checkoutUrl: optional(httpsUrl),
  sell: optional(sell),
};

const bundle = mapping<Bundle>(
  () => 'Give it "slug", "title" and "items"',
  (value, key, report) => {
    const named = slug(value.get('slug') ?? '', `${key}.slug`, report);
    if (named === null) return null;
    const priced = withMinorUnits(value, null, report, `${key}.${named}.`);
    if (value.has('price') && !priced.has('unitAmountCents')) return null;
    const read = readEntries(BUNDLE_KEYS, priced, `${key}.${named}`, report);
    const { title, items, unitAmountCents } = read;
    if (title === null || items === null || unitAmountCents === null) return null;
    return { ...read, slug: named, title, items, unitAmountCents };
  },
);

/** Several items that are sold together, by their slugs; the price is never 0. */
export type Bundle = {
  readonly slug: string;
  readonly title: string;
  readonly items: readonly string[];
  readonly description: string;
  readonly unitAmountCents: number;
  readonly currency: string;
  readonly checkoutUrl: string | null;
  readonly sell: Sell | null;
};

const file = 'stall.yaml';

const isHttps = (text: string): boolean => /^https:/i.test(text);
const ifPlainPath = (path: string): string | null => (pathProblems(path).length === 0 ? path : null);

const httpsOr =
  (other: Field<string>): Field<string> =>
  (value, key, report) =>
    (typeof value === 'string' && isHttps(value) ? httpsUrl : other)(value, key, report);

const colour = refine(
  line(200),
  'bad-colour',
  'Write red, green and blue in hexadecimal, as in "#7a1f2b"',
  (text) => (/^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : null),
);

export const MOST_FEATURED = 12;

const text: Field<string> = httpsOr(
  refine(
    line(4096),
    'bad-path',
    'Name a Markdown file by its path in the content directory, as in "stall/terms.md", or write an https URL',
    (path) => (/\.(md|markdown)$/i.test(path) ? ifPlainPath(path) : null),
  ),
);

const signer = refine(
  line(4000),
  'bad-signer',
  `Write a name and a public key, as in "moe@example.org ssh-ed25519 AAAA…" (${KEY_KINDS})`,
  readSigner,
);
export const MOST_SIGNERS = 100;
const signers = list(signer, ({ key }) => key, MOST_SIGNERS);

const shipped: Field<Language> = refine(
  line(20),
  'no-such-language',
  `Write one of ${OFFERED.join(', ')}`,
  (tag) => (isLanguage(tag) ? tag : null),
);
const languages = list(shipped, (one) => one);

const KEYS = {
  name: withDefault(line(80), 'Bookstall'),
  logo: optional(
    refine(
      image,
      'bad-path',
      'Name an image by its path in the content directory, as in "logo: stall/logo.svg"',
      ifPlainPath,
    ),
  ),
  awning: optional<string>((value, key, report) =>
    colour(value, key, (code, sentence, remedy) =>
      // YAML takes #7a1f2b without quotation marks for a comment, so that the value is blank.
      report(code, sentence, code === 'blank-value' ? 'Put the colour in quotation marks' : remedy),
    ),
  ),
  contact: optional(
    httpsOr(
      refine(
        line(254),
        'bad-contact',
        'Write an e-mail address, or a URL that begins with "https://"',
        (text) => (/^[^\s@<>"(),:;?&]+@[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(text) ? text : null),
      ),
    ),
  ),
  terms: optional(text),
  privacy: optional(text),
  imprint: optional(text),
  postalAddress: optional(paragraph(400)),
  taxLine: optional(line(200)),
  intro: optional(paragraph(LONGEST_PROSE)),
  language: optional(language),
  languages: optional(languages),
  featured: withDefault(
    list(line(200), (name) => name, MOST_FEATURED),
    [],
  ),
  bundles: withDefault(
    list(bundle, (one) => one.slug, MOST_BUNDLES),
    [],
  ),
  notOurs: withDefault(lines(200), []),
  /** Whether any visitor can make an account ('open'), by a link that is sent to their address. */
  accounts: withDefault(oneOf(['open', 'closed']), 'closed'),
  signers: withDefault(signers, []),
  requireSignatures: withDefault(oneOf(['true', 'false']), 'false'),
  defaults: withDefault(itemDefaults, noValues),
};

/**
 * The values of stall.yaml:
 * - `logo`: the path of an image below the content directory;
 * - `awning`: a colour `#rrggbb` in lower case;
 * - `contact`: an e-mail address or an https URL;
 * - `terms`, `privacy`, `imprint`: paths of Markdown files below the content directory, or https URLs;
 * - `postalAddress`, `taxLine`: the lines with the seller's address and tax number at the foot of pages and mails;
 * - `intro`: the Markdown above the storefront's lists, and `language`: the BCP 47 tag of `name` and `intro`;
 * - `languages`: those of readers' pages; the first is for readers who ask for none of them;
 * - `featured`: the slugs in the storefront's first list, in order, and `bundles`: the items sold together;
 * - `notOurs`: the providers' ids whose sales are not this stall's;
 * - `defaults`: values for keys that an item.yaml lacks;
 * - `signers`: the keys whose names are shown beside what they signed.
 */
export type StallManifest = Omit<Values<typeof KEYS>, 'defaults' | 'languages'> & {
  readonly defaults: ItemDefaults;
  readonly languages: readonly [Language, ...Language[]];
};

export const defaultStallManifest: StallManifest = complete(readKeys(KEYS, new Map(), () => {}));

/**
 * Reads stall.yaml and names every problem at once. Every key is optional; a key with an error keeps its default, so
 * `stall` is always complete.
 */
export function parseStallManifest(yaml: string) {
  // A file with only comments is a template that nobody has filled in.
  if (yaml.split('\n').every((row) => /^\s*(#|$)/.test(row)))
    return { stall: defaultStallManifest, given: [], problems: [] };
  const { entries, problems } = parseYaml(yaml, file);
  if (entries === null) return { stall: defaultStallManifest, given: [], problems };
  const found = [...problems];
  const report: ReportProblem = (code, sentence, remedy) => found.push(error(code, file, sentence, remedy));
  refuseUnknown(entries, Object.keys(KEYS), report);
  const stall = complete(readKeys(KEYS, withBundleCurrency(entries), report));
  return { stall, given: keysOf(entries), problems: [...found, ...otherLanguage(stall)] };
}

/** Gives each bundle without a currency the one in `defaults`, as items get it. */
function withBundleCurrency(entries: YamlMap): YamlMap {
  const [defaults, bundles] = [entries.get('defaults'), entries.get('bundles')];
  const code =
    defaults instanceof Map ? currency(defaults.get('currency') ?? '', 'currency', () => {}) : null;
  if (code === null || !Array.isArray(bundles)) return entries;
  const given = bundles.map((one) => (one instanceof Map ? new Map([['currency', code], ...one]) : one));
  return new Map(entries).set('bundles', given);
}

/** Warns if name and introduction are in another language than the first one of the pages, which most visitors see. */
function otherLanguage({ language, languages: [first] }: StallManifest): readonly Problem[] {
  if (language === null || languageFor(language) === first) return [];
  const sentence = `The language is "${language}", and pages are first in "${first}"`;
  return [
    warning(
      'other-language',
      file,
      sentence,
      `Begin "languages" with "${languageFor(language)}", or change "language"`,
    ),
  ];
}

function complete(values: Values<typeof KEYS>): StallManifest {
  const isRequired = values.requireSignatures === 'true';
  const requiredSigners = isRequired ? values.signers.map(({ key }) => key) : null;
  const [first = languageFor(values.language), ...others] = values.languages ?? [];
  return {
    ...values,
    languages: [first, ...others],
    defaults: { ...values.defaults, requiredSigners },
  };
}

/** The maximum number of pictures of the introduction; all are kept in memory. */
export const MOST_PICTURES = 8;

export function stallFiles(stall: StallManifest): StallFile[] {
  const named = (['logo', ...STALL_TEXTS] as const).flatMap((key) => {
    const path = stall[key];
    return path === null || isHttps(path) || path.startsWith(KEPT_PREFIX) ? [] : [{ key, path }];
  });
  const pictures = picturesIn(stall.intro ?? '').filter((path) => shownPicture(path) && ifPlainPath(path));
  return [...named, ...pictures.slice(0, MOST_PICTURES).map((path) => ({ key: 'intro' as const, path }))];
}

export type StallFile = { readonly key: 'logo' | StallText | 'intro'; readonly path: string };

export const STALL_TEXTS = ['terms', 'privacy', 'imprint'] as const;
export type StallText = (typeof STALL_TEXTS)[number];

/** Begins the name of a file that the owner gave in the office. No path in the content directory may have a colon. */
const KEPT_PREFIX = 'office:';

/**
 * The owner's choices in the office: `values` as a stall.yaml would give them, and `files` by key. A file has its content, or
 * is an https address with null as its content.
 */
export type OfficeStall = {
  readonly values: YamlMap;
  readonly files: Readonly<
    Partial<Record<'logo' | StallText, { readonly path: string; readonly content: string | null }>>
  >;
};

export const NOTHING_SET: OfficeStall = { values: new Map(), files: {} };

export const keptFile = (name: string): string => `${KEPT_PREFIX}${name}`;

const keysOf = (entries: YamlMap): readonly string[] =>
  [...entries].flatMap(([name, value]) =>
    name === 'defaults' && value instanceof Map
      ? [...value.keys()].map((key) => `defaults.${String(key)}`)
      : [name],
  );

export function readStallKey(name: string, value: YamlValue): readonly Problem[] {
  const [key, under] = name.split('.');
  const yaml: YamlValue = under === undefined ? value : new Map([[under, value]]);
  const found: Problem[] = [];
  const report: ReportProblem = (code, sentence, remedy) => found.push(error(code, file, sentence, remedy));
  readKeys(KEYS, withBundleCurrency(new Map([[key ?? '', yaml]])), report);
  return found;
}

export function withOffice(
  stall: StallManifest,
  given: readonly string[],
  { values: entries, files }: OfficeStall,
): StallManifest {
  const set = readKeys(KEYS, withBundleCurrency(entries), () => {});
  const paths = Object.fromEntries(Object.entries(files).map(([key, { path }]) => [key, path]));
  const free = <Value extends object>(all: Value, under = ''): Partial<Value> =>
    Object.fromEntries(Object.entries(all).filter(([key]) => !given.includes(under + key))) as Partial<Value>;
  return complete({
    ...stall,
    languages: set.languages,
    ...free({ ...set, ...paths }),
    ...(given.includes('languages') ? { languages: stall.languages } : {}),
    defaults: { ...stall.defaults, ...free(set.defaults, 'defaults.') },
  });
}
