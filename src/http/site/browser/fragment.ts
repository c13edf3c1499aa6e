/**
 * Moves a one-time link's secret from after `#` into the field named by `data-fragment`, and hides the field: others may
 * read the address over a shoulder or in a history. A page that only leads to the field's page, by `data-fragment-page`,
 * is left for that one.
 */
export function takeFragment(): void {
  const holder = document.querySelector<HTMLElement>('[data-fragment]');
  const secret = location.hash.slice(1);
  if (secret === '') return;
  const page = document.querySelector<HTMLAnchorElement>('a[data-fragment-page]');
  if (holder === null && page !== null) location.replace(`${page.href}#${secret}`);
  if (holder === null) return;
  const field = holder.querySelector<HTMLInputElement>(`[name="${holder.dataset['fragment']}"]`);
  if (field === null) return;
  field.value = secret;
  holder.hidden = true;
  history.replaceState(null, '', location.pathname + location.search);
}
