import type { SessionPrincipal } from '../platform/base/principal.ts';
import { shownWithin } from './shown-text.rule.ts';
import { listReports, setReportState } from './report.ts';
import { REPORT_STATES, type ReportState, type StoredReport } from './report.sql.ts';
import { readForm } from '../platform/http/body.ts';
import type { Http } from './stall.ts';
import type { Query } from '../platform/http/http.ts';
import { handleForm, readFlash, redirectSaying, type Refused } from '../platform/site/handle-form.ts';
import { addressAt, DataTable, Empty, When } from '../platform/site/data-table.tsx';
import { Button, Choices, Form, TextArea } from '../platform/site/form.tsx';
import { Address } from '../catalog/items.part.tsx';
import { sendAdminPage } from '../office/office.part.tsx';
import { ACCOUNTS, REPORTS } from '../platform/site/paths.ts';

const STATES = {
  open: ['Open', 'Open again'],
  done: ['Done', 'Done'],
  declined: ['Declined', 'Decline'],
} as const satisfies Readonly<Record<ReportState, readonly [name: string, act: string]>>;
const EVERY = Object.keys(REPORT_STATES) as ReportState[];

const readState = (text = ''): ReportState => EVERY.find((state) => state === text) ?? 'open';

export async function setReport(http: Http, request: Request, owner: SessionPrincipal, id: string) {
  const form = await readForm(request);
  const answer = form.text('answer');
  return handleForm(
    async () => {
      await setReportState(http.stall, owner, id, { state: readState(form.text('state')), answer });
      return redirectSaying(REPORTS, 'report-set');
    },
    (refused) => showReports(http, owner, { state: form.text('was') }, { refused, id, answer }),
  );
}

const senderOf = ({ accountId, email }: Pick<StoredReport, 'accountId' | 'email'>) =>
  accountId === null ? (
    'a removed account'
  ) : (
    <a href={`${ACCOUNTS}/${accountId}`}>{email !== null && <Address email={email} />}</a>
  );

type RefusedAnswer = { readonly refused: Refused; readonly id: string; readonly answer: string };

export async function showReports(
  http: Http,
  owner: SessionPrincipal,
  query: Query,
  typed: RefusedAnswer | null = null,
): Promise<Response> {
  const state = readState(query['state']);
  const { sends } = http.stall.outbox;
  return sendAdminPage(
    http,
    owner,
    {
      current: REPORTS,
      title: 'Reports',
      lead: `Notes that readers sent you, and questions that a book did not answer. Senders see the state and your answer${sends ? ', and get both by mail' : ''}.`,
      said: readFlash(query),
      refused: typed?.refused,
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
          Text: ({ text, answer }) => (
            <>
              {text}
              {answer !== null && <p class="quiet">Your answer: {answer}</p>}
            </>
          ),
          Book: ({ manifest, bookId, edition }) => `${manifest?.title ?? bookId}, ${edition}`,
          Place: ({ address, placedPath, mendedIn }) => (
            <>
              {address === null ? placedPath : <a href={address}>{placedPath}</a>}
              {mendedIn !== null && ` mended in ${mendedIn}`}
            </>
          ),
          ...(owner.isOwner ? { From: senderOf } : {}),
          When: ({ createdAt }) => <When at={createdAt} />,
          '': ({ id, isAnswerable }) => (
            <Form action={`${REPORTS}/${id}`}>
              <div class="actions">
                {EVERY.filter((one) => one !== state).map((one) => (
                  <Button kind="quiet" name="state" value={one}>
                    {STATES[one][1]}
                  </Button>
                ))}
              </div>
              {isAnswerable && (
                <details open={typed?.id === id}>
                  <summary>Answer</summary>
                  <TextArea
                    label="Your answer"
                    name="answer"
                    rows={3}
                    value={typed?.id === id ? typed.answer : ''}
                  />
                  {state === 'open' && (
                    <Button kind="quiet" name="state" value="open">
                      Answer only
                    </Button>
                  )}
                </details>
              )}
              <input type="hidden" name="was" value={state} />
            </Form>
          ),
        }}
        rows={await listReports(http.stall, owner, state)}
        empty={<Empty>None in this state.</Empty>}
      />
    </>,
  );
}
