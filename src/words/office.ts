import * as EN from './en/office.ts';
import { formatsIn } from './formats.ts';
import type { Language, Words } from './words.ts';

/** The sentences of the owner's pages, in one language. */
export type OfficeWords = typeof EN;

/** The sentences of the owner's pages, with the formats of their language. */
export type Office = OfficeWords & {
  readonly locale: string;
  readonly formats: ReturnType<typeof formatsIn>;
};

/** The languages that the office speaks; to readers of all others it is in English. */
const LOADERS: Readonly<Partial<Record<string, () => OfficeWords>>> = {
  en: () => EN,
  de: () => require('./de/office.ts') as typeof import('./de/office.ts'),
  'en-XA': () => pseudo(),
  'ar-XB': () => pseudo(),
};

const pseudo = (): OfficeWords => (require('./pseudo.ts') as typeof import('./pseudo.ts')).pseudoTexts(EN);

/** The language in which the office speaks to a person who reads in `language`. */
export const officeLanguage = (language: Language): Language =>
  LOADERS[language] === undefined ? 'en' : language;

const loaded = new Map<string, Office>();

/** The words of the office beside those of a language that it speaks. */
export const officeIn = ({ language, locale }: Pick<Words, 'language' | 'locale'>): Office =>
  loaded.getOrInsertComputed(language, () => ({
    ...(LOADERS[language]?.() ?? EN),
    locale,
    formats: formatsIn(locale),
  }));
