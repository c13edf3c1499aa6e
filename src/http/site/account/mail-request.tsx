import { endNews, opensAccounts, requestMail } from '../../../service/mails.ts';
import type { Principal } from '../../../access/principal.ts';
import { Refusal } from '../../../refusal.ts';
import { readForm } from '../../body.ts';
import { handleForm, type Refused } from '../frame/handle-form.ts';
import { Notice, PageHeading, sendPage, type View } from '../frame/page.tsx';
import type { Http } from '../../http.ts';
import { Button, Field, Form } from '../parts/form.tsx';
import type { ComponentChildren } from 'preact';

/** The pages on which anybody asks for a link to an address. What they answer is the same for every address. */
const PAGES = {
  '/forgot': {
    title: 'Forgot your password?',
    lead: 'Type the address of your account. A link to choose a new password is sent there.',
    sent: 'If this address has an account, a link is on the way. It can be asked for three times an hour.',
  },
  '/sign-up': {
    title: 'Make an account',
    lead: 'Type your address. A link is sent there; your account is made when you open it and choose a password.',
    sent: 'A link is on the way to this address. It can be asked for three times an hour.',
  },
} as const;

type Path = keyof typeof PAGES;

/** The form of a request. Without a mail server there are none, and no `/sign-up` unless stall.yaml opens accounts. */
export function openRequest(http: Http, path: Path, visitor: Principal): Response {
  refuseWithoutMail(http, path);
  return showRequest(http.viewOf(visitor), path, '', null, null);
}

/** Has the link sent. */
export async function sendRequested(
  http: Http,
  path: Path,
  visitor: Principal,
  request: Request,
): Promise<Response> {
  const { stall, viewOf, budgets } = http;
  refuseWithoutMail(http, path);
  const email = (await readForm(request)).text('email');
  return handleForm(
    async () => {
      requestMail(stall, path === '/forgot' ? 'reset' : 'open', email, budgets.addressOf(request).key);
      return showRequest(viewOf(visitor), path, '', null, PAGES[path].sent);
    },
    (refused) => showRequest(viewOf(visitor), path, email, refused, null),
  );
}

function refuseWithoutMail({ stall }: Http, path: Path): void {
  if (path === '/forgot' ? stall.outbox.sends : opensAccounts(stall)) return;
  throw new Refusal(
    'not-found',
    path === '/forgot'
      ? 'Cannot send a link: this stall sends no mail; ask the people who run it for one'
      : 'Cannot make an account here: ask the people who run this stall for one',
  );
}

function showRequest(
  view: View,
  path: Path,
  email: string,
  refused: Refused | null,
  sent: string | null,
): Response {
  const { title, lead } = PAGES[path];
  return sendPage(
    view,
    { title, ...refused },
    <div class="narrow">
      <PageHeading title={title} lead={lead} />
      {refused !== null && <Notice kind="bad">{refused.sentence}</Notice>}
      {sent !== null && <Notice kind="good">{sent}</Notice>}
      <Form action={path}>
        <Field label="E-mail" name="email" type="email" value={email} autocomplete="email" required />
        <Button>Send a link</Button>
      </Form>
    </div>,
  );
}

/**
 * The page of a link that ends news by mail. Mail programs send the form themselves, without a page of ours before it
 * (RFC 8058 §3.1): the secret alone counts. A link that is only opened changes nothing.
 */
export function askToEndNews(http: Http, principal: Principal, secret: string): Response {
  return newsPage(
    http,
    principal,
    'End news by mail',
    <>
      <PageHeading
        title="End news by mail"
        lead="You get no more mail about new versions of what you hold."
      />
      <Form action={`/unsubscribe/${encodeURIComponent(secret)}`}>
        <Button>End it</Button>
      </Form>
    </>,
  );
}

/** Ends news by mail. */
export async function endNewsByMail(http: Http, principal: Principal, secret: string): Promise<Response> {
  if (!(await endNews(http.stall, secret))) throw unknown();
  const lead = 'No more news comes by mail. Your account page can begin it again.';
  return newsPage(http, principal, 'News ended', <PageHeading title="News ended" lead={lead} />);
}

function newsPage({ viewOf }: Http, principal: Principal, title: string, body: ComponentChildren): Response {
  return sendPage(viewOf(principal), { title, headers: UNSEEN }, <div class="narrow">{body}</div>);
}

/** The address holds the secret. */
const UNSEEN = { 'Referrer-Policy': 'no-referrer' };

function unknown(): Refusal {
  return new Refusal(
    'not-found',
    'Cannot end news by this link: it has expired or was never made here; use your account page',
  );
}
