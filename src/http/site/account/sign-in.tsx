import { chosenLanguage } from '../../language.ts';
import type { ComponentChildren } from 'preact';
import type { Anonymous, Principal, SessionPrincipal } from '../../../access/principal.ts';
import { mintSecret } from '../../../access/session.ts';
import { Refusal } from '../../../refusal.ts';
import { DEMO_OWNER } from '../../../service/demo.ts';
import { confirmEmail, findLink, redeemLink } from '../../../service/links.ts';
import { endNews, opensAccounts, requestMail } from '../../../service/mails.ts';
import { beginSession, endThisSession } from '../../../service/sessions.ts';
import { ownPath, redirect } from '../../answer.ts';
import { type Form as FormFields, readForm } from '../../body.ts';
import type { SessionCookie } from '../../credential.ts';
import type { Http } from '../../http.ts';
import { handleForm, type Refused, redirectSaying } from '../frame/handle-form.ts';
import { IN_ACCOUNT, Notice, type PageHead, sendPage } from '../frame/page.tsx';
import { ContactLink } from '../parts/buy.tsx';
import {
  Button,
  ButtonLink,
  CurrentPassword,
  EmailField,
  Field,
  Form,
  NewPassword,
  Username,
} from '../parts/form.tsx';

/** The form that opens a session; a signed-in visitor is sent on. */
export function showSignIn(http: Http, visitor: Principal, wanted: string): Response {
  const next = ownPath(wanted, '/dashboard');
  return visitor.kind === 'account' ? redirect(next) : show(http, visitor, { email: '', next });
}

/** Opens a session with an e-mail address and a password. */
export async function signIn(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const { stall, cookie } = http;
  const form = await readForm(request);
  const typed = { email: form.text('email'), next: ownPath(form.text('next'), '/dashboard') };
  return handleForm(
    async () => {
      const signer = readSigner(http, request, form);
      const value = await beginSession(stall, { email: typed.email, ...signer });
      return redirect(typed.next, { 'Set-Cookie': cookie.keep(value) });
    },
    (refused) => show(http, visitor, typed, refused),
  );
}

function show(
  { stall, cookie, viewOf }: Http,
  visitor: Principal,
  { email, next }: { email: string; next: string },
  refused: Refused | null = null,
): Response {
  const view = viewOf(visitor);
  const canForget = stall.outbox.sends;
  const { contact } = view.stall;
  return sendPage(
    view,
    { title: 'Sign in', current: '/sign-in', isNarrow: true, refused },
    <>
      {refused === null && <ClosedNotice cookie={cookie} />}
      <Form action="/sign-in">
        <input type="hidden" name="next" value={next} />
        <EmailField value={email} autofocus={email === ''} />
        <CurrentPassword label="Password" name="password" autofocus={email !== ''} />
        <Button>Sign in</Button>
      </Form>
      {canForget && (
        <p class="quiet">
          <a href="/forgot">Forgot your password?</a>
        </p>
      )}
      {opensAccounts(stall) && (
        <p class="quiet">
          No account yet? <a href="/sign-up">Make one</a>.
        </p>
      )}
      <p class="quiet">
        Bought something here? <a href="/claim">Find your purchase</a>, or <a href="/redeem">redeem a code</a>
        .
      </p>
      <p class="quiet">
        {canForget ? 'Anything else?' : 'No account yet, or forgot your password?'} Ask the people who run
        this stall
        {contact !== null && (
          <>
            : <ContactLink contact={contact} />
          </>
        )}
        .
      </p>
    </>,
  );
}

/**
 * Ends this session and clears the browser's cache (ASVS 14.3.1), but no cookie except our own: "cookies" would also clear
 * those of every other host of the registered domain (https://www.w3.org/TR/clear-site-data/#clear-cookies).
 */
export async function signOut({ stall, cookie }: Http, visitor: Anonymous | SessionPrincipal) {
  if (visitor.kind === 'account') await endThisSession(stall, visitor);
  return redirect('/', { 'Set-Cookie': cookie.drop(), 'Clear-Site-Data': '"cache"' });
}

/** The reason why sign-in needs HTTPS: others could read the password, and browsers would not send the cookie back. */
const OVER_PLAIN_HTTP =
  'Cannot sign in over plain http from another machine: open the stall over https, or start it with --insecure-http';

/** The same above a form that nobody has sent yet. */
const ClosedNotice = ({ cookie }: { readonly cookie: SessionCookie }) =>
  cookie.mode() === 'refused' ? <Notice kind="warn">{OVER_PLAIN_HTTP}</Notice> : null;

function refusePlainHttp(cookie: SessionCookie): void {
  if (cookie.mode() === 'refused') throw new Refusal('access-denied', OVER_PLAIN_HTTP);
}

/**
 * The credentials of a new session besides the account: the password of a form, the browser, and the client's
 * address. Refuses plain http.
 */
