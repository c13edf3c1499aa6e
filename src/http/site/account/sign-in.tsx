import { Elysia } from 'elysia';
import { opensAccounts } from '../../../service/mails.ts';
import { beginSession } from '../../../service/sessions.ts';
import { ABSOLUTE } from '../../../access/session.ts';
import { readForm } from '../../form.ts';
import { ownPath, redirect } from '../../origin.ts';
import { handleForm, type Refused } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { sendPage } from '../frame/page.tsx';
import { Field } from '../parts/field.tsx';
import { Button, Form } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { Notice } from '../parts/notice.tsx';
import type { View } from '../frame/view.ts';
import { ContactLink } from '../parts/contact-link.tsx';
import { OVER_PLAIN_HTTP, refusePlainHttp } from './plain-http.ts';

/** `/sign-in`: opens a session with an e-mail address and a password. */
export function signIn({ stall, identity, viewOf, cookie, budgets }: RouteDeps) {
  const can = () => ({ forget: stall.outbox.sends, join: opensAccounts(stall) });
  return new Elysia()
    .use(identity)
    .get(
      '/sign-in',
      ({ visitor, query }) => {
        const next = ownPath(query['next'] ?? '', '/dashboard');
        return visitor.kind === 'account'
          ? redirect(next)
          : show(viewOf(visitor), { email: '', next }, null, cookie.mode() === 'refused', can());
      },
      { visitorGuard: true },
    )
    .post(
      '/sign-in',
      async ({ request, visitor }) => {
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
          (refused) => show(viewOf(visitor), typed, refused, false, can()),
        );
      },
      { visitorGuard: true, parse: 'none' },
    );
}

function show(
  view: View,
  { email, next }: { email: string; next: string },
  refused: Refused | null,
  isClosed: boolean,
  can: { readonly forget: boolean; readonly join: boolean },
): Response {
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
      {can.forget && (
        <p>
          <a href="/forgot">Forgot your password?</a>
        </p>
      )}
      {can.join && (
        <p>
          No account yet? <a href="/sign-up">Make one</a>.
        </p>
      )}
      <p>
        Bought something here? <a href="/claim">Find your purchase</a>, or <a href="/redeem">redeem a code</a>
        .
      </p>
      <p class="quiet">
        {can.forget ? 'Anything else?' : 'No account yet, or forgot your password?'} Ask the people who run
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
