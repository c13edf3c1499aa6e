import { type Catalog, type Edition, listShown } from '../catalog/catalog.ts';
import { authorNames } from '../item/item.ts';
import { normalForm } from '../text.ts';
import { createTurns } from '../turn.ts';

/** An item in the search index: its title, and all its text. */
export type StorefrontRow = { readonly edition: Edition; readonly title: string; readonly text: string };

/**
 * The published and announced items by title, and the tags and languages to choose from, the most frequent first. One
 * collation sorts all titles: that of the stall's language, else that of the most frequent language.
 */
export type StorefrontIndex = {
  readonly rows: readonly StorefrontRow[];
  /** The language by which titles are sorted, and the name of its collation. */
  readonly language: string | null;
  readonly collation: string;
  readonly tags: readonly string[];
  readonly languages: readonly string[];
};

const MOST_TAGS = 40;

/**
 * Indexes catalogs for the storefront, each once. `stallLanguage` returns the stall's own language, by which titles of
 * mixed languages are sorted.
 *
 * Folding ten thousand titles takes a tenth of a second, in slices between which requests have their turn, and sorting
 * them 7 ms. For the next catalog, only changed items are folded again.
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

/** Makes the index entry of an item. */
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

/** Folds a text for comparison: case, accents and character widths make no difference. */
export const fold = (text: string): string => normalForm(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The language whose collation is the root's, used without a language: the machine's own must not decide. */
const ROOT = 'en';

/** Names the collation by which a language sorts. Languages with equal names sort alike. */
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
