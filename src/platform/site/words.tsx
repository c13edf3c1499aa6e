import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Manifest } from '../../catalog/item.rule.ts';
import { formatMoney } from '../../catalog/price.rule.ts';
import { formatBytes } from '../base/text.ts';
import { formatsIn } from '../../words/formats.ts';
import type { Words } from '../../words/words.ts';

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
export const arrowsOf = (dir: 'ltr' | 'rtl'): readonly [back: string, on: string] =>
  dir === 'ltr' ? ['←', '→'] : ['→', '←'];

/** Returns the formats of dates and numbers in the page's language. */
export const useFormats = () => formatsIn(useWords().locale);

/** Writes a price, such as `Free`, `Private` or `$19`, in the words of a page. */
export function priceIn(
  { shop, locale }: Words,
  {
    unitAmountCents,
    suggestedAmountCents,
    currency,
    status,
  }: Pick<Manifest, 'unitAmountCents' | 'currency'> & Partial<Manifest>,
): string {
  if (unitAmountCents === null) return shop.noPrice;
  const price = formatMoney(unitAmountCents, currency, locale);
  if (unitAmountCents > 0) return suggestedAmountCents == null ? price : shop.from({ price });
  return status === 'private' ? shop.private : shop.free;
}

/** Writes the state of an item that is not finished, such as `Coming spring 2027` or `60 % written`, in the words of a page. */
export const stateIn = (
  { shop }: Words,
  { status, expected, progress }: Pick<Manifest, 'status' | 'expected' | 'progress'>,
): readonly string[] => [
  ...(status === 'announced' ? [shop.coming({ when: expected })] : []),
  ...(progress === null ? [] : [shop.written({ percent: progress })]),
];

/** Writes a size, such as `1.2 MB`, in the words of a page. */
export const bytesIn = ({ locale }: Words, count: number): string =>
  formatBytes(count, formatsIn(locale).number);
