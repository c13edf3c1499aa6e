import type { Anonymous, Principal, SessionPrincipal } from '../platform/base/principal.ts';
import { comparableEmail } from '../platform/base/email-address.ts';
import { hashSecret, mintSecret } from './secret.rule.ts';
import { confirmEmail, findLink, redeemLink } from './one-time-link.ts';
import { isFree } from '../catalog/item.rule.ts';
import { findNamed, may } from './access.ts';
import { findPendingSignIn, finishSignIn } from './second-step.ts';
import { beginProxySession, beginSession, endThisSession } from './session.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import { ownPath, redirect } from '../platform/http/answer.ts';
import { readForm } from '../platform/http/body.ts';
import { isNavigation, type SessionCookie } from '../platform/http/credential.ts';
import type { Http, Stall } from './stall.ts';
import { handleForm, type Refused, redirectSaying } from '../platform/site/handle-form.ts';
import { ACCOUNT, Notice, type PageHead, sendPage, type View } from '../platform/site/page.tsx';
import { ContactLink } from '../selling/buy.part.tsx';
import {
  ActButton,
  Button,
  ButtonLink,
  CurrentPassword,
  EmailField,
  Field,
  Form,
  ONE_TIME_CODE,
  Username,
} from '../platform/site/form.tsx';
import { useWords } from '../platform/site/words.tsx';
import { askerOf, sendAsked } from './sign-in-link.page.tsx';
import { enter, mailClient, readSigner, refusePlainHttp, senderOf, waitsForCode } from './signer.ts';
import { DisconnectToo, readDisconnect } from './connector.part.tsx';
import { LinkCode, readLinkCode } from './link-code.part.tsx';
import { NewPassword } from './new-password.part.tsx';
import { DEMO_OWNER } from './account.ts';

export async function showSignIn(http: Http, request: Request, visitor: Principal, wanted: string) {
  const { stall, cookie } = http;
  const next = ownPath(wanted, '/dashboard');
  if (visitor.kind === 'account') return redirect(next);
  const named = http.readVouched(request)?.address;
  const pending = findPendingSignIn(stall, cookie.read(request));
  if (pending !== null && comparableEmail(named ?? pending.email) === comparableEmail(pending.email))
    return showCode(http, visitor, next);
  if (!named || !isNavigation(request)) return show(http, visitor, { email: '', next });
  refusePlainHttp(cookie);
  const { address, ...browser } = senderOf(http, request);
  return enter(http, await beginProxySession(stall, named, { client: address, ...browser }), next);
}

export async function signIn(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const { stall, cookie } = http;
  const form = await readForm(request);
  const typed = { email: form.text('email'), next: ownPath(form.text('next'), '/dashboard') };
  const [code, before] = [form.text('code'), cookie.read(request)];
  const isByProxy = stall.config.proxySignIn !== null;
  return handleForm(
    async () => {
      if (code !== '' && isByProxy) refuseOtherName(http, request, findPendingSignIn(stall, before)?.email);
      const value =
        code === ''
          ? await beginSession(stall, { email: typed.email, ...readSigner(http, request, form) })
          : await finishSignIn(stall, before, { code, isByProxy, ...senderOf(http, request) });
      return enter(http, value, typed.next);
    },
    (refused) =>
      code !== '' && waitsForCode(http, before)
        ? showCode(http, visitor, typed.next, refused)
        : show(http, visitor, typed, refused),
  );
}

/** Refuses a two-factor code if the sign-in proxy does not name the reader `waiting`, whose sign-in the code completes. */
function refuseOtherName({ readVouched }: Http, request: Request, waiting = ''): void {
  if (comparableEmail(readVouched(request)?.address ?? '') === comparableEmail(waiting)) return;
  throw new ToldRefusal('unauthenticated', (r) => r.account.codeTooLate);
}

