import type { SessionPrincipal } from '../../../access/principal.ts';
import type { LogPage } from '../../../service/logs.ts';
import { handleForm, type Refused } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import { type LogRow, type LogTable, LogView, readFilter, sendLogFile, toLogQuery } from '../logs.tsx';
import { readPlace } from '../parts/data-table.tsx';
import { Notice, PageHeading, sendPage } from '../frame/page.tsx';
import { Choices } from '../parts/form.tsx';
import { nameItem } from '../../../service/items.ts';

const QUESTIONS = '/dashboard/logs';
const DOWNLOADS = '/dashboard/downloads';
const pathOf = ({ name }: Pick<LogTable<never>, 'name'>): string => `/dashboard/${name}`;
const NONE = { rows: [], newer: null, older: null };

/** The account's questions or downloads as CSV. */
export function sendLog<Row extends LogRow>(
  http: Http,
  request: Request,
  { accountId }: SessionPrincipal,
  table: LogTable<Row>,
): Response {
  const typed = readFilter(new URL(request.url).searchParams);
  return sendLogFile(http, request, `${pathOf(table)}.csv`, table, typed, toLogQuery(typed, accountId));
}

/** A page of the account's questions or downloads. */
export async function showLog<Row extends LogRow>(
  { stall, viewOf }: Http,
  request: Request,
  member: SessionPrincipal,
  table: LogTable<Row>,
): Promise<Response> {
  const path = pathOf(table);
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
          nameItem={(kind, key) => nameItem(stall, kind, key)}
        />
      </>,
    );
  return handleForm(
    async () => {
      const query = toLogQuery(typed, member.accountId);
      return answer(
        await table.paged(stall, query, typed[table.word.name] || null).page(readPlace(address)),
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
