// The script of "Keep for offline" on a book's page, and of the page `/offline`.
import { dropKept, keepBook, listKept, renewKept } from './kept-book.browser.ts';

const SCRIPT = '/offline.js';
const MEGABYTES = { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 } as const;
const scopeOf = (slug: string): string => `/books/${slug}/`;

const register = (scope: string): Promise<unknown> =>
  navigator.serviceWorker.register(SCRIPT, { scope, updateViaCache: 'none' });

/** Keeps a book, and says how it went: by the name of an element of the page. */
async function keep(slug: string, said: (share: number) => void): Promise<'kept' | 'full' | 'failed'> {
  try {
    await keepBook(slug, said);
    await Promise.all([register(scopeOf(slug)), register('/offline')]);
    return 'kept';
  } catch (error) {
    return (error as Error).name === 'QuotaExceededError' ? 'full' : 'failed';
  }
}

async function remove(slug: string): Promise<void> {
  await dropKept(slug);
  await (await navigator.serviceWorker.getRegistration(scopeOf(slug)))?.unregister();
}

async function serveButtons(box: HTMLElement): Promise<void> {
  const { slug = '' } = box.dataset;
  const progress = box.querySelector('progress')!;
  const show = (name: string): void => {
    for (const one of box.querySelectorAll<HTMLElement>('[data-said]'))
      one.hidden = one.dataset['said'] !== name;
    const isKept = name === 'kept';
    box.querySelector<HTMLElement>('[value="keep"]')!.hidden = isKept || name === 'keeping';
    box.querySelector<HTMLElement>('[value="remove"]')!.hidden = !isKept;
    progress.hidden = name !== 'keeping';
  };
  box.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    if (target.value === 'remove') void remove(slug).then(() => show('none'));
    else {
      show('keeping');
      void keep(slug, (share) => (progress.value = share)).then(show);
    }
  });
  show((await listKept()).some((book) => book.slug === slug) ? 'kept' : 'none');
  box.hidden = false;
}

/** Lists the kept books, and asks the stall about each, if it can be reached. */
async function showKept(list: HTMLElement): Promise<void> {
  const sizes = new Intl.NumberFormat(document.documentElement.lang, MEGABYTES);
  const show = async (): Promise<void> => {
    const books = await listKept();
    list.querySelector<HTMLElement>('[data-said="none"]')!.hidden = books.length > 0;
    const lines = books.map((book) => {
      const line = list.querySelector('template')!.content.cloneNode(true) as DocumentFragment;
      const link = line.querySelector('a')!;
      link.href = `${scopeOf(book.slug)}read`;
      link.textContent = book.title;
      line.querySelector('span')!.textContent = sizes.format(book.bytes / 1e6);
      const button = line.querySelector('button')!;
      button.ariaLabel = `${button.textContent}: ${book.title}`;
      button.addEventListener('click', () => void remove(book.slug).then(show));
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
  const box = document.querySelector<HTMLElement>('.keep-offline');
  const list = document.querySelector<HTMLElement>('.kept-books');
  if (box !== null) void serveButtons(box);
  if (list !== null) void showKept(list);
}