function showCode({ viewOf }: Http, visitor: Principal, next: string, refused: Refused | null = null) {
  const view = viewOf(visitor);
  const { signIn: words, secondStep } = view.words.account;
  return sendPage(
    view,
    { title: secondStep.title, current: '/sign-in', isNarrow: true, refused },
    <>
      <Form action="/sign-in">
        <input type="hidden" name="next" value={next} />
        <Field label={secondStep.code} name="code" hint={secondStep.hint} {...ONE_TIME_CODE} autofocus />
        <Button>{words.title}</Button>
      </Form>
      <ActButton action="/sign-out">{secondStep.cancel}</ActButton>
    </>,
  );
}

function show(
  { stall, cookie, viewOf }: Http,
  visitor: Principal,
  { email, next }: { email: string; next: string },
  refused: Refused | null = null,
): Response {
  const view = viewOf(visitor);
  const words = view.words.account.signIn;
  const head = { title: words.title, current: '/sign-in', isNarrow: true, refused };
  if (stall.config.proxySignIn !== null) return sendPage(view, { ...head, lead: words.notByProxy }, null);
  const canForget = stall.outbox.sends;
  const { contact } = view.manifest;
  const find = (text: string) => <a href="/claim">{text}</a>;
  const redeem = (text: string) => <a href="/redeem">{text}</a>;
  return sendPage(
    view,
    { ...head, ...toAsk(stall, view, visitor, next) },
    <>
      {refused === null && <ClosedNotice cookie={cookie} />}
      <Form action="/sign-in">
        <input type="hidden" name="next" value={next} />
        <EmailField value={email} autofocus={email === ''} />
        <CurrentPassword label={words.password} name="password" autofocus={email !== ''} />
        <Button>{words.title}</Button>
        {canForget && (
          <Button kind="quiet" to="/sign-in/mail">
            {words.mailLink}
          </Button>
        )}
      </Form>
      {canForget && (
        <p class="quiet">
          <a href="/forgot">{words.forgot}</a>
        </p>
      )}
      {opensAccounts(stall) && (
        <p class="quiet">
          {words.noAccount((text) => (
            <a href="/sign-up">{text}</a>
          ))}
        </p>
      )}
      <p class="quiet">{words.bought({ find, redeem })}</p>
      <p class="quiet">
        {canForget ? words.anythingElse : words.noWayIn}{' '}
        {contact === null ? words.ask : words.askAt({ contact: <ContactLink contact={contact} /> })}
      </p>
    </>,
  );
}

/** If a book's page for questions led here, says what signing in gives, with a link back to the book. */
function toAsk(stall: Stall, { words }: View, visitor: Principal, next: string): Partial<PageHead> {
  const slug = /^\/books\/([a-z\d-]+)\/ask$/.exec(next)?.[1] ?? '';
  const edition = findNamed(stall, visitor, slug, 'book');
  if (edition === null || !may(stall, visitor, { edition, action: 'look' })) return {};
  const { manifest } = edition;
  const { signIn } = words.account;
  const lead = (isFree(manifest) ? signIn.toAsk : signIn.toAskOwned)(manifest);
  return { lead, up: { href: `/books/${manifest.slug}`, name: manifest.title } };
}

/**
 * Ends the session, and clears the browser's cache (ASVS 14.3.1) and the books in its storage, but only our own cookie:
 * "cookies" would also clear those of every other host of the registered domain
 * (https://www.w3.org/TR/clear-site-data/#clear-cookies).
 */
export async function signOut(
  { stall, cookie }: Http,
  visitor: Anonymous | SessionPrincipal,
  wanted: string,
): Promise<Response> {
  if (visitor.kind === 'account') await endThisSession(stall, visitor);
  const headers = { 'Set-Cookie': cookie.drop(), 'Clear-Site-Data': '"cache", "storage"' };
  const url = stall.config.proxySignIn?.signOut ?? null;
  // Uses Refresh for the proxy's sign-out: our Content-Security-Policy stops a form's redirect to another origin.
  return url === null
    ? redirect(ownPath(wanted, '/'), headers)
    : new Response(null, { headers: { ...headers, Refresh: `0; url=${url}` } });
}

/** Warns above a form that a password will be refused, since the site is open over plain http. */
function ClosedNotice({ cookie }: { readonly cookie: SessionCookie }) {
  const { account } = useWords().refusals;
  return cookie.mode() === 'refused' ? <Notice kind="warn">{account.overPlainHttp}</Notice> : null;
}

