import type { Office } from '../words/office.ts';
import { officeOf } from '../platform/site/words.tsx';
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
import { ACCOUNTS, REPORTS } from '../platform/site/linked-pages.ts';

const STATES = (w: Office) =>
  ({
    open: [w.reports.open, w.reports.openButton],
    done: [w.common.done, w.common.done],
    declined: [w.reports.declined, w.reports.declineButton],
  }) as const satisfies Readonly<Record<ReportState, readonly [name: string, act: string]>>;
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

const senderOf = (w: Office, { accountId, email }: Pick<StoredReport, 'accountId' | 'email'>) =>
  accountId === null ? (
    w.reports.removedAccount
  ) : (
    <a href={`${ACCOUNTS}/${accountId}`}>{email !== null && <Address email={email} />}</a>
  );

type Shown = Awaited<ReturnType<typeof listReports>>[number];

type RefusedAnswer = { readonly refused: Refused; readonly id: string; readonly answer: string };

export async function showReports(
  http: Http,
  owner: SessionPrincipal,
  query: Query,
  typed: RefusedAnswer | null = null,
): Promise<Response> {
  const w = officeOf(http, owner);
  const state = readState(query['state']);
  const { sends } = http.stall.outbox;
  return sendAdminPage(
    http,
    owner,
    {
      current: REPORTS,
      title: w.reports.title,
      lead: w.reports.lead({ isMailed: sends }),
      said: readFlash(query),
      refused: typed?.refused,
    },
    <>
      <Choices
        label={w.common.state}
        choices={EVERY.map((one) => ({
          href: addressAt(REPORTS, { state: one }, null),
          name: STATES(w)[one][0],
          isChosen: one === state,
        }))}
      />
      <DataTable
        caption={w.reports.caption}
        columns={{
          [w.reports.words]: ({ exact, prefix, suffix }) =>
            exact === '' ? w.reports.question : <q>{shownWithin(prefix, exact, suffix)}</q>,
          [w.reports.text]: ({ text, answer }) => (
            <>
              {text}
              {answer !== null && <p class="quiet">{w.reports.answered({ answer })}</p>}
            </>
          ),
          [w.reports.book]: ({ manifest, bookId, edition }) => `${manifest?.title ?? bookId}, ${edition}`,
          [w.reports.place]: ({ address, placedPath, mendedIn }) => (
            <>
              {address === null ? placedPath : <a href={address}>{placedPath}</a>}
              {mendedIn !== null && w.reports.mendedIn({ mendedIn })}
            </>
          ),
          ...(owner.isOwner && { [w.reports.from]: (row: Shown) => senderOf(w, row) }),
          [w.common.when]: ({ createdAt }) => <When at={createdAt} />,
          '': ({ id, isAnswerable }) => (
            <Form action={`${REPORTS}/${id}`}>
              <div class="actions">
                {EVERY.filter((one) => one !== state).map((one) => (
                  <Button kind="quiet" name="state" value={one}>
                    {STATES(w)[one][1]}
                  </Button>
                ))}
              </div>
              {isAnswerable && (
                <details open={typed?.id === id}>
                  <summary>{w.reports.answer}</summary>
                  <TextArea
                    label={w.reports.answerLabel}
                    name="answer"
                    rows={3}
                    value={typed?.id === id ? typed.answer : ''}
                  />
                  {state === 'open' && (
                    <Button kind="quiet" name="state" value="open">
                      {w.reports.answerButton}
                    </Button>
                  )}
                </details>
              )}
              <input type="hidden" name="was" value={state} />
            </Form>
          ),
        }}
        rows={await listReports(http.stall, owner, state)}
        empty={<Empty>{w.reports.noReports}</Empty>}
      />
    </>,
  );
}
