import type { LogQuery } from '../../../service/admin/log-pages.ts';
import { STALLED } from '../../sender.ts';
import { csvAnswer, csvHeaders } from '../../csv.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import type { LogTable, LogRow } from './log-table.tsx';

const HEADER = ['time', 'account', 'key', 'key_name'];

/** Sends a whole log as CSV, newest first: times in ISO 8601 UTC, sizes in bytes. `route` is the path pattern in the server's log. */
export function sendLogFile<Row extends LogRow>(
  { service, connections, requestLog }: RouteDeps,
  request: Request,
  route: string,
  table: LogTable<Row>,
  query: LogQuery,
  word: string | null,
): Response {
  if (request.method === 'HEAD') return new Response(null, { headers: csvHeaders(table.file) });
  connections.allowSilence(request, STALLED);
  const rows = table.rows(service.logs, query, word);
  return csvAnswer(
    table.file,
    [...HEADER, ...table.header],
    records(table, rows),
    requestLog.watch(request, route),
  );
}

async function* records<Row extends LogRow>(table: LogTable<Row>, steps: AsyncGenerator<readonly Row[]>) {
  for await (const rows of steps)
    yield rows.map((row) => [
      new Date(row.at).toISOString(),
      row.email,
      row.keyId === null ? null : String(row.keyId),
      row.keyName,
      ...table.record(row),
    ]);
}
