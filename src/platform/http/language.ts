import Negotiator from 'negotiator';
import type { Anonymous, SessionPrincipal } from '../base/principal.ts';
import { baseOf, isLanguage, type Language } from '../../words/words.ts';
import { choiceCookie, ownPath, redirect } from './answer.ts';
import { readCookie } from './cookie.ts';

export const LANG = 'lang';

export const languageIn = (languages: readonly Language[], tag: string | null): Language | null =>
  tag !== null && isLanguage(tag) && languages.includes(tag) ? tag : null;

/**
 * The longest Accept-Language that is read, in characters: 14 KB of languages took 3 ms, and browsers send a few dozen bytes.
 */
const LONGEST_HEADER = 1000;

/**
 * Returns the language in which to answer a request. The first of these that names a language of the stall decides: the
 * address, the cookie, the account, the browser's Accept-Language. If none does, it is the stall's first language.
 */
export function languageOf(
  request: Request,
  languages: readonly [Language, ...Language[]],
  account: string | null,
): Language {
  const named = [inAddress(request), readCookie(request, LANG), account];
  const [chosen] = named.flatMap((tag) => languageIn(languages, tag) ?? []);
  if (chosen !== undefined) return chosen;
  const asked = request.headers.get('accept-language') ?? '';
  const headers = { 'accept-language': asked.length > LONGEST_HEADER ? '' : asked };
  // Compares only the first parts of the tags, so that a browser that asks for "zh-CN" gets "zh-Hans".
  const [preferred = null] = new Negotiator({ headers }).languages(languages.map(baseOf));
  return languages.find((one) => baseOf(one) === preferred) ?? languages[0];
}

const inAddress = (request: Request): string | null =>
  request.url.includes(`${LANG}=`) ? new URL(request.url).searchParams.get(LANG) : null;

export type Speaker = {
  readonly manifest: () => { readonly languages: readonly [Language, ...Language[]] };
  readonly store: {
    readonly write: {
      readonly setLanguage: (row: {
        readonly accountId: string;
        readonly language: Language;
      }) => Promise<unknown>;
    };
  };
};

/** Returns the language of the page from which a form was sent; null if the stall has only one language. */
export function chosenLanguage(stall: Pick<Speaker, 'manifest'>, request: Request): Language | null {
  const { languages } = stall.manifest();
  return languages.length === 1 ? null : languageOf(request, languages, null);
}

export const namesLanguage = (request: Request, languages: readonly Language[]): boolean =>
  languages.length > 1 &&
  languageIn(languages, inAddress(request)) !== null &&
  !new URL(request.url).pathname.startsWith('/api/');

export async function takeLanguage(stall: Speaker, request: Request, visitor: Anonymous | SessionPrincipal) {
  const { languages } = stall.manifest();
  const language = languageIn(languages, inAddress(request)) ?? languages[0];
  await keepLanguage(stall, visitor, language);
  const { pathname, searchParams } = new URL(request.url);
  searchParams.delete(LANG);
  const path = searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
  return redirect(ownPath(path, '/'), { 'Set-Cookie': choiceCookie(LANG, language) });
}

/** Stores the language that an account chose, for its mails and other devices. Does nothing for anonymous visitors. */
export async function keepLanguage(
  { store }: Pick<Speaker, 'store'>,
  visitor: Anonymous | SessionPrincipal,
  language: Language,
): Promise<void> {
  if (visitor.kind === 'account') await store.write.setLanguage({ accountId: visitor.accountId, language });
}
