import { EN } from './en.ts';

/**
 * The words of pages and mails, in one language. A message is a text or a function of named values; a link within a sentence is
 * an argument, so that each language places it. `locale` is the tag by which numbers and dates are written.
 */
export type Words = typeof EN;

/** The languages that ship, with their own names. The last two are made from English, to see what is not translated. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  'en-XA': '[Éñğļîšĥ]',
  'ar-XB': '[ĥšîļğñÉ]',
} as const;

/** The BCP 47 tag of a language that ships. */
export type Language = keyof typeof LANGUAGES;

/** The languages that a publisher is offered: those made for tests are not among them. */
export const OFFERED: readonly Language[] = ['en', 'de'];

/** Whether a tag is that of a language that ships. */
export const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag);

/** The language that ships for a tag: itself, else its base, else English. */
export function languageFor(tag: string | null): Language {
  const [base = ''] = (tag ?? '').toLowerCase().split('-');
  return [tag ?? '', base].find(isLanguage) ?? 'en';
}

const LOADERS: Readonly<Record<Language, () => Words>> = {
  en: () => EN,
  de: () => (require('./de.ts') as typeof import('./de.ts')).DE,
  'en-XA': () => pseudo('en-XA'),
  'ar-XB': () => pseudo('ar-XB'),
};

const pseudo = (language: Language): Words =>
  (require('./pseudo.ts') as typeof import('./pseudo.ts')).pseudoWords(EN, language);

const loaded = new Map<Language, Words>();

/** The words of a language, which are loaded when they are first asked for. */
export const wordsIn = (language: Language): Words =>
  loaded.getOrInsertComputed(language, (one) => LOADERS[one]());
