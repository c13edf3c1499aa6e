import { type Catalog, type Edition, listShown } from '../catalog/catalog.ts';
import { authorNames } from '../item/item.ts';
import { normalForm } from '../text.ts';
import { createTurns } from '../turn.ts';

/** An item in the search index: its title, and all its text. */
export type StorefrontRow = { readonly edition: Edition; readonly title: string; readonly text: string };

/**
 * The published and announced items by title, and the tags and languages to choose from, the most frequent first. All titles are sorted by
 * one collation: the stall's language's, else that of the most frequent language.
 */
export type StorefrontIndex = {
  readonly rows: readonly StorefrontRow[];
  /** The language by which titles are sorted, and its collation's name. */
  readonly language: string | null;
  readonly collation: string;
  readonly tags: readonly string[];
  readonly languages: readonly string[];
};

const MOST_TAGS = 40;

/**
 * Indexes catalogs for the storefront, each once. Ten thousand titles take a tenth of a second to fold, in slices between
 * which requests have their turn, and 7 ms to sort; for the next catalog only changed items are folded again.
 * `stallLanguage` gives the stall's own language, by which titles of mixed languages are sorted.
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

/** Compares rows by title in the collation of a language, a BCP 47 tag, or of the root; then by slug. */
export function rowsByTitle(language: string | null) {
  const titles = collatorOf(language ?? ROOT);
  return ({ edition: { manifest: a } }: StorefrontRow, { edition: { manifest: b } }: StorefrontRow): number =>
    titles.compare(a.title, b.title) || (a.slug < b.slug ? -1 : 1);
}

/** The index entry of an item. */
export function rowOf(edition: Edition): StorefrontRow {
  const { title, description, publisher, tags, slug } = edition.manifest;
  return {
    edition,
    title: fold(title),
    text: fold([title, publisher, ...authorNames(edition.manifest), ...tags, slug, description].join('\n')),
  };
}

const byFrequency = (values: readonly string[]): readonly string[] =>
  [...Map.groupBy(values, (value) => value)]
    .sort(([a, { length: ofA }], [b, { length: ofB }]) => ofB - ofA || (a < b ? -1 : 1))
    .map(([value]) => value);

/** Folds case, accents and character widths. */
export const fold = (text: string): string => normalForm(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** English sorts by the root collation; the machine's own language must not decide. */
const ROOT = 'en';

/** The name of the collation that a language sorts by: equal names give equal orders. */
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