export function readSigner(http: Http, request: Request, form: FormFields) {
  refusePlainHttp(http.cookie);
  const userAgent = request.headers.get('user-agent');
  const { address, language } = mailClient(http, request);
  return { password: form.text('password'), userAgent, language, address };
}

/** Who asks for a mail by a form. */
export const mailClient = ({ stall, budgets }: Http, request: Request) => ({
  address: budgets.addressOf(request).key,
  language: chosenLanguage(stall, request),
});

/** The page of each kind of one-time link; `home` is the page that opens after the form. */
const LINKS = {
  '/set-up': {
    title: 'Set up this stall',
    lead: 'You become its owner, who adds accounts, grants items and sees the logs.',
    button: 'Become the owner',
    home: '/admin',
  },
  '/invite': {
    title: 'Welcome',
    lead: 'Choose a password to open your library.',
    button: 'Set password and sign in',
    home: '/dashboard',
  },
  '/reset': {
    title: 'Set a new password',
    lead: 'Every other browser is signed out. Your agents keep reading, unless nobody had confirmed your address before.',
    button: 'Set password and sign in',
    home: '/dashboard',
  },
  '/open': {
    title: 'Open your account',
    lead: 'Choose a password. Your account is made then.',
    button: 'Make the account and sign in',
    home: '/dashboard',
  },
} as const;

/** The demo's owner needs no password, and ends with the demo. */
const DEMO_OFFICE = {
  title: 'The office of this demo',
  lead: 'See what a publisher sees: orders, readers and figures. The next start of the stall ends this owner and makes a new link.',
  button: 'Open the office',
};

type LinkPath = keyof typeof LINKS;

/**
 * The page of a one-time link. The secret follows `#`, where no server and no log sees it; the page's script puts it into
 * the form, and without the script it is pasted.
 */
export function openLink(http: Http, path: LinkPath, visitor: Principal): Response {
  if (path === '/set-up' && http.stall.store.findOwner() !== null)
    throw Refusal.missing('Cannot set up this stall: it already has an owner; sign in instead');
  return showLinkForm(http, visitor, path, { email: '', code: '' });
}

/** Uses a one-time link, and signs in. */
export async function useLink(http: Http, path: LinkPath, visitor: Principal, request: Request) {
  const { stall, cookie } = http;
  const form = await readForm(request);
  const typed = { email: form.text('email'), code: readLinkCode(form.text('code')) };
  return handleForm(
    async () => {
      if (form.text('look') !== '') {
        const { email } = findLink(stall, typed.code);
        return showLinkForm(http, visitor, path, { code: typed.code, email: email ?? '' });
      }
      const isDemo = path === '/set-up' && stall.config.demo;
      const value = await redeemLink(stall, typed.code, {
        ...readSigner(http, request, form),
        ...(path === '/set-up' ? { email: isDemo ? DEMO_OWNER : typed.email } : {}),
        // Nobody needs to know it: the demo's owner enters by a new link at each start.
        ...(isDemo ? { password: mintSecret() } : {}),
      });
      return redirect(LINKS[path].home, { 'Set-Cookie': cookie.keep(value) });
    },
    (refused) => showLinkForm(http, visitor, path, typed, refused),
  );
}

function showLinkForm(
  { stall, cookie, viewOf }: Http,
  visitor: Principal,
  path: LinkPath,
  { email, code }: { email: string; code: string },
  refused: Refused | null = null,
): Response {
  const isDemo = path === '/set-up' && stall.config.demo;
  const { title, lead, button } = isDemo ? DEMO_OFFICE : LINKS[path];
  // A mail's link is looked up first, so that its page names the address it is for.
  const isLooking = path !== '/set-up' && code === '';
  return sendPage(
    viewOf(visitor),
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
            <p>
              For <b>{email}</b>.
            </p>
            <Username email={email} />
          </>
        )}
        {path === '/set-up' && !isDemo && <EmailField value={email} />}
        {!isDemo && !isLooking && <NewPassword />}
        <Button>{isLooking ? 'Go on' : button}</Button>
      </Form>
    </>,
  );
}

/** The page of the link to a new address; the secret follows `#`. */
export function openEmailLink(
  { viewOf }: Http,
  visitor: Principal,
  refused: Refused | null = null,
  code = '',
) {
  return sendPage(
    viewOf(visitor),
    {
      title: 'Confirm your new address',
      refused,
      isNarrow: true,
      lead: 'You sign in with it from then on. Your other browsers are signed out.',
    },
    <Form action="/email">
      <LinkCode value={code} />
      {(visitor.kind === 'anonymous' || refused !== null) && (
        <CurrentPassword
          label="Your password"
          name="password"
          hint="Of the account that asked for this address"
        />
      )}
      <Button>Use this address</Button>
    </Form>,
  );
}

