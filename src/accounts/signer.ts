import { chosenLanguage } from '../platform/http/language.ts';
import { redirect } from '../platform/http/answer.ts';
import type { Form } from '../platform/http/body.ts';
import type { SessionCookie } from '../platform/http/credential.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import { findPendingSignIn } from './second-step.ts';
import type { Http } from './stall.ts';

/** Refuses to sign in over plain http: others could read the password, and browsers would not send the cookie back. */
export function refusePlainHttp(cookie: SessionCookie): void {
  if (cookie.mode() === 'refused') throw new ToldRefusal('access-denied', (r) => r.account.overPlainHttp);
}

/**
 * Reads from a request what a new session needs beside the account: browser, address and language. Refuses plain http, and
 * every request if a proxy signs readers in.
 */
export function signerOf(http: Http, request: Request) {
  refusePlainHttp(http.cookie);
  if (http.stall.config.proxySignIn !== null) throw new ToldRefusal('not-found', (r) => r.account.byProxy);
  return senderOf(http, request);
}

export const readSigner = (http: Http, request: Request, form: Form) => ({
  password: form.text('password'),
  ...signerOf(http, request),
});

export const senderOf = (http: Http, request: Request) => ({
  userAgent: request.headers.get('user-agent'),
  ...mailClient(http, request),
});

export const mailClient = ({ stall, budgets }: Http, request: Request) => ({
  address: budgets.addressOf(request).key,
  language: chosenLanguage(stall, request),
});

export const waitsForCode = ({ stall }: Http, cookie: string | null) =>
  findPendingSignIn(stall, cookie) !== null;

export const enter = (http: Http, cookie: string, next: string): Response =>
  redirect(waitsForCode(http, cookie) ? `/sign-in?next=${encodeURIComponent(next)}` : next, {
    'Set-Cookie': http.cookie.keep(cookie),
  });
