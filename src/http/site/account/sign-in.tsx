import type { Anonymous, Principal, SessionPrincipal } from '../../../access/principal.ts';
import { opensAccounts } from '../../../service/mails.ts';
import { beginSession, endThisSession, type SignedIn } from '../../../service/sessions.ts';
import { ABSOLUTE } from '../../../access/session.ts';
import { readForm } from '../../body.ts';
import { ownPath, redirect } from '../../answer.ts';
import { handleForm, type Refused } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import { Notice, PageHeading, sendPage } from '../frame/page.tsx';
import { Button, Field, Form } from '../parts/form.tsx';
import { ContactLink } from '../parts/buy.tsx';
import { Refusal } from '../../../refusal.ts';
import type { SessionCookie } from '../../credential.ts';

/** The form that opens a session; a visitor who has one goes on. */
export function showSignIn(http: Http, visitor: Principal, wanted: string): Response {
  const next = ownPath(wanted, '/dashboard');
  return visitor.kind === 'account'
    ? redirect(next)
    : show(http, visitor, { email: '', next }, null, http.cookie.mode() === 'refused');
}

/** Opens a session with an e-mail address and a password. */
export async function signIn(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const { stall, cookie, budgets } = http;
  const form = await readForm(request);
  const typed = { email: form.text('email'), next: ownPath(form.text('next'), '/dashboard') };
  return handleForm(
    async () => {
      refusePlainHttp(cookie);
      const { cookie: value } = await beginSession(stall, {
        email: typed.email,
        password: form.text('password'),
        address: budgets.addressOf(request).key,
        userAgent: request.headers.get('user-agent'),
      });
      return redirect(typed.next, { 'Set-Cookie': cookie.keep(value, ABSOLUTE) });
    },
    (refused) => show(http, visitor, typed, refused, false),
  );
}

function show(
  { stall, viewOf }: Http,
  visitor: Principal,
  { email, next }: { email: string; next: string },
  refused: Refused | null,
  isClosed: boolean,
): Response {
  const view = viewOf(visitor);
  const canForget = stall.outbox.sends;
  const { contact } = view.stall;
  return sendPage(
    view,
    { title: 'Sign in', current: '/sign-in', ...refused },
    <div class="narrow">
      <PageHeading title="Sign in" />
      {refused !== null && <Notice kind="bad">{refused.sentence}</Notice>}
      {isClosed && <Notice kind="warn">{OVER_PLAIN_HTTP}</Notice>}
      <Form action="/sign-in">
        <input type="hidden" name="next" value={next} />
        <Field
          label="E-mail"
          name="email"
          type="email"
          value={email}
          autocomplete="username"
          required
          autofocus={email === ''}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          autofocus={email !== ''}
        />
        <Button kind="primary">Sign in</Button>
      </Form>
      {canForget && (
        <p>
          <a href="/forgot">Forgot your password?</a>
        </p>
      )}
      {opensAccounts(stall) && (
        <p>
          No account yet? <a href="/sign-up">Make one</a>.
        </p>
      )}
      <p>
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
    </div>,
  );
}

/**
 * Ends this session and clears the browser's cache (ASVS 14.3.1), but no cookie except our own: "cookies" would also clear
 * those of every other host of the registered domain (https://www.w3.org/TR/clear-site-data/#clear-cookies).
 */
export async function signOut(
  { stall, cookie }: Http,
  visitor: Anonymous | SessionPrincipal,
): Promise<Response> {
  if (visitor.kind === 'account') await endThisSession(stall, visitor);
  return redirect('/', { 'Set-Cookie': cookie.drop(), 'Clear-Site-Data': '"cache"' });
}

/** The reason why sign-in needs HTTPS: others could read the password, and browsers would not send the cookie back. */
export const OVER_PLAIN_HTTP =
  'Cannot sign in over plain http from another machine: open the stall over https, or start it with --insecure-http';

/** Refuses a form with a password before it is read any further, if no session could follow. */
export function refusePlainHttp(cookie: SessionCookie): void {
  if (cookie.mode() === 'refused') throw new Refusal('access-denied', OVER_PLAIN_HTTP);
}

/** Whoever has just signed in. */
export function toPrincipal({ session, account: { id, email, isOwner } }: SignedIn): SessionPrincipal {
  return { kind: 'account', accountId: id, email, keyId: null, sessionId: session.id, isOwner };
}
