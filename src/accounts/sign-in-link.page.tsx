import type { Anonymous, SessionPrincipal } from '../platform/base/principal.ts';
import { ownPath } from '../platform/http/answer.ts';
import { readForm } from '../platform/http/body.ts';
import { readCookie } from '../platform/http/cookie.ts';
import { handleForm, type Refused } from '../platform/site/handle-form.ts';
import { Button, CopyLine, Field, Form } from '../platform/site/form.tsx';
import { type PageHead, sendPage } from '../platform/site/page.tsx';
import { decoded } from '../platform/base/markdown-link.ts';
import { enterByLink, PURPOSES } from './one-time-link.ts';
import { readLinkCode } from './link-code.part.tsx';
import { mintSecret } from './secret.rule.ts';
import { endThisSession } from './session.ts';
import { enter, signerOf } from './signer.ts';
import type { Http } from './stall.ts';

/**
 * The cookie of a browser that asked to sign in, which lasts as long as the link: a secret, and the page to open
 * afterwards. Links store the secret's hash.
 */
type Asker = { readonly secret: string; readonly next: string };

const nameOf = ({ cookie }: Http): string =>
  cookie.mode() === 'secure' ? '__Host-bookstall-asked' : 'bookstall-asked';

function readAsker(http: Http, request: Request): Asker | null {
  const [secret = '', next = ''] = (readCookie(request, nameOf(http)) ?? '').split('.');
  return /^[\w-]{43}$/.test(secret) ? { secret, next: ownPath(decoded(next), '/dashboard') } : null;
}

/** Returns the secret of the browser that asks to sign in, the same for all its links. */
export const askerOf = (http: Http, request: Request): string =>
  readAsker(http, request)?.secret ?? mintSecret();

/** Answers a browser that asked to sign in. The page has a field for the code that the link shows in any other browser. */
export function sendAsked(http: Http, visitor: Anonymous | SessionPrincipal, { secret, next }: Asker) {
  const value = `${secret}.${encodeURIComponent(next).replaceAll('.', '%2E')}`;
  const secure = http.cookie.mode() === 'secure' ? '; Secure' : '';
  const seconds = PURPOSES['sign-in'].term / 1000;
  const kept = `${nameOf(http)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`;
  return showForm(http, visitor, {
    said: http.viewOf(visitor).words.account.requests['/sign-in/mail'].sent,
    headers: { 'Set-Cookie': kept },
  });
}

export const openSignInLink = (http: Http, visitor: Anonymous | SessionPrincipal) =>
  showForm(http, visitor, {});

/** Signs in the browser that asked for a link, by the link or its code. In any other browser, shows the link's code. */
export async function useSignInLink(http: Http, request: Request, visitor: Anonymous | SessionPrincipal) {
  const code = readLinkCode((await readForm(request)).text('code'));
  return handleForm(
    async () => {
      const asker = readAsker(http, request);
      const entered = await enterByLink(http.stall, asker?.secret ?? null, code, signerOf(http, request));
      if ('code' in entered) return showCode(http, visitor, entered.code);
      if (visitor.kind === 'account') await endThisSession(http.stall, visitor);
      return enter(http, entered.cookie, asker?.next ?? '/dashboard');
    },
    (refused) => showForm(http, visitor, { refused }),
  );
}

function showForm(
  { viewOf }: Http,
  visitor: Anonymous | SessionPrincipal,
  result: Pick<PageHead, 'said' | 'headers'> & { readonly refused?: Refused },
): Response {
  const view = viewOf(visitor);
  const { signInLink: words, signIn } = view.words.account;
  return sendPage(
    view,
    { title: words.title, lead: words.lead, ...result, isNarrow: true },
    <Form action="/sign-in/link">
      <input type="hidden" name="look" value="1" />
      <div data-fragment="code">
        <Field label={words.code} name="code" hint={words.hint} autocomplete="off" maxLength={200} required />
      </div>
      <Button>{signIn.title}</Button>
    </Form>,
  );
}

function showCode({ viewOf }: Http, visitor: Anonymous | SessionPrincipal, code: string): Response {
  const view = viewOf(visitor);
  const { elsewhere, elsewhereLead, code: label } = view.words.account.signInLink;
  return sendPage(
    view,
    { title: elsewhere, lead: elsewhereLead, isNarrow: true },
    <CopyLine text={code} label={label} />,
  );
}
