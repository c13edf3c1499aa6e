import type { CsvCell } from '../../service/csv-line.ts';
import type { Http } from '../http.ts';
import { STALLED } from '../sender.ts';
import { csvAnswer, csvHeaders } from '../stream.ts';

/** The columns of a file by name, each with its cell of a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>;

/** Sends rows as a CSV file of this name; `route` is the path pattern in the server's log. */
export function sendCsv<Row>(
  { connections, requestLog }: Http,
  request: Request,
  route: string,
  name: string,
  columns: CsvColumns<Row>,
  steps: AsyncGenerator<readonly Row[]>,
): Response {
  if (request.method === 'HEAD') return new Response(null, { headers: csvHeaders(name) });
  connections.allowSilence(request, STALLED);
  return csvAnswer(name, Object.keys(columns), records(columns, steps), requestLog.watch(request, route));
}

async function* records<Row>(columns: CsvColumns<Row>, steps: AsyncGenerator<readonly Row[]>) {
  const cells = Object.values(columns);
  for await (const rows of steps) yield rows.map((row) => cells.map((cell) => cell(row)));
}

/** A time in ISO 8601 UTC; a word instead of a time stays. */
export function iso(time: number | string | null): string | null {
  return typeof time === 'number' ? new Date(time).toISOString() : time;
}
