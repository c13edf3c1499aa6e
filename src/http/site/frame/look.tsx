import { ownPath, redirect } from '../../answer.ts';
import { readForm } from '../../body.ts';
import { LOOKS } from './looks.ts';
import { once } from '../parts/once.ts';

/** The attributes of `<html>` that a reader chose: the script sets them too, on every page. */
export type PageLook = { readonly 'data-size'?: string; readonly 'data-theme'?: string };

const NAMES = ['size', 'theme'] as const;
const YEAR = 365 * 24 * 60 * 60;

/** Keeps how a reader wants text to look, and returns to the page. The script does the same without a request. */
export async function keepLook(request: Request): Promise<Response> {
  const form = await readForm(request);
  const response = redirect(ownPath(form.text('back'), '/'));
  for (const name of NAMES)
    if (Object.hasOwn(LOOKS[name][1], form.text(name)))
      response.headers.append(
        'Set-Cookie',
        `${name}=${form.text(name)}; Path=/; Max-Age=${YEAR}; SameSite=Lax`,
      );
  return response;
}

/** The look that a reader chose. */
export function readLook(request: Request): PageLook {
  const cookies = new Bun.CookieMap(request.headers.get('cookie') ?? '');
  const chosen = NAMES.filter((name) => Object.keys(LOOKS[name][1]).indexOf(cookies.get(name) ?? '') > 0);
  return Object.fromEntries(chosen.map((name) => [`data-${name}`, cookies.get(name)]));
}

/** The buttons of one choice; styles and the script mark the chosen one. */
export const LookButtons = ({ name }: { readonly name: keyof typeof LOOKS }) =>
  Object.entries(LOOKS[name][1]).map(([value, label]) => (
    <button type="submit" class={value} name={name} value={value}>
      {label}
    </button>
  ));

/** The button behind which text size and theme are chosen. */
export const Look = ({ back }: { readonly back: string }) => (
  <>
    <button type="button" class="aa" popovertarget="look" aria-label="Aa: text size and theme">
      Aa
    </button>
    <form class="look" id="look" popover="auto" action="/look" method="post">
      <input type="hidden" name="back" value={back} />
      {NAMES.map((name) =>
        once(
          LOOKS,
          name,
          <fieldset>
            <legend>{LOOKS[name][0]}</legend>
            <LookButtons name={name} />
          </fieldset>,
        ),
      )}
      <button type="button" class="script-only" popovertarget="keys">
        Keys
      </button>
    </form>
  </>
);

const KEYS = [
  ['←', 'The page before'],
  ['→', 'The page after'],
  ['/', 'Search'],
  ['?', 'These keys'],
  ['Esc', 'Close'],
] as const;

/** The keys of a reading page, which work with the script. */
export const Keys = () => (
  <dialog class="keys" id="keys" popover="auto" aria-label="Keys">
    <h2>Keys</h2>
    <dl>
      {KEYS.map(([key, act]) => (
        <>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{act}</dd>
        </>
      ))}
    </dl>
    <button type="button" class="button quiet" popovertarget="keys">
      Close
    </button>
  </dialog>
);
