import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { formatBytes } from '../base/text.ts';
import { formatsIn } from '../../words/formats.ts';
import type { Words } from '../../words/words.ts';
import type { Direction } from '../base/direction.ts';
import type { Principal } from '../base/principal.ts';
import { type Office, officeIn } from '../../words/office.ts';
import type { ViewOf } from './page.tsx';

const Context = createContext<Words | null>(null);

export const InWords = ({ words, children }: { words: Words; children: ComponentChildren }) => (
  <Context.Provider value={words}>{children}</Context.Provider>
);

export function useWords(): Words {
  const words = useContext(Context);
  if (words === null) throw new Error('Cannot render this without the words of a language');
  return words;
}

export const useOffice = (): Office => officeIn(useWords());

export const officeOf = ({ viewOf }: { readonly viewOf: ViewOf }, who: Principal): Office =>
  officeIn(viewOf(who).words);

export const arrowsOf = (dir: Direction) => (dir === 'ltr' ? { back: '←', on: '→' } : { back: '→', on: '←' });

export const useFormats = () => formatsIn(useWords().locale);

export const bytesIn = ({ locale }: Words, count: number): string =>
  formatBytes(count, formatsIn(locale).number);
