import type { SessionPrincipal } from '../../../access/principal.ts';
import { shownWithin } from '../../../passages/shown-text.ts';
import { listReports, setReportState } from '../../../service/reports.ts';
import { REPORT_STATES, type ReportState } from '../../../store/tables/reports.ts';
import { readForm } from '../../body.ts';
import type { Http, Query } from '../../http.ts';
import { readFlash, redirectSaying } from '../frame/handle-form.ts';
import { addressAt, DataTable, Empty, When } from '../parts/data-table.tsx';
import { Button, Choices, Form } from '../parts/form.tsx';
import { ACCOUNTS, REPORTS, sendAdminPage } from './office.tsx';

/** The name of each state, and the button that sets it. */
const STATES = {
  open: ['Open', 'Open again'],
  done: ['Done', 'Done'],
  declined: ['Declined', 'Decline'],
} as const satisfies Readonly<Record<ReportState, readonly [name: string, act: string]>>;
const EVERY = Object.keys(REPORT_STATES) as ReportState[];

const readState = (text = ''): ReportState => EVERY.find((state) => state === text) ?? 'open';

/** `POST /admin/reports/:id`: sets the state of a report. */
export async function setReport({ stall }: Http, request: Request, owner: SessionPrincipal, id: string) {
  await setReportState(stall, owner, id, readState((await readForm(request)).text('state')));
  return redirectSaying(REPORTS, 'report-set');
}

/** `GET /admin/reports`: lists readers' reports to the owner by state. */
export async function showReports(http: Http, owner: SessionPrincipal, query: Query): Promise<Response> {
  const state = readState(query['state']);
  return sendAdminPage(
    http,
    owner,
    {
      current: REPORTS,
      title: 'Reports',
      lead: 'Notes that readers sent you, and questions that a book did not answer. Senders see the state.',
      said: readFlash(query),
    },
    <>
      <Choices
        label="State"
        choices={EVERY.map((one) => ({
          href: addressAt(REPORTS, { state: one }, null),
          name: STATES[one][0],
          isChosen: one === state,
        }))}
      />
      <DataTable
        caption="Reports, newest first"
        columns={{
          Words: ({ exact, prefix, suffix }) =>
            exact === '' ? 'A question' : <q>{shownWithin(prefix, exact, suffix)}</q>,
          Text: ({ text }) => text,
          Book: ({ manifest, bookId, edition }) => `${manifest?.title ?? bookId}, ${edition}`,
          Place: ({ address, placedPath, mendedIn }) => (
            <>
              {address === null ? placedPath : <a href={address}>{placedPath}</a>}
              {mendedIn !== null && ` mended in ${mendedIn}`}
            </>
          ),
          From: ({ accountId, email }) =>
            accountId === null ? 'a removed account' : <a href={`${ACCOUNTS}/${accountId}`}>{email}</a>,
          When: ({ createdAt }) => <When at={createdAt} />,
          '': ({ id }) => (
            <Form action={`${REPORTS}/${id}`}>
              <div class="actions">
                {EVERY.filter((one) => one !== state).map((one) => (
                  <Button kind="quiet" name="state" value={one}>
                    {STATES[one][1]}
                  </Button>
                ))}
              </div>
            </Form>
          ),
        }}
        rows={await listReports(http.stall, state)}
        empty={<Empty>None in this state.</Empty>}
      />
    </>,
  );
}
