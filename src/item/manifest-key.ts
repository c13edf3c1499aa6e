import { chapter, nameOfEntry } from './chapter.ts';
import { type Field, line, lines, list, oneOf, paragraph, type Report } from './field.ts';
import {
  bookId,
  currency,
  formats,
  formerSlugs,
  httpsUrl,
  image,
  language,
  price,
} from './manifest-field.ts';
import { sell } from './sell.ts';
import { quote } from './problem.ts';
import { normalForm } from '../normal-form.ts';

/** Words of readers, in lower case, each with the words that the book uses instead. */
type Aliases = Readonly<Record<string, readonly string[]>>;

const MOST_WORDS = 200;
const MOST_ALIASES = 10;
const LONGEST = 40;
const WORD = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*$/u;

/** A mapping of words to lists of words, as in `internet: [network, online]`. */
const aliases: Field<Aliases> = (value, key, report) => {
  if (!(value instanceof Map)) {
    report(
      'not-a-mapping',
      `Cannot read "${key}" as a mapping`,
      `Write it as in "${key}: {internet: [network, online]}"`,
    );
    return null;
  }
  if (value.size > MOST_WORDS)
    report('too-many', `Cannot use ${value.size} words in "${key}"`, `Write at most ${MOST_WORDS}`);
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
};

function readWord(text: string, key: string, report: Report): string | null {
  const written = line(LONGEST)(text, key, report);
  const word = written === null ? null : normalForm(written, 'NFC').toLowerCase();
  if (word === null || WORD.test(word)) return word;
  report('not-a-word', `Cannot use ${quote(text)} in "${key}"`, 'Write single words of letters and digits');
  return null;
}

/** How the value of a key is read, and its value if the key is missing. */
type Key<T> = { readonly read: Field<T>; readonly missing: T };

const optional = <T>(read: Field<T>): Key<T | null> => ({ read, missing: null });
const withDefault = <T>(read: Field<T>, missing: NoInfer<T>): Key<T> => ({ read, missing });

/** The keys of item.yaml for books and skills alike. A new key is one line here. */
const sharedKeys = {
  title: withDefault(line(200), ''),
  publisher: withDefault(line(200), ''),
  // Null, not 0: a missing price must never make an item free, not even by mistake.
  unitAmountCents: optional(price),
  currency: withDefault(currency, 'usd'),
  status: withDefault(oneOf(['draft', 'published', 'archived']), 'published'),
  formerly: withDefault(formerSlugs, []),
  version: optional(line(200)),
  changes: optional(paragraph(4000)),
  language: optional(language),
  license: optional(line(200)),
  tags: withDefault(lines(200), []),
  authors: withDefault(lines(200), []),
  cover: optional(image),
  chapters: optional(list(chapter, nameOfEntry)),
  sample: withDefault(lines(4096), []),
  checkoutUrl: optional(httpsUrl),
  sell: optional(sell),
  contact: optional(line(200)),
  include: withDefault(lines(4096), []),
  formats: withDefault(formats, []),
};

/** The keys of each kind; a skill has no id, and its description must fit the Agent Skills specification everywhere. */
export const manifestKeys = {
  book: {
    id: optional(bookId),
    description: withDefault(paragraph(4000), ''),
    aliases: withDefault(aliases, {}),
    ...sharedKeys,
  },
  skill: { description: withDefault(paragraph(1024), ''), ...sharedKeys },
};

/** The keys that an item.yaml must have; a skill's title and description default to those of SKILL.md. */
export const requiredKeys = {
  book: ['id', 'title', 'description', 'publisher', 'unitAmountCents'],
  skill: ['publisher', 'unitAmountCents'],
};

type Values<Keys> = { readonly [K in keyof Keys]: Keys[K] extends Key<infer T> ? T : never };

/** The values of a book's keys; a skill's `id` is null. */
export type ManifestValues = Values<(typeof manifestKeys)['book']>;
