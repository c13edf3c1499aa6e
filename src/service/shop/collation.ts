import type { Edition } from '../../catalog/edition.ts';

/** English sorts by the root collation; the machine's own language must not decide. */
const ROOT = 'en';

/** Compares editions by their titles in a language's collation, then by their slugs. */
type CompareTitles = (a: Edition, b: Edition) => number;

/** The collation of a language, a BCP 47 tag; of the root if the language is null or malformed. */
export function compareTitlesIn(language: string | null): CompareTitles {
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
