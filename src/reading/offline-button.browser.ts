// The script of "Keep for offline" on a book's page, and of the page `/offline`.
import { dropKept, keepBook, listKept, renewKept } from './offline-book.browser.ts';

const SCRIPT = '/offline.js';
const scopeOf = (slug: string): string => `/books/${slug}/`;

const register = (scope: string): Promise<unknown> =>
  navigator.serviceWorker.register(SCRIPT, { scope, updateViaCache: 'none' });

/** Keeps a book, and returns the name of the page's sentence that says how it went. */
async function keep(slug: string): Promise<'kept' | 'full' | 'failed'> {
  try {
    await keepBook(slug);
    await Promise.all([register(scopeOf(slug)), register('/offline')]);
    return 'kept';
  } catch (error) {
    return (error as Error).name === 'QuotaExceededError' ? 'full' : 'failed';
  }
}

async function serveButton(box: HTMLElement): Promise<void> {
  const { slug = '' } = box.dataset;
  const [button, progress] = [box.querySelector('button')!, box.querySelector('progress')!];
  const show = (name: string): void => {
    button.hidden = name === 'kept' || name === 'keeping';
    progress.hidden = name !== 'keeping';
    box.querySelector('[role]')!.textContent = box.dataset[name] ?? '';
  };
  button.addEventListener('click', () => {
    show('keeping');
    void keep(slug).then(show);
  });
  show((await listKept()).some((book) => book.slug === slug) ? 'kept' : 'none');
  box.hidden = false;
}

/** Lists the kept books, and asks the stall about each, if it can be reached. */
async function showKept(list: HTMLElement): Promise<void> {
  const show = async (): Promise<void> => {
    const books = await listKept();
    list.querySelector<HTMLElement>('[data-said="none"]')!.hidden = books.length > 0;
    const lines = books.map((book) => {
      const line = list.querySelector('template')!.content.cloneNode(true) as DocumentFragment;
      const link = line.querySelector('a')!;
      link.href = `${scopeOf(book.slug)}read`;
      link.textContent = book.title;
      const button = line.querySelector('button')!;
      button.ariaLabel = `${button.textContent}: ${book.title}`;
      button.addEventListener('click', () => void dropKept(book.slug).then(show));
      return line;
    });
    list.querySelector('ul')!.replaceChildren(...lines);
  };
  await show();
  for (const book of await listKept()) await renewKept(book);
  await show();
}

// Over plain http, and in some private windows, there are no service workers.
if ('serviceWorker' in navigator && 'caches' in globalThis) {
  const box = document.querySelector<HTMLElement>('.offline-button');
  const list = document.querySelector<HTMLElement>('.kept-books');
  if (box !== null) void serveButton(box);
  if (list !== null) void showKept(list);
}
