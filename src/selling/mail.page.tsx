import { officeOf, useOffice } from '../platform/site/words.tsx';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { MAIL_STATES, type MailState } from '../mailing/outbox.rule.ts';
import { pagedMails, type PlacedMail, repeatMail } from './mails.ts';
import { handleForm, readFlash, type Refused, redirectSaying } from '../platform/site/handle-form.ts';
import type { Http } from './stall.ts';
import type { Query } from '../platform/http/http.ts';
import {
  addressAt,
  DataTable,
  Empty,
  Pager,
  readPlace,
  SaveCsv,
  When,
} from '../platform/site/data-table.tsx';
import { ActButton, Choices, QuietLink } from '../platform/site/form.tsx';
import { iso, sendCsv } from '../accounts/written-answer.ts';
import { sendAdminPage } from '../office/office.part.tsx';
import { readNumber } from './orders.page.tsx';
import { ACCOUNTS, ORDERS } from '../platform/site/linked-pages.ts';

export const MAIL = '/admin/mail';

export const sendMailAgain = (http: Http, owner: SessionPrincipal, number: string): Promise<Response> =>
  handleForm(
    async () => {
      await repeatMail(http.stall, owner, readNumber(number));
      return redirectSaying(MAIL, 'mail-queued');
    },
    (refused) => showMail(http, owner, {}, refused),
  );

export function showMail(http: Http, owner: SessionPrincipal, query: Query, refused: Refused | null = null) {
  const w = officeOf(http, owner);
  const state = readState(query);
  const { rows, newer, older } = pagedMails(http.stall, state).page(readPlace(query));
  const { sends } = http.stall.outbox;
  return sendAdminPage(
    http,
    owner,
    {
      current: MAIL,
      title: w.mails.title,
      lead: sends ? w.mails.lead : w.mails.leadWithoutMail,
      said: readFlash(query),
      refused,
    },
    <>
      <Choices
        label={w.common.state}
        choices={[null, ...MAIL_STATES].map((one) => ({
          href: addressAt(MAIL, { state: one }, null),
          name: one === null ? w.mails.all : w.mails.stateNames[one],
          isChosen: one === state,
        }))}
      />
      <DataTable
        caption={w.mails.caption}
        columns={{
          [w.mails.title]: ({ kind }) => w.mails.kindNames[kind],
          [w.mails.to]: ({ address }) => address || w.order.erased,
          [w.common.state]: (mail) => <State mail={mail} />,
          [w.common.when]: ({ sentAt, nextAt, createdAt }) => (
            <When at={sentAt ?? nextAt ?? createdAt} withTime />
          ),
          '': (mail) => <Act mail={mail} sends={sends} />,
        }}
        rows={rows}
        empty={<Empty>{state === null ? w.mails.noMails : w.mails.noMatch}</Empty>}
      />
      <Pager newer={newer} older={older} to={(place) => addressAt(MAIL, { state }, place)} />
      <Subscribers http={http} />
    </>,
  );
}

function Subscribers({ http: { stall } }: { http: Http }) {
  const w = useOffice();
  const rows = stall.store.countSubscribers();
  return rows.length === 0 ? null : (
    <section>
      <h2>{w.mails.newsTitle}</h2>
      {rows.map(({ about, confirmed, waiting }) => (
        <p>{w.mails.news({ about, confirmed, waiting })}</p>
      ))}
      <SaveCsv href="/admin/subscribers.csv" />
    </section>
  );
}

/**
 * `GET /admin/subscribers.csv`: sends the confirmed addresses. `about` is the item that an address waits for, empty for
 * news of the stall.
 */
export const sendSubscriberFile = (http: Http, request: Request): Promise<Response> =>
  sendCsv(
    http,
    request,
    {
      route: '/admin/subscribers.csv',
      name: 'bookstall-subscribers.csv',
      columns: {
        address: ({ address }) => address,
        about: ({ about }) => about,
        page: ({ page }) => page,
        date: ({ confirmedAt }) => iso(confirmedAt),
        language: ({ language }) => language,
      },
    },
    [http.stall.store.listSubscribers()],
  );

const State = ({ mail: { state, tries, error } }: { mail: PlacedMail }) => {
  const w = useOffice();
  return (
    <>
      <span class={state === 'failed' ? 'badge bad' : state === 'sent' ? 'badge good' : 'badge'}>
        {w.mails.stateNames[state]}
      </span>
      {tries > 1 && w.mails.tries({ tries })}
      {error !== null && state !== 'sent' && (
        <>
          : <span lang="en">{error}</span>
        </>
      )}
    </>
  );
};

function Act({ mail, sends }: { mail: PlacedMail; sends: boolean }) {
  const w = useOffice();
  const { id, kind, state, orderId, accountId, address } = mail;
  if (address === '' || state === 'dropped') return null;
  if (sends)
    return state === 'queued' ? null : (
      <ActButton action={`${MAIL}/${id}/send`}>{w.mails.sendButton}</ActButton>
    );
  if (kind === 'claim' && orderId !== null)
    return <ActButton action={`${ORDERS}/${orderId}/link`}>{w.mails.copyButton}</ActButton>;
  return accountId === null ? null : (
    <QuietLink href={`${ACCOUNTS}/${accountId}`}>{w.common.account}</QuietLink>
  );
}

function readState(query: Query): MailState | null {
  const text = query['state'] ?? '';
  return MAIL_STATES.find((one) => one === text) ?? null;
}
