import type { Principal } from '../../../access/principal.ts';
import { findPendingSignIn, finishSignIn } from '../../../service/second-step.ts';
import { ownPath, redirect } from '../../answer.ts';
import { readForm } from '../../body.ts';
import type { Http } from '../../http.ts';
import { handleForm, type Refused } from '../frame/handle-form.ts';
import { sendPage } from '../frame/page.tsx';
import { Button, Field, Form } from '../parts/form.tsx';
import { CODE, readSigner, showForm } from './sign-in.tsx';

/** The page that asks for the code after a password or link; without such a sign-in it leads to the form of that. */
export function showCode(
  http: Http,
  request: Request,
  visitor: Principal,
  wanted: string,
  refused: Refused | null = null,
): Response {
  const next = ownPath(wanted, '/dashboard');
  if (findPendingSignIn(http.stall, http.cookie.read(request)) === null)
    return refused === null
      ? redirect(`/sign-in?next=${encodeURIComponent(next)}`)
      : showForm(http, visitor, { email: '', next }, refused);
  const view = http.viewOf(visitor);
  const { secondStep: words, signIn } = view.words.account;
  return sendPage(
    view,
    { title: words.title, lead: words.lead, current: '/sign-in', isNarrow: true, refused },
    <>
      <Form action={CODE} label={words.title}>
        <input type="hidden" name="next" value={next} />
        <Field
          label={words.code}
          name="code"
          inputmode="numeric"
          autocomplete="one-time-code"
          autofocus
          required
        />
        <Button>{signIn.title}</Button>
      </Form>
      <details class="more">
        <summary>{words.lost}</summary>
        <Form action={CODE} label={words.recovery}>
          <input type="hidden" name="next" value={next} />
          <Field label={words.recovery} name="code" hint={words.recoveryHint} autocomplete="off" required />
          <Button kind="quiet">{words.useRecovery}</Button>
        </Form>
      </details>
    </>,
  );
}

/** Opens the session if the code is right. */
export async function sendCode(http: Http, request: Request, visitor: Principal): Promise<Response> {
  const { stall, cookie } = http;
  const form = await readForm(request);
  const next = ownPath(form.text('next'), '/dashboard');
  return handleForm(
    async () => {
      const signer = readSigner(http, request, form);
      const value = await finishSignIn(stall, cookie.read(request), form.text('code'), signer);
      return redirect(next, { 'Set-Cookie': cookie.keep(value) });
    },
    (refused) => showCode(http, request, visitor, next, refused),
  );
}
