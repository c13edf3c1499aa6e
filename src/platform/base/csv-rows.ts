import { isUtf8 } from 'node:buffer';
import { Refusal } from './refusal.ts';
import { createTurns } from './turn.ts';

export type Csv = { readonly header: readonly string[]; readonly rows: readonly Row[] };

/** Decodes a file as spreadsheets and editors save it: UTF-16LE with a byte order mark, UTF-8, or else Windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  const isMarked = bytes[0] === 0xff && bytes[1] === 0xfe;
  const encoding = isMarked ? 'utf-16le' : isUtf8(bytes) ? 'utf-8' : 'windows-1252';
  return new TextDecoder(encoding).decode(bytes);
}

const MOST_FAULTS = 100;

/**
 * The maximum number of bytes and lines parsed in one step, a millisecond or two of work. Other requests may run between steps.
 */
const SLICE = 8 * 1024;
const LINES = 50;

export const LONGEST_CSV_LINE = 64 * 1024;
export const MOST_CSV_LINES = 100_000;

export function refuseRows(name: string, faults: readonly string[]): Refusal {
  const named = faults.slice(0, MOST_FAULTS);
  const rest = faults.length - named.length;
  const more = rest === 0 ? [] : [`and ${rest} more lines`];
  return Refusal.invalid(`Cannot import the ${name}, none was added:\n${[...named, ...more].join('\n')}`);
}

type Row = { readonly record: readonly string[]; readonly line: number };

/**
 * Reads a CSV text in slices, so that other requests may run in between. A quoted field may hold line breaks; blank lines are
 * skipped. If `isLenient`, accepts stray quotation marks, and records that are shorter or longer than the header.
 */
export async function readCsv(text: string, name: string, isLenient = false): Promise<Csv> {
  const { CsvError, parse } = await import('csv-parse');
  const csv = withoutEmptyEnd(Buffer.from(text));
  const lineEnd = csv.includes('\n') ? '\n' : '\r';
  refuseEndless(csv, lineEnd, name);
  const rows: Row[] = [];
  const parser = parse({
    bom: true,
    trim: true,
    delimiter: separatorOf(csv),
    relax_column_count: isLenient,
    relax_quotes: isLenient,
    skip_empty_lines: true,
    on_record: (record: string[], { lines }) => {
      // Skips rows of separators only: spreadsheets write them after the last record.
      if (record.some((cell) => cell !== '')) rows.push({ record, line: lines });
      return null;
    },
  });
  const ended = new Promise<void>((resolve, reject) => {
    parser.once('end', resolve).once('error', reject);
  });
  // `ended` is awaited after the last slice. Without a handler until then, its rejection would count as unhandled.
  ended.catch(() => {});
  parser.resume();
  const turn = createTurns();
  for (let [at, to] = [0, 0]; at < csv.length && !parser.destroyed; at = to) {
    for (let line = 0; line < LINES && to < at + SLICE && to < csv.length; line++)
      to = csv.indexOf(lineEnd, to) + 1 || csv.length;
    to = Math.min(to, at + SLICE);
    parser.write(csv.subarray(at, to));
    await turn();
  }
  if (!parser.destroyed) parser.end();
  try {
    await ended;
    const [first, ...others] = rows;
    return { header: first?.record ?? [], rows: others };
  } catch (error) {
    if (error instanceof CsvError) throw Refusal.invalid(`Cannot import the ${name}: ${error.message}`);
    throw error;
  }
}

const EMPTY = new Set(Buffer.from(' \t\r\n,;'));

/** Cuts off trailing rows of separators only, of which spreadsheets write up to a million, in a file with `\n`. */
function withoutEmptyEnd(csv: Buffer): Buffer {
  let last = csv.length - 1;
  while (last >= 0 && EMPTY.has(csv[last] ?? 0)) last--;
  const end = csv.indexOf('\n', last);
  return end === -1 ? csv : csv.subarray(0, end + 1);
}

function refuseEndless(csv: Buffer, lineEnd: string, name: string): void {
  let lines = 0;
  for (let at = 0, end = 0; at < csv.length; at = end + 1) {
    const found = csv.indexOf(lineEnd, at);
    end = found === -1 ? csv.length : found;
    if (++lines > MOST_CSV_LINES)
      throw Refusal.invalid(
        `Cannot import the ${name}: a file has ${MOST_CSV_LINES} lines at most; divide it`,
      );
    if (end - at > LONGEST_CSV_LINE)
      throw Refusal.invalid(
        `Cannot import the ${name}: line ${lines} has over ${LONGEST_CSV_LINE} bytes; export the list again as CSV`,
      );
  }
}

function separatorOf(csv: Buffer): string {
  const line = csv.toString('utf8', 0, SLICE).split('\n', 1)[0] ?? '';
  return [',', ';', '\t'].toSorted((a, b) => line.split(b).length - line.split(a).length)[0] ?? ',';
}

export type CsvCell = string | number | null;

/** Formats one record with its line end. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(toField).join(',')}\r\n`;

/**
 * Matches texts that spreadsheets run as a formula (OWASP, CSV Injection). Some spreadsheets accept full-width signs, and some
 * ignore white space and quotation marks in front of the sign.
 */
const FORMULA = /^(?:[\s"'\p{Cc}]*[=+\-@＝＋－＠]|[\t\r\n])/u;

/**
 * Matches separators, white space and quotation marks in front of a formula sign. Some spreadsheets begin a new cell at `;`,
 * tab or line break, whatever the file's separator is, even inside quotation marks that do not begin the field.
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