/** The path of the page for each kind of one-time link, and the page to which its form leads. */
const HOMES = {
  '/set-up': '/admin',
  '/invite': '/dashboard',
  '/reset': '/dashboard',
  '/open': '/dashboard',
} as const;

type LinkPath = keyof typeof HOMES;

/**
 * Shows the page of a one-time link. The secret follows `#`, which no server and no log sees. A script puts it into the
 * form; without the script the reader pastes it.
 */
export function openLink(http: Http, path: LinkPath, visitor: Principal): Response {
  if (path === '/set-up' && http.stall.store.findOwner() !== null)
    throw new ToldRefusal('not-found', (r) => r.account.hasOwner);
  return showLinkForm(http, visitor, { path, email: '', code: '' });
}

/**
 * Sets the password by a one-time link, and signs in. If the form has the field `look`, only shows the link's e-mail
 * address.
 */
export async function useLink(http: Http, request: Request, visitor: Principal, path: LinkPath) {
  const { stall } = http;
  const form = await readForm(request);
  const typed = { email: form.text('email'), code: readLinkCode(form.text('code')) };
  return handleForm(
    async () => {
      if (form.text('look') !== '') {
        const { email } = findLink(stall, typed.code);
        return showLinkForm(http, visitor, { path, code: typed.code, email: email ?? '' });
      }
      const isDemo = path === '/set-up' && stall.config.demo;
      const value = await redeemLink(stall, typed.code, {
        ...readSigner(http, request, form),
        disconnects: path !== '/reset' || readDisconnect(form),
        ...(path === '/set-up' ? { email: isDemo ? DEMO_OWNER : typed.email } : {}),
        // Nobody needs to know this password: the demo's owner enters by a new link at each start.
        ...(isDemo ? { password: mintSecret() } : {}),
      });
      return enter(http, value, HOMES[path]);
    },
    (refused) => showLinkForm(http, visitor, { path, ...typed, refused }),
  );
}

type LinkForm = {
  readonly path: LinkPath;
  readonly email: string;
  readonly code: string;
  readonly refused?: Refused | null;
};

function showLinkForm(
  { stall, cookie, viewOf }: Http,
  visitor: Principal,
  { path, email, code, refused = null }: LinkForm,
): Response {
  // The demo's owner, who disappears with the demo, needs no password.
  const isDemo = path === '/set-up' && stall.config.demo;
  const view = viewOf(visitor);
  const { links } = view.words.account;
  const { title, lead, button } = links[isDemo ? 'demo' : path];
  // The first form of a mailed link only looks the link up, so that the next can show the e-mail address.
  const isLooking = path !== '/set-up' && code === '';
  return sendPage(
    view,
    { title, lead, refused, isNarrow: true },
    <>
      {refused === null && <ClosedNotice cookie={cookie} />}
      <Form action={path}>
        {isLooking && <input type="hidden" name="look" value="1" />}
        {isLooking || email === '' || path === '/set-up' ? (
          <LinkCode value={code} />
        ) : (
          <>
            <input type="hidden" name="code" value={code} />
            <p>{links.isFor({ email: <b>{email}</b> })}</p>
            <Username email={email} />
          </>
        )}
        {path === '/set-up' && !isDemo && <EmailField value={email} />}
        {!isDemo && !isLooking && <NewPassword />}
        {path === '/reset' && !isLooking && <DisconnectToo />}
        <Button>{isLooking ? links.goOn : button}</Button>
      </Form>
    </>,
  );
}

export function openEmailLink(
  { viewOf }: Http,
  visitor: Principal,
  refused: Refused | null = null,
  code = '',
) {
  const view = viewOf(visitor);
  const { title, lead, ...words } = view.words.account.newEmail;
  return sendPage(
    view,
    { title, refused, isNarrow: true, lead },
    <Form action="/email">
      <LinkCode value={code} />
      {(visitor.kind === 'anonymous' || refused !== null) && (
        <CurrentPassword label={words.password} name="password" hint={words.passwordHint} />
      )}
      <DisconnectToo />
      <Button>{words.button}</Button>
    </Form>,
  );
}

