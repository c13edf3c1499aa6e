const formats = new Map<string, Intl.NumberFormat>();

/** `Free`, `$19`, `$19.50`, `¥500`: an amount in minor units of an ISO 4217 currency. */
export function formatPrice(unitAmountCents: number, currency: string): string {
  if (unitAmountCents === 0) return 'Free';
  const format = formatOf(currency);
  return format.format(unitAmountCents / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  });
  formats.set(currency, made);
  return made;
}
