/** Thirty combining marks with another behind them, the halfwidth ones that NFKC makes into marks among them. */
const LONG_RUN = /[\p{M}\uff9e\uff9f]{30}(?=[\p{M}\uff9e\uff9f])/gu;

/**
 * A text in a normal form of Unicode. U+034F is put behind every 30 marks of a run (UAX #15, Stream-Safe Text Format):
 * the runtime orders a run of marks in quadratic time.
 */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(LONG_RUN, '$&\u034f').normalize(form);
}
