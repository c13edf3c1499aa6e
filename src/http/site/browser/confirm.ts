/** Asks the question in a form's `data-confirm` before the form is sent. */
export function askFirst(): void {
  document.addEventListener('submit', (event) => {
    const sentence = event.target instanceof HTMLFormElement ? event.target.dataset['confirm'] : undefined;
    if (sentence !== undefined && !confirm(sentence)) event.preventDefault();
  });
}
