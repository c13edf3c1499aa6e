import type { ItemStatus } from './item.rule.ts';
import { type Problem, warning } from '../platform/base/problem.ts';

const formats = new Map<string, Intl.NumberFormat>();
const CODE = /^[a-z]{3}$/i;
const MINOR_UNITS = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/**
 * Writes a price, given in the minor unit of an ISO 4217 currency: `$19.50`, `¥500`, `Free` or `Private`. If `suggested` is an
 * amount, buyers choose the price, which is written `from $5`. Only a draft may have no price, null.
 */
export function formatPrice(
  unitAmountCents: number | null,
  currency: string,
  suggested: number | null = null,
  status?: ItemStatus,
): string {
  if (unitAmountCents === null) return 'No price yet';
  const isChosen = suggested !== null;
  if (unitAmountCents > 0) return `${isChosen ? 'from ' : ''}${formatMoney(unitAmountCents, currency)}`;
  return status === 'private' ? 'Private' : 'Free';
}

/**
 * Writes an amount of money in the way of a language: `$19`, `$0`, `-$5`. If `currency` is no currency code, writes only
 * the number of minor units.
 */
export function formatMoney(amount: number, currency: string, locale = 'en'): string {
  const format = formatOf(currency, locale);
  return format.format(amount / 10 ** digitsOf(format));
}

export function majorUnits(unitAmountCents: number, currency: string): string {
  const digits = digitsOf(formatOf(currency));
  return (unitAmountCents / 10 ** digits).toFixed(digits);
}

/**
 * Reads a price as people type it, "19", "19,00 €" or "USD 19", in minor units; null if the text is not a price in this
 * currency.
 */
export function readPrice(text: string, currency: string): number | null {
  const format = formatOf(currency);
  const symbol = format.formatToParts(0).find(({ type }) => type === 'currency')?.value;
  const [, before = '', whole = '', part = '', after = ''] = TYPED.exec(text) ?? [];
  const isOurs = ['', symbol, currency.toUpperCase()].includes((before + after).trim().toUpperCase());
  const amount = Number(whole + part.padEnd(digitsOf(format), '0'));
  return isOurs && whole !== '' && part.length <= digitsOf(format) && amount < 1e9 ? amount : null;
}

const TYPED = /^(\D*)(\d{1,9})(?:[.,](\d{1,3}))?(\D*)$/;

/** Warns of a price below one dollar, euro or the like: "unitAmountCents: 29" is $0.29, but probably means $29. */
export function priceWarnings(unitAmountCents: number | null, currency: string): readonly Problem[] {
  if (
    unitAmountCents === null ||
    unitAmountCents === 0 ||
    unitAmountCents >= 100 ||
    digitsOf(formatOf(currency)) !== 2
  )
    return [];
  const [price, meant] = [unitAmountCents, unitAmountCents * 100].map((cents) =>
    formatPrice(cents, currency),
  );
  return [
    warning(
      'low-price',
      'item.yaml',
      `The price is ${price}: "unitAmountCents" counts hundredths`,
      `Write "unitAmountCents: ${unitAmountCents * 100}" if you meant ${meant}`,
    ),
  ];
}

const digitsOf = (format: Intl.NumberFormat): number => format.resolvedOptions().maximumFractionDigits ?? 2;

function formatOf(currency: string, locale = 'en'): Intl.NumberFormat {
  // All English pages write prices as in the United States: `$19`, not `US$19`.
  const tag = locale.startsWith('en') ? 'en' : locale;
  const known = formats.get(`${tag} ${currency}`);
  if (known !== undefined) return known;
  // Events and lists of past sales from providers may lack the currency; without one Intl would throw.
  if (!CODE.test(currency)) return MINOR_UNITS;
  const made = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  });
  formats.set(`${tag} ${currency}`, made);
  return made;
}
