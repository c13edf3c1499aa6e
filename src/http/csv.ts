import { type CsvCell, csvLine } from '../service/csv-line.ts';
import type { Watcher } from './request-log.ts';
import { createTextStream } from './text-stream.ts';

/** An answer that browsers save as a table under this name: the header, then the records, read as fast as the client takes them. */
export function csvAnswer(
  name: string,
  header: readonly string[],
  steps: AsyncGenerator<readonly (readonly CsvCell[])[]>,
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
  steps: AsyncGenerator<readonly (readonly CsvCell[])[]>,
): AsyncGenerator<string> {
  yield csvLine(header);
  for await (const records of steps) yield records.map(csvLine).join('');
}
