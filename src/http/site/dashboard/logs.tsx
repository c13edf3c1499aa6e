import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { LogPage } from '../../../service/row-pages.ts';
import { handleForm, type Refused } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import {
  downloads,
  type LogRow,
  type LogTable,
  LogView,
  questions,
  readFilter,
  sendLogFile,
  toLogQuery,
} from '../logs.tsx';
import { readPlace } from '../parts/pager.tsx';
import { sendPage } from '../frame/page.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { Notice } from '../parts/notice.tsx';
import { Choices } from '../parts/choices.tsx';
import { nameItem } from '../../../service/items.ts';

/** `/dashboard/logs` and `/dashboard/downloads`: the account's questions and downloads, in pages and as CSV. */
export function logs(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .get('/dashboard/logs', ({ request, member }) => show(deps, request, member, QUESTIONS, questions), {
      memberGuard: true,
    })
    .get('/dashboard/logs.csv', ({ request, member }) => send(deps, request, member, QUESTIONS, questions), {
      memberGuard: true,
    })
    .get('/dashboard/downloads', ({ request, member }) => show(deps, request, member, DOWNLOADS, downloads), {
      memberGuard: true,
    })
    .get(
      '/dashboard/downloads.csv',
      ({ request, member }) => send(deps, request, member, DOWNLOADS, downloads),
      { memberGuard: true },
    );
}

const QUESTIONS = '/dashboard/logs';
const DOWNLOADS = '/dashboard/downloads';
const NONE = { rows: [], newer: null, older: null };

function send<Row extends LogRow>(
  deps: RouteDeps,
  request: Request,
  { accountId }: SessionPrincipal,
  path: string,
  table: LogTable<Row>,
): Response {
  const typed = readFilter(new URL(request.url).searchParams);
  return sendLogFile(
    deps,
    request,
    `${path}.csv`,
    table,
    toLogQuery(typed, accountId),
    typed[table.word.name] || null,
  );
}

async function show<Row extends LogRow>(
  { stall, service, viewOf }: RouteDeps,
  request: Request,
  member: SessionPrincipal,
  path: string,
  table: LogTable<Row>,
): Promise<Response> {
  const address = new URL(request.url).searchParams;
  const typed = readFilter(address);
  const keys = (await stall.store.listKeys('key', member.accountId)).map(({ id, name, prefix }) => ({
    value: String(id),
    label: `${name} (${prefix}…)`,
  }));
  const answer = (page: LogPage<Row>, refused: Refused | null) =>
    sendPage(
      viewOf(member),
      { title: table.title, current: QUESTIONS, ...refused },
      <>
        <PageHeading title="Logs" />
        <LogNav path={path} />
        {refused !== null && <Notice kind="bad">{refused.sentence}</Notice>}
        <LogView
          table={table}
          placement={{ path, keys }}
          typed={typed}
          page={page}
          nameItem={(kind, key) => nameItem(service.stall, kind, key)}
        />
      </>,
    );
  return handleForm(
    async () => {
      const query = toLogQuery(typed, member.accountId);
      return answer(
        await table.page(service.stall, query, typed[table.word.name] || null, readPlace(address)),
        null,
      );
    },
    (refused) => answer(NONE, refused),
  );
}

function LogNav({ path }: { path: string }) {
  return (
    <Choices
      label="Logs"
      current="page"
      choices={[
        { href: QUESTIONS, name: 'Questions', isChosen: path === QUESTIONS },
        { href: DOWNLOADS, name: 'Downloads', isChosen: path === DOWNLOADS },
      ]}
    />
  );
}
