import type { Words } from '../words/words.ts';
import type { Manifest } from './item.rule.ts';
import { formatMoney } from './price.rule.ts';

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

export const stateIn = (
  { shop }: Words,
  { status, expected, progress }: Pick<Manifest, 'status' | 'expected' | 'progress'>,
): readonly string[] => [
  ...(status === 'announced' ? [shop.coming({ when: expected })] : []),
  ...(progress === null ? [] : [shop.written({ percent: progress })]),
];
