import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { findAccount } from '../../../service/accounts.ts';
import type { LogQuery } from '../../../service/admin/log-pages.ts';
import type { LogPage } from '../../../service/row-pages.ts';
import { handleForm, type Refused } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { downloads } from '../logs/downloads.tsx';
import { readFilter, toLogQuery, type TypedFilter } from '../logs/filter.ts';
import { readPlace } from '../logs/place.ts';
import type { LogTable, LogRow } from '../logs/log-table.tsx';
import { sendLogFile } from '../logs/log-file.ts';
import { LogView } from '../logs/log-view.tsx';
import { questions } from '../logs/questions.tsx';
import { sendAdminPage } from './admin-page.tsx';
import { nameItem } from '../../../service/items.ts';

const QUESTIONS = '/admin/logs';
const DOWNLOADS = '/admin/downloads';
const NONE = { rows: [], newer: null, older: null };

/** `/admin/logs` and `/admin/downloads`: questions and downloads of all accounts or one, in pages and as CSV. */
export function logs(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .get(QUESTIONS, ({ request, owner }) => show(deps, request, owner, QUESTIONS, questions), {
      ownerGuard: true,
    })
    .get(`${QUESTIONS}.csv`, ({ request }) => send(deps, request, QUESTIONS, questions), {
      ownerGuard: true,
    })
    .get(DOWNLOADS, ({ request, owner }) => show(deps, request, owner, DOWNLOADS, downloads), {
      ownerGuard: true,
    })
    .get(`${DOWNLOADS}.csv`, ({ request }) => send(deps, request, DOWNLOADS, downloads), {
      ownerGuard: true,
    });
}

async function send<Row extends LogRow>(
  deps: RouteDeps,
  request: Request,
  path: string,
  table: LogTable<Row>,
): Promise<Response> {
  const typed = readFilter(new URL(request.url).searchParams);
  const query = await toQuery(deps, typed);
  return sendLogFile(deps, request, `${path}.csv`, table, query, typed[table.word.name] || null);
}

function show<Row extends LogRow>(
  deps: RouteDeps,
  request: Request,
  owner: SessionPrincipal,
  path: typeof QUESTIONS | typeof DOWNLOADS,
  table: LogTable<Row>,
): Promise<Response> {
  const { service } = deps;
  const address = new URL(request.url).searchParams;
  const typed = readFilter(address);
  const answer = (page: LogPage<Row>, refused: Refused | null) =>
    sendAdminPage(
      deps,
      owner,
      { current: path, title: path === QUESTIONS ? 'Questions' : 'Downloads', refused },
      <LogView
        table={table}
        placement={{ path, keys: null }}
        typed={typed}
        page={page}
        nameItem={(kind, key) => nameItem(service.stall, kind, key)}
      />,
    );
  return handleForm(
    async () => {
      const query = await toQuery(deps, typed);
      const word = typed[table.word.name] || null;
      return answer(await table.page(service.logs, query, word, readPlace(address)), null);
    },
    (refused) => answer(NONE, refused),
  );
}

/** The filter with its account looked up. Refuses an e-mail address without an account. */
async function toQuery({ stall }: RouteDeps, typed: TypedFilter): Promise<LogQuery> {
  if (typed.account === '') return toLogQuery(typed, null);
  return toLogQuery(typed, (await findAccount(stall, typed.account)).id);
}
