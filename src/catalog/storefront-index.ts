import { type Catalog, type Edition, listShown } from './catalog.ts';
import { authorNames } from './item.rule.ts';
import { comparable } from '../platform/base/text.ts';
import { createTurns } from '../platform/base/turn.ts';

export type StorefrontRow = { readonly edition: Edition; readonly title: string; readonly text: string };

/**
 * The published and announced items by title, with all their tags and languages, the most frequent first. All titles
 * are sorted by the rules of one language: the stall's, else the most frequent one.
 */
export type StorefrontIndex = {
  readonly rows: readonly StorefrontRow[];
  /** The language by whose rules titles are sorted; `collation` is a name for these rules. */
  readonly language: string | null;
  readonly collation: string;
  readonly tags: readonly string[];
  readonly languages: readonly string[];
};

const MOST_TAGS = 40;

/**
 * Creates the index of a catalog for the storefront, once for each catalog. `stallLanguage` returns the stall's own language.
 *
 * Normalizing ten thousand titles takes a tenth of a second, in slices between which requests have their turn, and sorting them
 * 7 ms. For the next catalog, only changed items are normalized again.
 */
export function createStorefrontIndexes(stallLanguage: () => string | null = () => null): StorefrontIndexes {
  const indexes = new WeakMap<Catalog, Promise<StorefrontIndex>>();
  let latest: readonly StorefrontRow[] = [];

  const build = async (catalog: Catalog): Promise<StorefrontIndex> => {
    const turn = createTurns();
    const editions = listShown(catalog);
    const known = new Map(latest.map((row) => [row.edition, row]));
    const rows: StorefrontRow[] = [];
    for (const edition of editions) {
      rows.push(known.get(edition) ?? rowOf(edition));
      await turn();
    }
    const languages = byFrequency(
      editions.map(({ manifest }) => manifest.language).filter((one) => one !== null),
    );
    const language = stallLanguage() ?? languages[0] ?? null;
    latest = rows.sort(rowsByTitle(language));
    return {
      rows,
      language,
      collation: collationName(language),
      tags: byFrequency(editions.flatMap(({ manifest }) => manifest.tags)).slice(0, MOST_TAGS),
      languages,
    };
  };

  return (catalog: Catalog): Promise<StorefrontIndex> => indexes.getOrInsertComputed(catalog, build);
}

export type StorefrontIndexes = (catalog: Catalog) => Promise<StorefrontIndex>;

export function rowsByTitle(language: string | null) {
  const titles = collatorOf(language ?? ROOT);
  return ({ edition: { manifest: a } }: StorefrontRow, { edition: { manifest: b } }: StorefrontRow): number =>
    titles.compare(a.title, b.title) || (a.slug < b.slug ? -1 : 1);
}

export function rowOf(edition: Edition): StorefrontRow {
  const { title, description, publisher, tags, slug } = edition.manifest;
  return {
    edition,
    title: comparable(title),
    text: comparable(
      [title, publisher, ...authorNames(edition.manifest), ...tags, slug, description].join('\n'),
    ),
  };
}

const byFrequency = (values: readonly string[]): readonly string[] =>
  [...Map.groupBy(values, (value) => value)]
    .sort(([a, { length: ofA }], [b, { length: ofB }]) => ofB - ofA || (a < b ? -1 : 1))
    .map(([value]) => value);

/**
 * The language that stands for no language: its sorting rules are the default ones. Without it, the machine's language
 * would decide.
 */
const ROOT = 'en';

/** Names the sorting rules of a language. Languages with the same name sort alike. */
export function collationName(language: string | null): string {
  const { locale, collation } = collatorOf(language ?? ROOT).resolvedOptions();
  return `${locale} ${collation}`;
}

function collatorOf(language: string): Intl.Collator {
  try {
    return new Intl.Collator([language, ROOT], { numeric: true });
  } catch {
    return new Intl.Collator(ROOT, { numeric: true });
  }
}
