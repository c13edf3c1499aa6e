import { formatInstant } from '../parts/instant.ts';

type Theme = 'light' | 'dark';

const NAME = 'theme';
const OTHER: Readonly<Record<Theme, Theme>> = { light: 'dark', dark: 'light' };
const SENTENCE: Readonly<Record<Theme, string>> = { light: 'Light theme', dark: 'Dark theme' };

const system = matchMedia('(prefers-color-scheme: dark)');
const systemTheme = (): Theme => (system.matches ? 'dark' : 'light');
const shownTheme = (): Theme => readTheme() ?? systemTheme();

/** Applies the reader's choice of theme, if there is one. */
function applyTheme(): void {
  const theme = readTheme();
  if (theme === null) delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Makes the button switch to the theme it names; switching back to the system's theme forgets the choice. */
function serveThemeButton(): void {
  const button = document.querySelector('[data-theme-button]');
  if (button === null) return;
  const name = () => {
    button.textContent = SENTENCE[OTHER[shownTheme()]];
  };
  button.addEventListener('click', () => {
    const wanted = OTHER[shownTheme()];
    keepTheme(wanted === systemTheme() ? null : wanted);
    applyTheme();
    name();
  });
  system.addEventListener('change', name);
  name();
}

let unkept: Theme | null = null;

function readTheme(): Theme | null {
  const kept = fromStorage(() => localStorage.getItem(NAME));
  return kept === 'light' || kept === 'dark' ? kept : unkept;
}

function keepTheme(theme: Theme | null): void {
  unkept = theme;
  fromStorage(() => (theme === null ? localStorage.removeItem(NAME) : localStorage.setItem(NAME, theme)));
}

/** A browser that blocks storage throws even at the name `localStorage`. */
function fromStorage<T>(use: () => T): T | null {
  try {
    return use();
  } catch {
    return null;
  }
}

// Runs before the body is read, so that nothing is drawn in the wrong colours or moves when a button appears.
document.documentElement.dataset['script'] = '';
applyTheme();

document.addEventListener('DOMContentLoaded', () => {
  serveThemeButton();
  serveCopyButtons();
  serveShowButtons();
  showLocalTimes();
  askFirst();
  // After the question: an unconfirmed form was not sent.
  sendOnce();
  takeFragment();
  showOpenChapter();
  turnByArrows();
});

/** Asks the question in a form's `data-confirm` before the form is sent. */
function askFirst(): void {
  document.addEventListener('submit', (event) => {
    const sentence = event.target instanceof HTMLFormElement ? event.target.dataset['confirm'] : undefined;
    if (sentence !== undefined && !confirm(sentence)) event.preventDefault();
  });
}

const SHOWN_FOR = 2000;

/** Makes each copy button copy the line beside it and say so, on screen and to screen readers. */
function serveCopyButtons(): void {
  const spoken = document.createElement('div');
  spoken.className = 'unseen';
  spoken.setAttribute('role', 'status');
  document.querySelector('main')?.append(spoken);
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]'))
    button.addEventListener('click', () => void copyBeside(button, spoken));
}

/** Makes the button beside a password show what is typed. It is hidden again when it is sent, so that no browser keeps it as a plain text. */
function serveShowButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-show]')) {
    const field = button.parentElement?.querySelector('input');
    const show = (isShown: boolean): void => {
      field?.setAttribute('type', isShown ? 'text' : 'password');
      button.textContent = isShown ? 'Hide' : 'Show';
    };
    button.addEventListener('click', () => show(field?.type === 'password'));
    field?.form?.addEventListener('submit', () => show(false));
  }
}

async function copyBeside(button: HTMLButtonElement, spoken: HTMLElement): Promise<void> {
  const line = button.parentElement?.querySelector('code');
  if (!line) return;
  const said = (await copy(line)) ? 'Copied' : 'Selected';
  const name = button.textContent;
  button.textContent = said;
  spoken.textContent = said;
  setTimeout(() => {
    button.textContent = name === said ? 'Copy' : name;
    spoken.textContent = '';
  }, SHOWN_FOR);
}

/** Over plain http browsers offer no clipboard: then the line is only selected, for the reader to copy. */
async function copy(line: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(line.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(line);
    return false;
  }
}

/**
 * Moves a one-time link's secret from after `#` into the field named by `data-fragment`, and hides the field: others may
 * read the address over a shoulder or in a history. A page that only leads to the field's page, by `data-fragment-page`,
 * is left for that one.
 */
function takeFragment(): void {
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

/** Rewrites every instant in the reader's zone; its title keeps UTC. */
function showLocalTimes(): void {
  for (const time of document.querySelectorAll('time'))
    time.textContent = formatInstant(new Date(time.dateTime), time.dataset['withTime'] === 'true', 'here');
}

/** Elements in which the arrow keys have a meaning of their own. */
const OWN_KEYS = 'input, textarea, select, [tabindex="0"]';

/** The arrow keys turn to the chapter before and after; in a text from right to left they are the other way round. */
function turnByArrows(): void {
  document.addEventListener('keydown', (event) => {
    const side = { ArrowLeft: 'prev', ArrowRight: 'next' }[event.key];
    const isPlain =
      !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.defaultPrevented;
    const isElsewhere = event.target instanceof Element && event.target.closest(OWN_KEYS) !== null;
    if (side === undefined || !isPlain || isElsewhere) return;
    const isReversed = document.querySelector<HTMLElement>('.turn')?.dir === 'rtl';
    const rel = isReversed ? (side === 'prev' ? 'next' : 'prev') : side;
    document.querySelector<HTMLAnchorElement>(`.turn a[rel="${rel}"]`)?.click();
  });
}

/** Long contents are scrolled to the open chapter, and only they; they begin with a whole line. */
function showOpenChapter(): void {
  const list = document.querySelector<HTMLElement>('.contents');
  const open = list?.querySelector<HTMLElement>('[aria-current]');
  if (list == null || open == null) return;
  const start = list.getBoundingClientRect().top - list.scrollTop;
  const placeOf = (element: Element): number => element.getBoundingClientRect().top - start;
  const most = Math.min(placeOf(open) - list.clientHeight / 2, list.scrollHeight - list.clientHeight);
  const first = [...list.querySelectorAll('li')].findLast((line) => placeOf(line) <= most);
  if (first !== undefined) list.scrollTop = placeOf(first);
}

/** Sends a form only once: the second click of a double click would discard the answer to the first, with the key in it. */
function sendOnce(): void {
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