/** Changes the address by its link, for a reader who is signed in to the account or knows its password. */
export async function useEmailLink(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const form = await readForm(request);
  const [code, password] = [readLinkCode(form.text('code')), form.text('password')];
  const session = visitor.kind === 'account' && visitor.keyId === null ? visitor : null;
  const client = http.budgets.addressOf(request).key;
  return handleForm(
    async () => {
      const { accountId, email } = await confirmEmail(http.stall, code, session, password, client);
      if (session?.accountId === accountId) return redirectSaying(IN_ACCOUNT.current, 'email-changed');
      const lead = `Sign in with ${email} and the password you have.`;
      return sendPage(
        http.viewOf(visitor),
        { title: 'Address changed', lead, isNarrow: true },
        <ButtonLink href="/sign-in">Sign in</ButtonLink>,
      );
    },
    (refused) => openEmailLink(http, visitor, refused, code),
  );
}

type LinkCodeProps = { readonly value: string; readonly children?: ComponentChildren };

/**
 * The field for a one-time link's secret, below `children`: the script fills it from the address and hides them, and without the
 * script it is pasted.
 */
export const LinkCode = ({ value, children }: LinkCodeProps) => (
  <div class="stack" data-fragment="code">
    {children}
    <Field
      label="Code from the link"
      name="code"
      value={value}
      hint="The part after # in the address you were given"
      autocomplete="off"
      required
    />
  </div>
);

/** The secret of a pasted code, or of the whole link. */
export const readLinkCode = (text: string): string => text.trim().replace(/^.*#/, '');

/** The pages on which anybody asks for a link to an address. Their answer is the same for every address. */
const REQUESTS = {
  '/forgot': {
    title: 'Forgot your password?',
    lead: 'Type the address of your account. A link to choose a new password is sent there.',
    kind: 'reset',
    cannot: 'Cannot send a link: this stall sends no mail; ask the people who run it for one',
    sent: 'If this address has an account, a link is on the way. It can be asked for three times an hour.',
  },
  '/sign-up': {
    title: 'Make an account',
    lead: 'Type your address. A link is sent there; your account is made when you open it and choose a password.',
    kind: 'open',
    cannot: 'Cannot make an account here: ask the people who run this stall for one',
    sent: 'A link is on the way to this address. It can be asked for three times an hour.',
  },
} as const;

type RequestPath = keyof typeof REQUESTS;

/**
 * The form of a request. Without a mail server there is no such page, and `/sign-up` also needs stall.yaml to
 * open accounts.
 */
export function openRequest(http: Http, path: RequestPath, visitor: Principal): Response {
  refuseWithoutMail(http, path);
  return showRequest(http, visitor, path, {});
}

/** Sends the link. */
export async function sendRequested(http: Http, path: RequestPath, visitor: Principal, request: Request) {
  const { stall } = http;
  refuseWithoutMail(http, path);
  const email = (await readForm(request)).text('email');
  return handleForm(
    async () => {
      requestMail(stall, REQUESTS[path].kind, email, mailClient(http, request));
      return showRequest(http, visitor, path, { said: REQUESTS[path].sent });
    },
    (refused) => showRequest(http, visitor, path, { refused }, email),
  );
}

function refuseWithoutMail({ stall }: Http, path: RequestPath): void {
  if (path === '/forgot' ? stall.outbox.sends : opensAccounts(stall)) return;
  throw Refusal.missing(REQUESTS[path].cannot);
}

function showRequest(
  { viewOf }: Http,
  visitor: Principal,
  path: RequestPath,
  result: Pick<PageHead, 'said' | 'refused'>,
  email = '',
): Response {
  const { title, lead } = REQUESTS[path];
  return sendPage(
    viewOf(visitor),
    { title, lead, ...result, isNarrow: true },
    <Form action={path}>
      <EmailField value={email} autocomplete="email" />
      <Button>Send a link</Button>
    </Form>,
  );
}

/**
 * The page of a link that ends news by mail. Mail programs send the form themselves, without a page of ours
 * before it (RFC 8058 §3.1), so the secret is enough. Merely opening the link changes nothing.
 */
export function askToEndNews({ viewOf }: Http, principal: Principal, secret: string): Response {
  const lead = 'Afterwards you get no more mail about what you hold or bought.';
  return sendPage(
    viewOf(principal),
    { title: 'End news by mail', lead, isNarrow: true, headers: UNSEEN },
    <Form action={`/unsubscribe/${encodeURIComponent(secret)}`}>
      <Button>End it</Button>
    </Form>,
  );
}

/** Ends news by mail. */
export async function endNewsByMail({ stall, viewOf }: Http, principal: Principal, secret: string) {
  if (!(await endNews(stall, secret)))
    throw Refusal.missing(
      'Cannot end news by this link: it has expired or was never made here; use your account page',
    );
  const lead = 'No more news is mailed to this address. If it has an account, its page can begin it again.';
  return sendPage(viewOf(principal), { title: 'News ended', lead, isNarrow: true, headers: UNSEEN }, null);
}

/** For an address that holds a secret. */
export const UNSEEN = { 'Referrer-Policy': 'no-referrer' };
