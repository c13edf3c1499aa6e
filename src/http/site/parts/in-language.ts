import { directionOf } from '../../../markup/direction.ts';

/** The attributes of an element with words in a language, a BCP 47 tag; if it is unknown, the words decide their direction. */
export function inLanguage(language: string | null): { lang?: string; dir: 'ltr' | 'rtl' | 'auto' } {
  return language === null ? { dir: 'auto' } : { lang: language, dir: directionOf(language) };
}
