/** Sends a form only once: the second click of a double click would discard the answer to the first, with the key in it. */
export function sendOnce(): void {
  let sent = new WeakSet<HTMLFormElement>();
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.method !== 'post' || event.defaultPrevented) return;
    if (sent.has(form)) event.preventDefault();
    sent.add(form);
  });
  // A page restored from the browser's back-forward cache may be sent again.
  addEventListener('pageshow', () => (sent = new WeakSet()));
}
