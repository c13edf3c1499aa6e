const FROM_RIGHT = new Set('Adlm Arab Hebr Mand Nkoo Rohg Samr Syrc Thaa Aran Armi Phnx'.split(' '));

export type Direction = 'ltr' | 'rtl';

export const directionOf = (language: string | null): Direction =>
  directions.getOrInsertComputed(language ?? 'en', (tag) => {
    const { script } = new Intl.Locale(tag).maximize();
    // `prs` is Dari, which Unicode's data knows only as fa-AF.
    return FROM_RIGHT.has(script ?? '') || tag === 'prs' ? 'rtl' : 'ltr';
  });

/** Caches directions by language, since computing one takes as long as writing ten elements of a page. */
const directions = new Map<string, Direction>();

/**
 * Returns the attributes of an element whose text is in `language`, a BCP 47 tag. For null, the browser finds the direction.
 */
export const inLanguage = (language: string | null): { lang?: string; dir: Direction | 'auto' } =>
  language === null ? { dir: 'auto' } : { lang: language, dir: directionOf(language) };

/** Returns the attributes of an element with text from an item. If the language is null, the direction is left to right. */
export function inItsLanguage({ language }: { readonly language: string | null }) {
  return { lang: language ?? undefined, dir: directionOf(language) };
}
