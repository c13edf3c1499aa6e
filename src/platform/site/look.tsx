import type { Anonymous, SessionPrincipal } from '../base/principal.ts';
import { LOOKS } from '../../words/looks.ts';
import { choiceCookie, ownPath, redirect } from '../http/answer.ts';
import { readForm } from '../http/body.ts';
import { readCookie } from '../http/cookie.ts';
import { keepLanguage, LANG, languageIn, type Speaker } from '../http/language.ts';
import { once } from './once.tsx';
import { arrowsOf, useWords } from './words.tsx';
import type { Direction } from '../base/direction.ts';

type LookName = keyof typeof LOOKS;

/** The attributes of `<html>` for the chosen text size and theme. The script sets them too. */
export type PageLook = { readonly [Name in LookName as `data-${Name}`]?: string };

const NAMES = Object.keys(LOOKS) as readonly LookName[];

const valuesOf = (name: LookName): readonly string[] => LOOKS[name];

/**
 * Saves the chosen text size, theme or language in cookies, and returns to the page. The script changes size and theme by
 * itself.
 */
export async function keepLook(stall: Speaker, request: Request, visitor: Anonymous | SessionPrincipal) {
  const form = await readForm(request);
  const from = URL.parse(request.headers.get('referer') ?? '');
  const back = form.text('back') || (from === null ? '/' : from.pathname + from.search);
  const response = redirect(ownPath(back, '/'));
  const keep = (cookie: string) => response.headers.append('Set-Cookie', cookie);
  for (const name of NAMES)
    if (valuesOf(name).includes(form.text(name))) keep(choiceCookie(name, form.text(name)));
  const language = languageIn(stall.manifest().languages, form.text(LANG));
  if (language === null) return response;
  await keepLanguage(stall, visitor, language);
  keep(choiceCookie(LANG, language));
  return response;
}

export function readLook(request: Request): PageLook {
  const chosen = NAMES.map((name) => [name, readCookie(request, name) ?? ''] as const);
  const known = chosen.filter(([name, value]) => valuesOf(name).indexOf(value) > 0);
  return Object.fromEntries(known.map(([name, value]) => [`data-${name}`, value]));
}

export function LookButtons({ name }: { readonly name: LookName }) {
  const { frame } = useWords();
  return Object.entries(frame.looks[name].values).map(([value, label]) => (
    <button type="submit" class={value} name={name} value={value}>
      {label}
    </button>
  ));
}

export function Look({ back }: { readonly back: string }) {
  const words = useWords();
  const { frame } = words;
  return (
    <>
      <button type="button" class="aa" popovertarget="look" aria-label={frame.look}>
        Aa
      </button>
      <form class="look" id="look" popover="auto" action="/look" method="post">
        <input type="hidden" name="back" value={back} />
        {NAMES.map((name) =>
          once(
            words,
            LOOKS,
            name,
            <fieldset>
              <legend>{frame.looks[name].title}</legend>
              <LookButtons name={name} />
            </fieldset>,
          ),
        )}
        <button type="button" class="script-only" popovertarget="keys">
          {frame.keys}
        </button>
      </form>
    </>
  );
}

const KEYS = [
  ['/', 'search'],
  ['?', 'keys'],
  ['Esc', 'close'],
] as const;

/** Lists the keyboard shortcuts of a reading page. `dir` is the direction of its text, by which the arrow keys swap. */
export function Keys({ dir }: { readonly dir: Direction }) {
  const { frame } = useWords();
  const { back, on } = arrowsOf(dir);
  const keys = [[back, 'before'], [on, 'after'], ...KEYS] as const;
  return (
    <dialog class="keys" id="keys" popover="auto" aria-label={frame.keys}>
      <h2>{frame.keys}</h2>
      <dl>
        {keys.map(([key, act]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{frame.keyNames[act]}</dd>
          </>
        ))}
      </dl>
      <button type="button" class="button quiet" popovertarget="keys">
        {frame.keyNames.close}
      </button>
    </dialog>
  );
}
