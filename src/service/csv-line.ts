/** Comma-separated values, RFC 4180. */
export type CsvCell = string | number | null;

/** One record with its line end. A text that a spreadsheet would run as a formula is prefixed with an apostrophe. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(toField).join(',')}\r\n`;
}

/**
 * Texts that spreadsheets run as a formula (OWASP, CSV Injection); full-width signs too, which some of them fold. Some drop
 * white space and quotation marks before it on import.
 */
const FORMULA = /^(?:[\s"'\p{Cc}]*[=+\-@＝＋－＠]|[\t\r\n])/u;

/**
 * The place of a formula after a character at which some spreadsheets divide cells, whatever the file's own separator is.
 * Quotation marks do not help there: a field that does not begin with one is divided inside of them too.
 */
const BEFORE_FORMULA = /(?<![;\s"'\p{Cc}])[;\s"'\p{Cc}]+(?=[=+\-@＝＋－＠])/gu;
const SEPARATOR = /[;\t\r\n]/g;

function toField(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = (FORMULA.test(cell) ? `'${cell}` : cell).replace(BEFORE_FORMULA, (run) =>
    run.replace(SEPARATOR, "$&'"),
  );
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
