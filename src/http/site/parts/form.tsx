import type { ComponentChildren } from 'preact';

type Kind = 'primary' | 'quiet' | 'danger';

/**
 * A form that is sent to a path of the stall. `confirm` says in one sentence what will stop: the script asks it before the
 * form is sent; without the script the form shows it. `label` names the form on a page with several.
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

/** The submit button of a form. */
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

/** A link that looks like a button. */
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
