import type { SessionPrincipal } from '../platform/base/principal.ts';
import { MAIL_STATES, type MailKind, type MailState } from '../mailing/outbox.rule.ts';
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
import { ACCOUNTS, ORDERS } from '../platform/site/paths.ts';

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
  const state = readState(query);
  const { rows, newer, older } = pagedMails(http.stall, state).page(readPlace(query));
  const { sends } = http.stall.outbox;
  return sendAdminPage(
    http,
    owner,
    {
      current: MAIL,
      title: 'Mail',
      lead: sends
        ? 'What this stall mailed, and what waits.'
        : 'This stall sends no mail: pass the links on yourself, or set BOOKSTALL_SMTP_URL.',
      said: readFlash(query),
      refused,
    },
    <>
      <Choices
        label="State"
        choices={[null, ...MAIL_STATES].map((one) => ({
          href: addressAt(MAIL, { state: one }, null),
          name: one === null ? 'All' : STATE_NAMES[one],
          isChosen: one === state,
        }))}
      />
      <DataTable
        caption="Mails, newest first"
        columns={{
          Mail: ({ kind }) => KIND_NAMES[kind],
          To: ({ address }) => address || 'erased',
          State: (mail) => <State mail={mail} />,
          When: ({ sentAt, nextAt, createdAt }) => <When at={sentAt ?? nextAt ?? createdAt} withTime />,
          '': (mail) => <Act mail={mail} sends={sends} />,
        }}
        rows={rows}
        empty={<Empty>{state === null ? 'No mail yet.' : 'No such mail.'}</Empty>}
      />
      <Pager newer={newer} older={older} to={(place) => addressAt(MAIL, { state }, place)} />
      <Subscribers http={http} />
    </>,
  );
}

function Subscribers({ http: { stall } }: { http: Http }) {
  const rows = stall.store.countSubscribers();
  return rows.length === 0 ? null : (
    <section>
      <h2>News without an account</h2>
      {rows.map(({ about, confirmed, waiting }) => (
        <p>{`${about === '' ? 'News of the stall' : `News of “${about}”`}: ${confirmed} confirmed, ${waiting} not yet`}</p>
      ))}
      <SaveCsv href="/admin/subscribers.csv" />
    </section>
  );
}

/**
 * `GET /admin/subscribers.csv`: sends the confirmed addresses. `about` is the item that an address waits for, empty for all
 * news.
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

const State = ({ mail: { state, tries, error } }: { mail: PlacedMail }) => (
  <>
    <span class={state === 'failed' ? 'badge bad' : state === 'sent' ? 'badge good' : 'badge'}>
      {STATE_NAMES[state]}
    </span>
    {tries > 1 && ` after ${tries} tries`}
    {error !== null && state !== 'sent' && `: ${error}`}
  </>
);

function Act({ mail, sends }: { mail: PlacedMail; sends: boolean }) {
  const { id, kind, state, orderId, accountId, address } = mail;
  if (address === '' || state === 'dropped') return null;
  if (sends)
    return state === 'queued' ? null : <ActButton action={`${MAIL}/${id}/send`}>Send again</ActButton>;
  if (kind === 'claim' && orderId !== null)
    return <ActButton action={`${ORDERS}/${orderId}/link`}>Copy link</ActButton>;
  return accountId === null ? null : <QuietLink href={`${ACCOUNTS}/${accountId}`}>Account</QuietLink>;
}

function readState(query: Query): MailState | null {
  const text = query['state'] ?? '';
  return MAIL_STATES.find((one) => one === text) ?? null;
}

export const KIND_NAMES: Readonly<Record<MailKind, string>> = {
  claim: 'Link to a purchase',
  published: 'An announced item is published',
  library: 'A purchase is in the library',
  ended: 'A purchase ended',
  invite: 'Invite',
  reset: 'New password',
  open: 'Link to make an account',
  'sign-in': 'Link to sign in',
  email: 'Link to a new address',
  taken: 'A new address has an account',
  moving: 'A change of address was asked for',
  'wrong-codes': 'Many wrong codes at sign-in',
  'step-off': 'The second step was turned off',
  'e-reader': 'A book to an e-reader',
  news: 'New versions',
  answered: 'An answer to a report',
  subscribe: 'Link to confirm news',
  attention: 'Orders need you',
  reports: 'Reports of readers',
  sale: 'You sold something',
};

export const STATE_NAMES: Readonly<Record<MailState, string>> = {
  queued: 'Waiting',
  manual: 'For you to pass on',
  sent: 'Sent',
  failed: 'Failed',
  dropped: 'Not needed any more',
};
