/**
 * Moves a one-time link's secret from after `#` into the field named by `data-fragment`, and hides the field: others may
 * read the address over a shoulder or in a history.
 */
export function takeFragment(): void {
  const holder = document.querySelector<HTMLElement>('[data-fragment]');
  const secret = location.hash.slice(1);
  if (holder === null || secret === '') return;
  const field = holder.querySelector<HTMLInputElement>(`[name="${holder.dataset['fragment']}"]`);
  if (field === null) return;
  field.value = secret;
  holder.hidden = true;
  history.replaceState(null, '', location.pathname + location.search);
}
