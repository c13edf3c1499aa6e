import { office as EN } from './en/office.ts';
import { formatsIn } from './formats.ts';
import { type Language, type Words, wordsIn } from './words.ts';

/** The sentences of the owner's pages, in one language. */
type OfficeWords = typeof EN;

/** The sentences of the owner's pages, with the words and formats of their language. */
export type Office = OfficeWords & {
  readonly words: Words;
  readonly locale: string;
  readonly formats: ReturnType<typeof formatsIn>;
};

/** The languages that the office speaks; in all others it is in English. */
const LOADERS: { readonly en: () => OfficeWords } & Partial<Record<Language, () => OfficeWords>> = {
  en: () => EN,
};

const loaded = new Map<Language, Office>();

/** The words of the office for a person who reads in the language of these words. */
export const officeIn = ({ language }: Pick<Words, 'language'>): Office => {
  const spoken = Object.hasOwn(LOADERS, language) ? (language as Language) : 'en';
  return loaded.getOrInsertComputed(spoken, (one) => {
    const words = wordsIn(one);
    return {
      ...(LOADERS[one] ?? LOADERS.en)(),
      words,
      locale: words.locale,
      formats: formatsIn(words.locale),
    };
  });
};
