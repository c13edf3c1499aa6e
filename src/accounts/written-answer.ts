import { PIECE } from '../platform/base/file-slice.ts';
import { type CsvCell, csvLine } from '../platform/base/csv-rows.ts';
import { createTurns } from '../platform/base/turn.ts';
import { checkCredential } from './access.ts';
import type { Http } from './stall.ts';

/**
 * Sends texts while they are made: a short answer as a whole, one of over `PIECE` bytes in pieces for as long as the
 * client's credential is valid. An error before the first piece becomes an ordinary error answer. Refuses a long answer if
 * the account is receiving too many. `route` is the path pattern for the server's log.
 */
export async function sendWritten(
  { stall, sender, requestLog, budgets }: Http,
  request: Request,
  { route, headers, isFile }: { route: string; headers: Record<string, string>; isFile?: boolean },
  texts: AsyncIterable<string> | Iterable<string>,
): Promise<Response> {
  if (request.method === 'HEAD') return new Response(null, { headers });
  const made = joinTexts(texts);
  const { value: first } = await made.next();
  const bytes = first.length < PIECE ? Buffer.from(first) : null;
  if (bytes !== null && bytes.length <= PIECE) return sender.whole(request, bytes, { headers });
  const { principal, account } = requestLog.of(request);
  const leave = (isFile ? budgets.enterFile : budgets.enterList)(account ?? budgets.addressOf(request).key);
  async function* pieces() {
    try {
      yield first;
      yield* made;
    } finally {
      leave();
    }
  }
  try {
    const check = () => checkCredential(stall, principal);
    return await sender.pieces(request, { route, length: Infinity, check, pieces }, { headers });
  } catch (error) {
    leave();
    throw error;
  }
}

/** Joins texts into pieces of at least `PIECE` characters, except the last, which may be shorter or empty. */
async function* joinTexts(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string, string> {
  const turn = createTurns();
  let text = '';
  for await (const one of texts) {
    text += one;
    await turn();
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  yield text;
  return '';
}

/** Refuses a long file while the account is receiving another. */
export function sendExport(
  http: Http,
  request: Request,
  { route, type, name }: { readonly route: string; readonly type: string; readonly name: string },
  texts: AsyncIterable<string> | Iterable<string>,
): Promise<Response> {
  const headers = {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'private, no-store',
    Vary: 'Authorization, Cookie',
  };
  return sendWritten(http, request, { route, headers, isFile: true }, texts);
}

export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>;

export function sendCsv<Row>(
  http: Http,
  request: Request,
  file: { readonly route: string; readonly name: string; readonly columns: CsvColumns<Row> },
  steps: Iterable<readonly Row[]>,
): Promise<Response> {
  const { route, name, columns } = file;
  return sendExport(http, request, { route, type: 'text/csv; charset=utf-8', name }, lines(columns, steps));
}

function* lines<Row>(columns: CsvColumns<Row>, steps: Iterable<readonly Row[]>) {
  yield csvLine(Object.keys(columns));
  const cells = Object.values(columns);
  for (const rows of steps) yield rows.map((row) => csvLine(cells.map((cell) => cell(row)))).join('');
}

export const iso = (time: number | string | null): string | null =>
  typeof time === 'number' ? new Date(time).toISOString() : time;
