import { redeemLink } from '../../../service/links.ts';
import { ABSOLUTE } from '../../../access/session.ts';
import type { Principal } from '../../../access/principal.ts';
import { Refusal } from '../../../refusal.ts';
import { readForm } from '../../body.ts';
import { redirect } from '../../answer.ts';
import { handleForm, type Refused } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import { Notice, PageHeading, sendPage, type View } from '../frame/page.tsx';
import { Button, Field, Form, PasswordFields, readNewPassword } from '../parts/form.tsx';
import { OVER_PLAIN_HTTP, refusePlainHttp } from './sign-in.tsx';

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
    lead: 'Your other sessions end. Your API keys keep working, unless nobody had confirmed your address before.',
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

type Path = keyof typeof LINKS;

/**
 * The page of a one-time link. The secret follows `#`, where no server and no log sees it; the page's script puts it into
 * the form, and without the script it is pasted.
 */
export async function openLink(
  { stall, viewOf, cookie }: Http,
  path: Path,
  visitor: Principal,
): Promise<Response> {
  if (path === '/set-up' && (await stall.store.findOwner()) !== null) throw alreadySetUp();
  return showLinkForm(viewOf(visitor), path, { email: '', code: '' }, null, cookie.mode() === 'refused');
}

/** Uses a one-time link, and signs in. */
export async function useLink(
  http: Http,
  path: Path,
  visitor: Principal,
  request: Request,
): Promise<Response> {
  const { stall, viewOf, cookie } = http;
  const form = await readForm(request);
  const typed = { email: form.text('email'), code: readLinkCode(form.text('code')) };
  return handleForm(
    async () => {
      refusePlainHttp(cookie);
      const password = readNewPassword(form);
      const { cookie: value } = await redeemLink(stall, typed.code, {
        ...(path === '/set-up' ? { email: typed.email } : {}),
        password,
        userAgent: request.headers.get('user-agent'),
      });
      return redirect(LINKS[path].home, { 'Set-Cookie': cookie.keep(value, ABSOLUTE) });
    },
    (refused) => showLinkForm(viewOf(visitor), path, typed, refused, false),
  );
}

function alreadySetUp(): Refusal {
  return new Refusal('not-found', 'Cannot set up this stall: it already has an owner; sign in instead');
}

function showLinkForm(
  view: View,
  path: Path,
  { email, code }: { email: string; code: string },
  refused: Refused | null,
  isClosed: boolean,
): Response {
  const { title, lead, button } = LINKS[path];
  return sendPage(
    view,
    { title, ...refused },
    <div class="narrow">
      <PageHeading title={title} lead={lead} />
      {refused !== null && <Notice kind="bad">{refused.sentence}</Notice>}
      {isClosed && <Notice kind="warn">{OVER_PLAIN_HTTP}</Notice>}
      <Form action={path}>
        <LinkCode value={code} />
        {path === '/set-up' && (
          <Field label="E-mail" name="email" type="email" value={email} autocomplete="username" required />
        )}
        <PasswordFields />
        <Button>{button}</Button>
      </Form>
    </div>,
  );
}

/** The field for a one-time link's secret: the script fills it from the address and hides it, and without the script it is pasted. */
export function LinkCode({ value }: { readonly value: string }) {
  return (
    <div data-fragment="code">
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
}

/** The secret of a pasted code, or of the whole link. */
export function readLinkCode(text: string): string {
  return text.trim().replace(/^.*#/, '');
}