export async function useEmailLink(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const form = await readForm(request);
  const [code, password] = [readLinkCode(form.text('code')), form.text('password')];
  const session = visitor.kind === 'account' && visitor.keyId === null ? visitor : null;
  const client = http.budgets.addressOf(request).key;
  return handleForm(
    async () => {
      const disconnects = readDisconnect(form);
      const answer = { session, password, client, disconnects };
      const { accountId, email } = await confirmEmail(http.stall, code, answer);
      if (session?.accountId === accountId) return redirectSaying(ACCOUNT, 'email-changed');
      const view = http.viewOf(visitor);
      const { newEmail, signIn } = view.words.account;
      return sendPage(
        view,
        { title: newEmail.changed, lead: newEmail.changedLead({ email }), isNarrow: true },
        <ButtonLink href="/sign-in">{signIn.title}</ButtonLink>,
      );
    },
    (refused) => openEmailLink(http, visitor, refused, code),
  );
}

/**
 * The paths of the forms that mail a link, and the links' kinds. Every address gets the same answer, so that nobody can
 * test which have an account.
 */
const KINDS = { '/forgot': 'reset', '/sign-up': 'open', '/sign-in/mail': 'sign-in' } as const;

type RequestPath = keyof typeof KINDS;

/**
 * Shows the form that asks for a link by mail. Refuses without a mail server, and `/sign-up` if stall.yaml does not allow
 * it.
 */
export function openRequest(http: Http, path: RequestPath, visitor: Principal, next = ''): Response {
  refuseWithoutMail(http, path);
  const email = visitor.kind === 'account' ? visitor.email : '';
  return showRequest(http, visitor, { path, email, next });
}

export async function sendRequested(
  http: Http,
  request: Request,
  visitor: Anonymous | SessionPrincipal,
  path: RequestPath,
) {
  const { stall } = http;
  refuseWithoutMail(http, path);
  const form = await readForm(request);
  const typed = { email: form.text('email'), next: ownPath(form.text('next'), '/dashboard') };
  return handleForm(
    async () => {
      const secret = askerOf(http, request);
      const asker = hashSecret(secret).toBase64({ alphabet: 'base64url' });
      const isSignIn = path === '/sign-in/mail';
      const client = { ...mailClient(http, request), ...(isSignIn && { asker }) };
      stall.requestMail(KINDS[path], typed.email, client);
      if (isSignIn) return sendAsked(http, visitor, { secret, next: typed.next });
      const { sent } = http.viewOf(visitor).words.account.requests[path];
      return showRequest(http, visitor, { path, said: sent });
    },
    (refused) => showRequest(http, visitor, { path, refused, ...typed }),
  );
}

const opensAccounts = ({ outbox, manifest }: Stall): boolean =>
  outbox.sends && manifest().accounts === 'open';

function refuseWithoutMail({ stall }: Http, path: RequestPath): void {
  if (path === '/sign-in/mail' && stall.config.proxySignIn !== null)
    throw new ToldRefusal('not-found', (r) => r.account.byProxy);
  if (path === '/sign-up' ? opensAccounts(stall) : stall.outbox.sends) return;
  throw new ToldRefusal('not-found', ({ account }) =>
    path === '/sign-up' ? account.cannotSignUp : account.cannotMailLink,
  );
}

type RequestForm = Pick<PageHead, 'said' | 'refused'> & {
  readonly path: RequestPath;
  readonly email?: string;
  readonly next?: string;
};

function showRequest(
  { viewOf }: Http,
  visitor: Principal,
  { path, email = '', next = '', ...result }: RequestForm,
): Response {
  const view = viewOf(visitor);
  const { requests } = view.words.account;
  const { title, lead } = requests[path];
  return sendPage(
    view,
    { title, lead, ...result, isNarrow: true },
    <Form action={path}>
      {next !== '' && <input type="hidden" name="next" value={next} />}
      <EmailField value={email} autocomplete="email" />
      <Button>{requests.button}</Button>
    </Form>,
  );
}
