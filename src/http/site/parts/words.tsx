import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Manifest } from '../../../item/item.ts';
import { formatMoney } from '../../../item/price.ts';
import { formatBytes } from '../../../text.ts';
import { formatsIn } from '../../../words/formats.ts';
import type { Words } from '../../../words/words.ts';

const Context = createContext<Words | null>(null);

/** Gives the parts of a page the words of its language. */
export const InWords = ({ words, children }: { words: Words; children: ComponentChildren }) => (
  <Context.Provider value={words}>{children}</Context.Provider>
);

/** The words of the page that is being rendered. */
export function useWords(): Words {
  const words = useContext(Context);
  if (words === null) throw new Error('Cannot render this without the words of a language');
  return words;
}

/** The arrows back and on of words in a direction. */
export const arrowsOf = (dir: 'ltr' | 'rtl'): readonly [back: string, on: string] =>
  dir === 'ltr' ? ['←', '→'] : ['→', '←'];

/** The formats of the page that is being rendered. */
export const useFormats = () => formatsIn(useWords().locale);

/** `Free`, `Private`, `$19`: a price as a page in these words shows it. */
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

/** `Coming spring 2027`, `60 % written`: the state of an item that is not finished, as a page in these words shows it. */
export const stateIn = (
  { shop }: Words,
  { status, expected, progress }: Pick<Manifest, 'status' | 'expected' | 'progress'>,
): readonly string[] => [
  ...(status === 'announced' ? [shop.coming({ when: expected })] : []),
  ...(progress === null ? [] : [shop.written({ percent: progress })]),
];

/** `1.2 MB` as a page in these words shows it. */
export const bytesIn = ({ locale }: Words, count: number): string =>
  formatBytes(count, formatsIn(locale).number);
