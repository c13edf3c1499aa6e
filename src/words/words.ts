import { EN } from './en.ts';

/**
 * The words of pages and mails, in one language. A message is a text or a function of named values; a link within a sentence is
 * an argument, so that each language places it. `locale` is the tag by which numbers and dates are written.
 */
export type Words = typeof EN;

/** The languages that a publisher is offered, with their own names. */
const TRANSLATED = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  'pt-BR': 'Português (Brasil)',
  ja: '日本語',
  'zh-Hans': '简体中文',
} as const;

/** All languages that ship. The last two are made from English, to see what is not translated. */
export const LANGUAGES = {
  ...TRANSLATED,
  'en-XA': '[Éñğļîšĥ]',
  'ar-XB': '[ĥšîļğñÉ]',
} as const;

/** The BCP 47 tag of a language that ships. */
export type Language = keyof typeof LANGUAGES;

export type Offered = keyof typeof TRANSLATED;

/** The tags of the languages that a publisher is offered. */
export const OFFERED = Object.keys(TRANSLATED) as readonly Offered[];

/** Whether a tag is that of a language that ships. */
export const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag);

/** Returns the language that ships for a tag: the tag itself, else one with the same base, as `pt-BR` for `pt-PT`, else English. */
export function languageFor(tag: string | null): Language {
  if (tag !== null && isLanguage(tag)) return tag;
  return OFFERED.find((one) => baseOf(one) === baseOf(tag ?? '')) ?? 'en';
}

/** Returns the language of a tag without script and region: `zh` of `zh-Hans`. */
export const baseOf = (tag: string): string => tag.split('-')[0]!.toLowerCase();

const LOADERS: Readonly<Record<Language, () => Words>> = {
  en: () => EN,
  de: () => (require('./de.ts') as typeof import('./de.ts')).DE,
  es: () => (require('./es.ts') as typeof import('./es.ts')).ES,
  fr: () => (require('./fr.ts') as typeof import('./fr.ts')).FR,
  'pt-BR': () => (require('./pt-BR.ts') as typeof import('./pt-BR.ts')).PTBR,
  ja: () => (require('./ja.ts') as typeof import('./ja.ts')).JA,
  'zh-Hans': () => (require('./zh-Hans.ts') as typeof import('./zh-Hans.ts')).ZHHANS,
  'en-XA': () => pseudo('en-XA'),
  'ar-XB': () => pseudo('ar-XB'),
};

const pseudo = (language: Language): Words =>
  (require('./pseudo.ts') as typeof import('./pseudo.ts')).pseudoWords(EN, language);

const loaded = new Map<Language, Words>();

/** The words of a language, which are loaded when they are first asked for. */
export const wordsIn = (language: Language): Words =>
  loaded.getOrInsertComputed(language, (one) => LOADERS[one]());
