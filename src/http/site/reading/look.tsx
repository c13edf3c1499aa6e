import type { PageLook } from '../frame/page.tsx';
import { ownPath, redirect } from '../../answer.ts';
import { readForm } from '../../body.ts';

const YEAR = 365 * 24 * 60 * 60;

/** What a reader may choose, each with its cookie, its title, and the values with their names; the first is the default. */
const LOOKS = [
  ['size', 'Text size', { medium: 'Medium', small: 'Small', large: 'Large' }],
  ['theme', 'Theme', { system: 'System', light: 'Light', dark: 'Dark' }],
] as const;

/** Keeps how a reader wants text to look, and returns to the page. The script does the same without a request. */
export async function keepLook(request: Request): Promise<Response> {
  const form = await readForm(request);
  const response = redirect(ownPath(form.text('back'), '/'));
  for (const [name, , values] of LOOKS)
    if (Object.hasOwn(values, form.text(name)))
      response.headers.append(
        'Set-Cookie',
        `${name}=${form.text(name)}; Path=/; Max-Age=${YEAR}; SameSite=Lax`,
      );
  return response;
}

/** The attributes of a page in the look that its reader chose. */
export function readLook(request: Request): PageLook {
  const cookie = request.headers.get('cookie') ?? '';
  const chosen = LOOKS.map(([name, , values]) => {
    const value = new RegExp(`(?:^|; *)${name}=(\\w+)`).exec(cookie)?.[1] ?? '';
    return [`data-${name}`, Object.hasOwn(values, value) ? value : undefined];
  });
  return Object.fromEntries(chosen) as PageLook;
}

/** The button behind which text size and theme are chosen. */
export function Look({ back }: { readonly back: string }) {
  return (
    <details class="look">
      <summary aria-label="Text size and theme">Aa</summary>
      <form action="/look" method="post">
        <input type="hidden" name="back" value={back} />
        {LOOKS.map(([name, title, values]) => (
          <fieldset>
            <legend>{title}</legend>
            {Object.entries(values).map(([value, label]) => (
              <button type="submit" class={value} name={name} value={value}>
                {label}
              </button>
            ))}
          </fieldset>
        ))}
        <p class="script-only keys-hint">
          <button type="button" data-keys>
            Keys
          </button>
        </p>
      </form>
    </details>
  );
}

/** The keys of a reading page, which the script shows. */
export function Keys({ isSearched }: { readonly isSearched: boolean }) {
  return (
    <dialog class="keys" aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <dl>
        <dt>
          <kbd>←</kbd> <kbd>→</kbd>
        </dt>
        <dd>The page before and after</dd>
        {isSearched && (
          <>
            <dt>
              <kbd>/</kbd>
            </dt>
            <dd>Search in this book</dd>
          </>
        )}
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>These keys</dd>
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>Close</dd>
      </dl>
      <form method="dialog">
        <button class="button quiet">Close</button>
      </form>
    </dialog>
  );
}
