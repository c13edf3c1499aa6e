import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { formatBytes } from '../base/text.ts';
import { formatsIn } from '../../words/formats.ts';
import type { Words } from '../../words/words.ts';
import type { Direction } from '../base/direction.ts';

const Context = createContext<Words | null>(null);

/** Provides the texts of a language to all components within. */
export const InWords = ({ words, children }: { words: Words; children: ComponentChildren }) => (
  <Context.Provider value={words}>{children}</Context.Provider>
);

/** Returns the texts, in the page's language, for the component that is being rendered. */
export function useWords(): Words {
  const words = useContext(Context);
  if (words === null) throw new Error('Cannot render this without the words of a language');
  return words;
}

/** Returns the arrows for "back" and "forward" in text of this direction. */
export const arrowsOf = (dir: Direction): readonly [back: string, on: string] =>
  dir === 'ltr' ? ['←', '→'] : ['→', '←'];

/** Returns the formats of dates and numbers in the page's language. */
export const useFormats = () => formatsIn(useWords().locale);

/** Writes a size, such as `1.2 MB`, in the words of a page. */
export const bytesIn = ({ locale }: Words, count: number): string =>
  formatBytes(count, formatsIn(locale).number);
