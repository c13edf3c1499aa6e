import type { SessionPrincipal } from '../../../access/principal.ts';
import { findAccount } from '../../../service/accounts.ts';
import type { LogPage, LogQuery } from '../../../service/logs.ts';
import { handleForm, type Refused } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import {
  type LogRow,
  type LogTable,
  LogView,
  readFilter,
  sendLogFile,
  toLogQuery,
  type TypedFilter,
} from '../logs.tsx';
import { readPlace } from '../parts/data-table.tsx';
import { sendAdminPage } from './admin-page.tsx';
import { nameItem } from '../../../service/items.ts';

const NONE = { rows: [], newer: null, older: null };

/** `GET /admin/logs.csv` and `/admin/downloads.csv`. */
export async function sendLog<Row extends LogRow>(
  http: Http,
  request: Request,
  path: string,
  table: LogTable<Row>,
): Promise<Response> {
  const typed = readFilter(new URL(request.url).searchParams);
  return sendLogFile(http, request, `${path}.csv`, table, typed, await toQuery(http, typed));
}

/** `GET /admin/logs` and `/admin/downloads`: questions and downloads of all accounts or one, in pages. */
export function showLog<Row extends LogRow>(
  http: Http,
  request: Request,
  owner: SessionPrincipal,
  path: '/admin/logs' | '/admin/downloads',
  table: LogTable<Row>,
): Promise<Response> {
  const { stall } = http;
  const address = new URL(request.url).searchParams;
  const typed = readFilter(address);
  const answer = (page: LogPage<Row>, refused: Refused | null) =>
    sendAdminPage(
      http,
      owner,
      { current: path, title: table.title, refused },
      <LogView
        table={table}
        placement={{ path, keys: null }}
        typed={typed}
        page={page}
        nameItem={(kind, key) => nameItem(stall, kind, key)}
      />,
    );
  return handleForm(
    async () => {
      const query = await toQuery(http, typed);
      const word = typed[table.word.name] || null;
      return answer(await table.paged(stall, query, word).page(readPlace(address)), null);
    },
    (refused) => answer(NONE, refused),
  );
}

/** The filter with its account looked up. Refuses an e-mail address without an account. */
async function toQuery({ stall }: Http, typed: TypedFilter): Promise<LogQuery> {
  if (typed.account === '') return toLogQuery(typed, null);
  return toLogQuery(typed, (await findAccount(stall, typed.account)).id);
}
