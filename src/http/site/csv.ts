import { type CsvCell, csvLine } from '../../service/csv-line.ts';
import type { Http } from '../http.ts';
import { STALLED } from '../sender.ts';
import { createTextStream } from '../stream.ts';

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
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  if (request.method === 'HEAD') return new Response(null, { headers });
  connections.allowSilence(request, STALLED);
  const watcher = requestLog.watch(request, route);
  return new Response(createTextStream(lines(columns, steps), watcher), { headers });
}

async function* lines<Row>(columns: CsvColumns<Row>, steps: AsyncGenerator<readonly Row[]>) {
  yield csvLine(Object.keys(columns));
  const cells = Object.values(columns);
  for await (const rows of steps) yield rows.map((row) => csvLine(cells.map((cell) => cell(row)))).join('');
}

/** A time in ISO 8601 UTC; a word instead of a time stays. */
export function iso(time: number | string | null): string | null {
  return typeof time === 'number' ? new Date(time).toISOString() : time;
}
