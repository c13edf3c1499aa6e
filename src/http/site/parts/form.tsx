import type { ComponentChildren } from 'preact';

type Kind = 'primary' | 'quiet' | 'danger';

/**
 * A form to an own path. `confirm` is one sentence that says what will stop: the script asks it before the form is
 * sent, and without the script it stands in the form. `label` names the form where a page has several.
 */
export function Form({
  action,
  children,
  confirm,
  method = 'post',
  label,
}: {
  action: string;
  children: ComponentChildren;
  confirm?: string;
  method?: 'post' | 'get';
  label?: string;
}) {
  return (
    <form action={action} method={method} aria-label={label} data-confirm={confirm}>
      {confirm !== undefined && <p class="confirm">{confirm}</p>}
      {children}
    </form>
  );
}

/** The button that sends its form. */
export function Button({
  kind = 'primary',
  name,
  value,
  children,
}: {
  kind?: Kind;
  name?: string;
  value?: string;
  children: ComponentChildren;
}) {
  return (
    <button type="submit" class={`button ${kind}`} name={name} value={value}>
      {children}
    </button>
  );
}

/** A link that is the page's next step and looks like it. */
export function ButtonLink({
  href,
  kind = 'primary',
  children,
}: {
  href: string;
  kind?: Kind;
  children: ComponentChildren;
}) {
  return (
    <a class={`button ${kind}`} href={href}>
      {children}
    </a>
  );
}
