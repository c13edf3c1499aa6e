import Negotiator from 'negotiator';
import type { Anonymous, SessionPrincipal } from '../access/principal.ts';
import type { Stall } from '../service/stall.ts';
import { baseOf, isLanguage, type Language } from '../words/words.ts';
import { choiceCookie, ownPath, redirect } from './answer.ts';

/** The name of the cookie and of the field of an address that choose a language. */
export const LANG = 'lang';

/** The language of a stall that a text names, or null. */
export const languageIn = (languages: readonly Language[], tag: string | null): Language | null =>
  tag !== null && isLanguage(tag) && languages.includes(tag) ? tag : null;

/**
 * The language of the page that a browser asks for, of those of the stall: the one in its address, the reader's choice in this
 * browser, that of the account, or the first that the browser prefers; else the stall's first.
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

/** The language of the page that a form was sent from; null if the stall has one alone. */
export function chosenLanguage(stall: Pick<Stall, 'manifest'>, request: Request): Language | null {
  const { languages } = stall.manifest();
  return languages.length === 1 ? null : languageOf(request, languages, null);
}

/** Whether a page's address names one of several languages; those of programs keep all their fields. */
export const namesLanguage = (request: Request, languages: readonly Language[]): boolean =>
  languages.length > 1 &&
  languageIn(languages, inAddress(request)) !== null &&
  !new URL(request.url).pathname.startsWith('/api/');

/** Keeps the language that a page's address names, and leads to the same address without it. */
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

/** Keeps a reader's choice for their mails and their other devices. */
export async function keepLanguage(
  { store }: Pick<Stall, 'store'>,
  visitor: Anonymous | SessionPrincipal,
  language: Language,
): Promise<void> {
  if (visitor.kind === 'account') await store.write.setLanguage({ accountId: visitor.accountId, language });
}
