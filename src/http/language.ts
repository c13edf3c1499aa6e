import Negotiator from 'negotiator';
import type { Anonymous, SessionPrincipal } from '../access/principal.ts';
import type { Stall } from '../service/stall.ts';
import { baseOf, isLanguage, type Language } from '../words/words.ts';
import { choiceCookie, ownPath, redirect } from './answer.ts';

/** The name of the cookie and of the query's field that choose a language. */
export const LANG = 'lang';

/** Returns the language that `tag` names if it is one of the stall's, else null. */
export const languageIn = (languages: readonly Language[], tag: string | null): Language | null =>
  tag !== null && isLanguage(tag) && languages.includes(tag) ? tag : null;

/**
 * Returns the language to answer a request in. The first of these that names a language of the stall decides: the address,
 * the reader's choice in this browser, the account, what the browser prefers. Otherwise it is the stall's first language.
 */
export function languageOf(
  request: Request,
  languages: readonly [Language, ...Language[]],
  account: string | null,
): Language {
  const named = [inAddress(request), inCookie(request), account];
  const [chosen] = named.flatMap((tag) => languageIn(languages, tag) ?? []);
  if (chosen !== undefined) return chosen;
  const headers = { 'accept-language': request.headers.get('accept-language') ?? '' };
  // By their bases: a browser that asks for "zh-CN" alone gets "zh-Hans".
  const [preferred = null] = new Negotiator({ headers }).languages(languages.map(baseOf));
  return languages.find((one) => baseOf(one) === preferred) ?? languages[0];
}

const inCookie = (request: Request): string | null =>
  new Bun.CookieMap(request.headers.get('cookie') ?? '').get(LANG);

const inAddress = (request: Request): string | null =>
  request.url.includes(`${LANG}=`) ? new URL(request.url).searchParams.get(LANG) : null;

/** Returns the language of the page that a form was sent from; null if the stall has only one language. */
export function chosenLanguage(stall: Pick<Stall, 'manifest'>, request: Request): Language | null {
  const { languages } = stall.manifest();
  return languages.length === 1 ? null : languageOf(request, languages, null);
}

/** Reports whether a page's address names one of several languages. Below `/api/` none does: programs keep all their fields. */
export const namesLanguage = (request: Request, languages: readonly Language[]): boolean =>
  languages.length > 1 &&
  languageIn(languages, inAddress(request)) !== null &&
  !new URL(request.url).pathname.startsWith('/api/');

/** Keeps the language that a page's address names, and redirects to the same address without it. */
export async function takeLanguage(
  stall: Stall,
  request: Request,
  visitor: Anonymous | SessionPrincipal,
): Promise<Response> {
  const { languages } = stall.manifest();
  const language = languageIn(languages, inAddress(request)) ?? languages[0];
  await keepLanguage(stall, visitor, language);
  const { pathname, searchParams } = new URL(request.url);
  searchParams.delete(LANG);
  const path = searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
  return redirect(ownPath(path, '/'), { 'Set-Cookie': choiceCookie(LANG, language) });
}

/** Stores an account's choice of language, for its mails and other devices. Does nothing for an anonymous visitor. */
export async function keepLanguage(
  { store }: Pick<Stall, 'store'>,
  visitor: Anonymous | SessionPrincipal,
  language: Language,
): Promise<void> {
  if (visitor.kind === 'account') await store.write.setLanguage({ accountId: visitor.accountId, language });
}
