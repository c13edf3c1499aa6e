/** Comma-separated values, RFC 4180. */
import type { Watcher } from './request-log.ts';
import { createTextStream } from './text-stream.ts';

type Cell = string | number | null;

/** One record with its line end. A text that a spreadsheet would run as a formula is prefixed with an apostrophe. */
export function csvLine(cells: readonly Cell[]): string {
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
const INNER_FORMULA = /(?<=[;\t\r\n])(?=[\s"'\p{Cc}]*[=+\-@＝＋－＠])/gu;

function toField(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = (FORMULA.test(cell) ? `'${cell}` : cell).replace(INNER_FORMULA, "'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** An answer that browsers save as a table under this name: the header, then the records, read as fast as the client takes them. */
export function csvAnswer(
  name: string,
  header: readonly string[],
  steps: AsyncGenerator<readonly (readonly Cell[])[]>,
  watcher: Watcher,
): Response {
  return new Response(createTextStream(lines(header, steps), watcher), { headers: csvHeaders(name) });
}

/** The headers of such an answer, also for HEAD. */
export function csvHeaders(name: string): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
}

async function* lines(
  header: readonly string[],
  steps: AsyncGenerator<readonly (readonly Cell[])[]>,
): AsyncGenerator<string> {
  yield csvLine(header);
  for await (const records of steps) yield records.map(csvLine).join('');
}
