import { line, list, refine, type Field } from './field.ts';
import { formatType } from './format.ts';
import { isBookId, isSlug, SLUG_IN_WORDS } from './path.ts';

const imagePath = /\.(png|jpe?g|webp|gif|avif|svg)$/i;
const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

/** A stable book id. */
export const bookId: Field<string> = refine(
  line(200),
  'bad-id',
  'Use 1 to 64 of the letters A-Z and a-z, digits, "_" and "-"',
  (text) => (isBookId(text) ? text : null),
);

/** A price in the currency's minor unit, 0 to 999,999,999, in plain digits: `1e2` and `0x10` are refused. */
export const price: Field<number> = refine(
  line(200),
  'bad-price',
  'Write whole minor units in plain digits, as in "unitAmountCents: 1900" for 19.00, or 0 for a free item',
  (text) => (/^(0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : null),
);

/** An ISO 4217 code in lower case that Intl knows. */
export const currency: Field<string> = refine(
  line(200),
  'bad-currency',
  'Write an ISO 4217 code in lower case, as in "currency: usd"',
  (text) => (currencies.has(text) ? text : null),
);

/** A BCP 47 tag, in its canonical form (`en-us` is read as `en-US`). */
export const language: Field<string> = refine(
  line(200),
  'bad-language',
  'Write a BCP 47 tag, as in "language: en" or "language: pt-BR"',
  (text) => {
    try {
      return Intl.getCanonicalLocales(text)[0] ?? null;
    } catch {
      return null;
    }
  },
);

/** An absolute https URL without user name or password, unchanged. */
export const httpsUrl: Field<string> = refine(
  line(2000),
  'bad-url',
  'Write a URL that begins with "https://" and holds no password',
  (text) => {
    const url = /^https:\/\/\S+$/i.test(text) ? URL.parse(text) : null;
    return url !== null && url.username === '' && url.password === '' ? text : null;
  },
);

/** The path of an image in a format that browsers show. */
export const image: Field<string> = refine(
  line(4096),
  'bad-image',
  'Name a png, jpg, webp, gif, avif or svg file of the item',
  (text) => (imagePath.test(text) ? text : null),
);

/** The paths of whole editions for reading. */
export const formats: Field<readonly string[]> = list(
  refine(line(4096), 'bad-format', 'Name epub and pdf files of the item', (text) =>
    formatType(text) === null ? null : text,
  ),
  (path) => path,
);

/** The most slugs that an item may have had. */
const MOST_FORMER = 100;

const formerSlug: Field<string> = refine(
  line(200),
  'bad-former-slug',
  `Name folders that the item had: ${SLUG_IN_WORDS}`,
  (text) => (isSlug(text) ? text : null),
);

/** The slugs that an item had before, one or a list. */
export const formerSlugs: Field<readonly string[]> = (value, key, report) => {
  const slugs = Array.isArray(value) ? value : [value];
  if (slugs.length <= MOST_FORMER) return list(formerSlug, (slug) => slug)(slugs, key, report);
  report(
    'too-many-former-slugs',
    `Cannot name ${slugs.length} slugs in "${key}"`,
    `Keep at most ${MOST_FORMER}`,
  );
  return null;
};
