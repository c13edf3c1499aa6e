import { type Catalog, type Edition, listPublished } from '../catalog/catalog.ts';
import { authorNames } from '../item/item.ts';
import { normalForm } from '../text.ts';
import { createTurns } from '../turn.ts';

/** An item in the search index: its title, and all its text. */
export type WindowRow = { readonly edition: Edition; readonly title: string; readonly text: string };

/**
 * The published items by title, and the tags and languages to choose from, the most frequent first. All titles are sorted by
 * one collation: the stall's language's, else that of the most frequent language.
 */
export type WindowIndex = {
  readonly rows: readonly WindowRow[];
  /** The collation's name. */
  readonly collation: string;
  readonly tags: readonly string[];
  readonly languages: readonly string[];
};

const MOST_TAGS = 40;

/**
 * Indexes catalogs for the shop window, each once. Ten thousand titles take a tenth of a second to fold, in slices between
 * which requests have their turn, and 7 ms to sort; for the next catalog only changed items are folded again.
 * `stallLanguage` gives the stall's own language, by which titles of mixed languages are sorted.
 */
export function createWindowIndexes(stallLanguage: () => string | null = () => null): WindowIndexes {
  const indexes = new WeakMap<Catalog, Promise<WindowIndex>>();
  let latest: readonly WindowRow[] = [];

  const build = async (catalog: Catalog): Promise<WindowIndex> => {
    const turn = createTurns();
    const editions = listPublished(catalog);
    const known = new Map(latest.map((row) => [row.edition, row]));
    const rows: WindowRow[] = [];
    const [tags, languages] = [new Map<string, number>(), new Map<string, number>()];
    for (const edition of editions) {
      const { manifest } = edition;
      for (const tag of manifest.tags) count(tags, tag);
      if (manifest.language !== null) count(languages, manifest.language);
      rows.push(known.get(edition) ?? rowOf(edition));
      await turn();
    }
    const byCount = byFrequency(languages);
    const language = stallLanguage() ?? byCount[0] ?? null;
    latest = rows.sort(rowsByTitle(language));
    return {
      rows,
      collation: collationName(language),
      tags: byFrequency(tags).slice(0, MOST_TAGS),
      languages: byCount,
    };
  };

  return (catalog: Catalog): Promise<WindowIndex> => indexes.getOrInsertComputed(catalog, build);
}

export type WindowIndexes = (catalog: Catalog) => Promise<WindowIndex>;

/** Compares rows by title in a language's collation. */
export function rowsByTitle(language: string | null): (a: WindowRow, b: WindowRow) => number {
  const compare = compareTitlesIn(language);
  return (a, b) => compare(a.edition, b.edition);
}

/** The index entry of an item. */
export function rowOf(edition: Edition): WindowRow {
  const { title, description, publisher, tags, slug } = edition.manifest;
  return {
    edition,
    title: fold(title),
    text: fold([title, publisher, ...authorNames(edition.manifest), ...tags, slug, description].join('\n')),
  };
}

function count(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

function byFrequency(counts: ReadonlyMap<string, number>): readonly string[] {
  return [...counts]
    .sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1))
    .map(([value]) => value);
}

/** Folds case, accents and character widths. */
export function fold(text: string): string {
  return normalForm(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** English sorts by the root collation; the machine's own language must not decide. */
const ROOT = 'en';

/** Compares editions by their titles in a language's collation, then by their slugs. */
type CompareTitles = (a: Edition, b: Edition) => number;

/** The collation of a language, a BCP 47 tag; of the root if the language is null or malformed. */
function compareTitlesIn(language: string | null): CompareTitles {
  const titles = collatorOf(language ?? ROOT);
  return ({ manifest: a }, { manifest: b }) => titles.compare(a.title, b.title) || (a.slug < b.slug ? -1 : 1);
}

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
