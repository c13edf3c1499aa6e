import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { LogPage, LogQuery } from '../../../service/admin/log-pages.ts';
import { attempt, type Refused } from '../frame/handle-form.ts';
import type { SiteDesk } from '../frame/route-deps.ts';
import { downloads } from '../logs/downloads.tsx';
import { readFilter, readPlace, toLogQuery, type TypedFilter } from '../logs/filter.ts';
import type { LogBook, LogRow } from '../logs/log-table.tsx';
import { sendLogFile } from '../logs/log-file.ts';
import { LogView } from '../logs/log-view.tsx';
import { questions } from '../logs/questions.tsx';
import { sendRoom } from './admin-page.tsx';

const QUESTIONS = '/admin/logs';
const DOWNLOADS = '/admin/downloads';
const NONE = { rows: [], newer: null, older: null };

/** `/admin/logs` and `/admin/downloads`: what was done with the stall, by all accounts or one, in pages and as CSV. */
export function logs(desk: SiteDesk) {
  return new Elysia()
    .use(desk.identity)
    .get(QUESTIONS, ({ request, owner }) => show(desk, request, owner, QUESTIONS, questions), {
      ownerDoor: true,
    })
    .get(`${QUESTIONS}.csv`, ({ request }) => send(desk, request, QUESTIONS, questions), { ownerDoor: true })
    .get(DOWNLOADS, ({ request, owner }) => show(desk, request, owner, DOWNLOADS, downloads), {
      ownerDoor: true,
    })
    .get(`${DOWNLOADS}.csv`, ({ request }) => send(desk, request, DOWNLOADS, downloads), { ownerDoor: true });
}

async function send<Row extends LogRow>(
  desk: SiteDesk,
  request: Request,
  path: string,
  book: LogBook<Row>,
): Promise<Response> {
  const typed = readFilter(new URL(request.url).searchParams);
  const query = await toQuery(desk, typed);
  return sendLogFile(desk, request, `${path}.csv`, book, query, typed[book.word.name] || null);
}

function show<Row extends LogRow>(
  desk: SiteDesk,
  request: Request,
  owner: SessionPrincipal,
  path: typeof QUESTIONS | typeof DOWNLOADS,
  book: LogBook<Row>,
): Promise<Response> {
  const { service } = desk;
  const address = new URL(request.url).searchParams;
  const typed = readFilter(address);
  const answer = (page: LogPage<Row>, refused: Refused | null) =>
    sendRoom(
      desk,
      owner,
      { room: path, title: path === QUESTIONS ? 'Questions' : 'Downloads', refused },
      <LogView
        book={book}
        placement={{ path, keys: null }}
        typed={typed}
        page={page}
        nameItem={service.nameItem}
      />,
    );
  return attempt(
    async () => {
      const query = await toQuery(desk, typed);
      const word = typed[book.word.name] || null;
      return answer(await book.page(service.office.logs, query, word, readPlace(address)), null);
    },
    (refused) => answer(NONE, refused),
  );
}

/** The filter with its account looked up; refused where there is none of that e-mail address. */
async function toQuery({ service }: SiteDesk, typed: TypedFilter): Promise<LogQuery> {
  if (typed.account === '') return toLogQuery(typed, null);
  return toLogQuery(typed, (await service.office.accounts.find(typed.account)).id);
}
