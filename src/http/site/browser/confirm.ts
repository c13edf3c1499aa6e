/** Asks the sentence of a form's `data-confirm` once before the form is sent. */
export function askFirst(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    const sentence = form instanceof HTMLFormElement ? form.dataset['confirm'] : undefined;
    if (!(form instanceof HTMLFormElement) || sentence === undefined || form.dataset['confirmed'] === '')
      return;
    event.preventDefault();
    const sender = event.submitter instanceof HTMLButtonElement ? event.submitter : null;
    ask(sentence, sender?.textContent ?? 'Continue', () => {
      form.dataset['confirmed'] = '';
      form.requestSubmit(sender);
    });
  });
}

function ask(sentence: string, action: string, proceed: () => void): void {
  const dialog = document.createElement('dialog');
  const question = document.createElement('p');
  question.id = 'question';
  question.textContent = sentence;
  dialog.setAttribute('aria-labelledby', question.id);
  const actions = document.createElement('div');
  actions.className = 'actions';
  actions.append(
    button('Cancel', 'quiet', () => dialog.close()),
    button(action, 'danger', () => {
      dialog.close();
      proceed();
    }),
  );
  dialog.append(question, actions);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function button(name: string, kind: string, press: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = `button ${kind}`;
  made.textContent = name;
  made.addEventListener('click', press);
  return made;
}
