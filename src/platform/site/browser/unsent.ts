import type { browser } from '../../../words/en/browser.ts';

/** A note that was made without a network, as the form to send later. */
type Unsent = { readonly action: string; readonly fields: Readonly<Record<string, string>> };

const reader = (): string => document.querySelector<HTMLElement>('.visitor')?.dataset['reader'] ?? '';
/** The notes of each account are kept apart. */
const key = (): string => `unsent ${reader()}`;
const list = (): readonly Unsent[] => JSON.parse(localStorage.getItem(key()) ?? '[]') as Unsent[];
const store = (notes: readonly Unsent[]): void =>
  notes.length > 0 ? localStorage.setItem(key(), JSON.stringify(notes)) : localStorage.removeItem(key());

/**
 * Saves a note to send later, and says so below the text; false if the browser has no room. The field `reader` keeps it from
 * other accounts.
 */
export function addUnsent(words: typeof browser, action: string, fields: Unsent['fields']): boolean {
  try {
    store([...list(), { action, fields: { ...fields, reader: reader() } }]);
  } catch {
    return false;
  }
  showUnsent(words);
  return true;
}

function showUnsent(words: typeof browser): void {
  document.querySelector('.unsent')?.remove();
  const { path } = document.querySelector<HTMLElement>('.pencil')?.dataset ?? {};
  const here = list().filter(({ fields }) => fields['path'] === path);
  const line = document.createElement('div');
  Object.assign(line, { className: 'notice warn unsent', role: 'status' });
  line.textContent = words.unsent;
  for (const { fields } of here) {
    const [note, quote] = [document.createElement('p'), document.createElement('q')];
    quote.textContent = fields['exact'] ?? '';
    note.append(quote, ` ${fields['text']}`);
    line.append(note);
  }
  if (here.length > 0) document.querySelector('.reading')?.after(line);
}

/** Sends unsent notes at once and whenever the network is back, and asks before a sign-out that would lose them. */
export function sendUnsent(words: typeof browser, renew: (html: string) => void): void {
  const send = () => navigator.locks.request('unsent', () => sendAll(renew)).then(() => showUnsent(words));
  addEventListener('online', () => void send());
  document.addEventListener('submit', (event) => {
    const isEnd = (event.target as HTMLFormElement).getAttribute('action')?.startsWith('/sign-out') === true;
    if (isEnd && list().length > 0 && !confirm(words.loseUnsent)) event.preventDefault();
  });
  if (list().length > 0) void send();
}

async function sendAll(renew: (html: string) => void): Promise<void> {
  for (const { action, fields } of list()) {
    const body = new URLSearchParams(fields);
    // With `Purpose`, the answer is no reading: the stall keeps the reader's position.
    const headers = { Accept: 'text/html', Purpose: 'prefetch' };
    const response = await fetch(action, { method: 'POST', body, headers }).catch(() => null);
    // A proxy may answer with its own page: only a page for this reader counts.
    const page = response?.ok === true ? await response.text().catch(() => '') : '';
    const isTaken = page.includes(`data-reader="${fields['reader']}"`);
    if (!isTaken) continue;
    store(list().filter((one) => one.fields['id'] !== fields['id']));
    renew(page);
  }
}
