import { readForm } from '../../body.ts';
import { ownPath, redirect } from '../../answer.ts';

const COOKIE = 'text_size';
const YEAR = 365 * 24 * 60 * 60;

/** The steps of text size, and their names. */
const SIZES = { small: 'Small', medium: 'Medium', large: 'Large' } as const;
export type TextSize = keyof typeof SIZES;

/** Keeps how large a reader wants text, and returns to the page. */
export async function keepTextSize(request: Request): Promise<Response> {
  const form = await readForm(request);
  const size = toSize(form.text('size'));
  return redirect(ownPath(form.text('back'), '/'), {
    'Set-Cookie': `${COOKIE}=${size}; Path=/; Max-Age=${YEAR}; HttpOnly; SameSite=Lax`,
  });
}

/** The size that a reader chose. */
export function readTextSize(request: Request): TextSize {
  const cookie = request.headers.get('cookie') ?? '';
  return toSize(new RegExp(`(?:^|; *)${COOKIE}=(\\w+)`).exec(cookie)?.[1] ?? '');
}

function toSize(text: string): TextSize {
  return Object.hasOwn(SIZES, text) ? (text as TextSize) : 'medium';
}

/** Buttons to choose it. */
export function TextSizeForm({ size, back }: { readonly size: TextSize; readonly back: string }) {
  return (
    <form class="text-size" action="/text-size" method="post" aria-label="Text size">
      <input type="hidden" name="back" value={back} />
      {Object.entries(SIZES).map(([value, name]) => (
        <button
          key={value}
          type="submit"
          name="size"
          value={value}
          class={`size-${value}`}
          aria-pressed={value === size}
          aria-label={`${name} text`}
        >
          A
        </button>
      ))}
    </form>
  );
}
