import type { browser } from '../../../words/en/browser.ts';
import { LOOKS } from '../../../words/looks.ts';
import { formatsIn } from '../../../words/formats.ts';
import { serveNotes } from './notes.ts';

/** The texts that the script shows, in the page's language. The server puts them into the script's element. */
const WORDS = JSON.parse(document.currentScript?.dataset['words'] ?? '{}') as typeof browser & {
  locale: string;
};

const YEAR = 365 * 24 * 60 * 60;

/** Applies the text size and theme that the reader's cookies hold, as the server does. A default value has no attribute. */
function applyLook(): void {
  const cookies = document.cookie.split('; ');
  for (const [name, values] of Object.entries(LOOKS)) {
    const [usual] = values;
    const value = values.find((one) => cookies.includes(`${name}=${one}`)) ?? usual;
    if (value === usual) delete document.documentElement.dataset[name];
    else document.documentElement.dataset[name] = value;
    for (const button of document.querySelectorAll<HTMLButtonElement>(`.look [name="${name}"]`))
      button.ariaPressed = String(button.value === value);
  }
}

function serveLook(): void {
  applyLook();
  document.addEventListener('click', (event) => {
    const { target } = event;
    if (!(target instanceof HTMLButtonElement) || !Object.hasOwn(LOOKS, target.name)) return;
    event.preventDefault();
    document.cookie = `${target.name}=${target.value}; path=/; max-age=${YEAR}; samesite=lax`;
    applyLook();
  });
}

// Runs before the body is parsed, so that nothing is drawn in wrong colours, or moves when buttons appear that need the script.
document.documentElement.dataset['script'] = '';
applyLook();

document.addEventListener('DOMContentLoaded', () => {
  serveLook();
  frameCode();
  serveCopyButtons();
  serveShowButtons();
  showLocalTimes();
  askFirst();
  refuseLargeFiles();
  serveNotes(WORDS, frameCode);
  // Comes after `askFirst`, since a form that the user does not confirm must count as not sent.
  sendOnce();
  guardKept().catch(() => {});
  takeFragment();
  showOpenChapter();
  keepPlace();
  keepTyped();
  serveKeys();
});

function askFirst(): void {
  document.addEventListener('submit', (event) => {
    const sentence = event.target instanceof HTMLFormElement ? event.target.dataset['confirm'] : undefined;
    if (sentence !== undefined && !confirm(sentence)) event.preventDefault();
  });
}

/** Room for the other fields of a form, in bytes: `data-most` limits the whole form. */
const OTHER_FIELDS = 64 * 1024;

function refuseLargeFiles(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.dataset['most'] === undefined) return;
    const size = target.files?.[0]?.size ?? 0;
    const isLarge = size > Number(target.dataset['most']) - OTHER_FIELDS;
    target.setCustomValidity(isLarge ? (target.dataset['tooLarge'] ?? '') : '');
    target.reportValidity();
  });
}

const SHOWN_FOR = 2000;

function serveCopyButtons(): void {
  const spoken = document.createElement('div');
  spoken.className = 'unseen';
  spoken.setAttribute('role', 'status');
  document.querySelector('main')?.append(spoken);
  document.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLButtonElement && target.matches('[data-copy]')) void copyBeside(target, spoken);
  });
}

/**
 * Makes the button beside a password show and hide it. The password is hidden again when the form is sent, so that no browser
 * saves it as ordinary text.
 */
function serveShowButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-show]')) {
    const field = button.parentElement?.querySelector('input');
    const show = (isShown: boolean): void => {
      field?.setAttribute('type', isShown ? 'text' : 'password');
      button.textContent = isShown ? WORDS.hide : WORDS.show;
    };
    button.addEventListener('click', () => show(field?.type === 'password'));
    field?.form?.addEventListener('submit', () => show(false));
  }
}

async function copyBeside(button: HTMLButtonElement, spoken: HTMLElement): Promise<void> {
  const line = button.parentElement?.querySelector('code');
  if (!line) return;
  const said = (await copy(line)) ? WORDS.copied : WORDS.selected;
  const name = button.textContent;
  button.textContent = said;
  spoken.textContent = said;
  setTimeout(() => {
    button.textContent = name === said ? WORDS.copy : name;
    spoken.textContent = '';
  }, SHOWN_FOR);
}

/** Copies a line. Over plain http browsers offer no clipboard: then selects the line, and returns false. */
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
 * Moves the secret of a one-time link from the address into the field that `data-fragment` names, and hides the field, so that
 * others do not see the secret on the screen or in the history. A form with a field `look` only looks up the link, and is sent
 * at once. A page without `data-fragment` passes the secret on to its link with `data-fragment-page`, if it has one.
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
  // Looking up a link does not use it up, so nobody needs to press a button for it.
  const look = field.form?.elements.namedItem('look');
  if (!(look instanceof HTMLInputElement)) return;
  look.disabled = false;
  look.form?.requestSubmit();
}

/** Rewrites each time on the page in the reader's time zone. The tooltip keeps showing UTC. */
function showLocalTimes(): void {
  const { instant } = formatsIn(WORDS.locale);
  for (const time of document.querySelectorAll('time'))
    time.textContent = instant(new Date(time.dateTime), time.dataset['withTime'] === 'true', 'here');
}

function frameCode(): void {
  for (const code of document.querySelectorAll('.reader .reading pre:has(> code):not(.code > pre)')) {
    const frame = document.createElement('div');
    frame.className = 'code';
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', textContent: WORDS.copy });
    button.dataset['copy'] = '';
    frame.append(button);
    const [line = ''] = (code.textContent ?? '').trim().split('\n');
    button.ariaLabel = `${WORDS.copyCode}: ${line.slice(0, 60)}`;
    code.replaceWith(frame);
    frame.prepend(code);
  }
}

/** Elements in which no shortcut works, since they handle keys themselves. */
const OWN_KEYS = 'input, textarea, select, [popover]';

const isScrolling = (target: Element): boolean => {
  const own = target.closest('[tabindex="0"]');
  return own !== null && own.scrollWidth > own.clientWidth;
};

/**
 * Serves the keyboard shortcuts. Arrow keys turn to the previous and next page, swapped for text that runs from right to left;
 * `/` goes to the search, and `?` lists the shortcuts.
 */
function serveKeys(): void {
  const acts: Readonly<Record<string, () => HTMLElement | null | undefined>> = {
    ArrowLeft: () => turned('prev', 'next'),
    ArrowRight: () => turned('next', 'prev'),
    '/': () => searchField() ?? document.querySelector<HTMLElement>('.search-link'),
    '?': () => document.querySelector<HTMLElement>('[popovertarget="keys"]'),
  };
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    const isArrow = key.startsWith('Arrow');
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (!(target instanceof Element) || target.closest(OWN_KEYS) !== null) return;
    if (isArrow && (event.shiftKey || isScrolling(target))) return;
    const found = Object.hasOwn(acts, key) ? acts[key]?.() : null;
    if (found == null) return;
    event.preventDefault();
    if (found instanceof HTMLInputElement) found.select();
    else found.click();
  });
}

function turned(rel: string, reversed: string): HTMLElement | null {
  const isReversed = document.querySelector<HTMLElement>('.turn')?.dir === 'rtl';
  return document.querySelector<HTMLElement>(`.turn a[rel="${isReversed ? reversed : rel}"]`);
}

const searchField = (): HTMLInputElement | undefined =>
  [...document.querySelectorAll<HTMLInputElement>('main [type="search"]')].find((one) =>
    one.checkVisibility(),
  );

/** Scrolls a long list of contents to the open chapter, but not the page, so that a whole line is at the top of the list. */
function showOpenChapter(): void {
  const list = document.querySelector<HTMLElement>('.contents .list');
  const open = list?.querySelector<HTMLElement>('[aria-current]');
  if (list == null || open == null) return;
  const show = () => {
    const half = list.clientHeight / 2;
    const most = Math.min(open.offsetTop - half, list.scrollHeight - 2 * half);
    const lines = [...list.querySelectorAll('li')];
    list.scrollTop = lines.findLast((line) => line.offsetTop <= most)?.offsetTop ?? 0;
  };
  list.closest('details')?.addEventListener('toggle', show);
  show();
}

/** The line that counts as being read, in pixels below the window's top. */
const TOP = 24;

/**
 * Scrolls to the position that the address names, and sends the reader's position to the server when the page is left. A
 * position is the number of the block at the window's top; its fraction says how much of the block is above. So it does not
 * depend on the window's width.
 */
function keepPlace(): void {
  const text = document.querySelector<HTMLElement>('.reading');
  // Matches a position such as `#at:12.5`; no heading's id looks like that.
  const [, wanted] = /^#at:(\d+(?:\.\d+)?)$/.exec(location.hash) ?? [];
  if (text === null || text.children.length === 0) return;
  // Looks up the blocks each time, since highlighting a note replaces some of them.
  const blocksNow = (): readonly Element[] =>
    [...text.children].filter((one) => !one.matches('.pencil, [popover]'));
  if (wanted !== undefined) {
    const blocks = blocksNow();
    const { top, height } =
      blocks[Math.min(Math.floor(Number(wanted)), blocks.length - 1)]!.getBoundingClientRect();
    scrollTo({ top: scrollY + top + height * (Number(wanted) % 1) - TOP, behavior: 'instant' });
    history.replaceState(null, '', location.pathname + location.search);
  }
  const { part } = text.dataset;
  if (part === undefined) return;
  const placeNow = (): string => {
    const blocks = blocksNow();
    const first = blocks.findIndex((block) => block.getBoundingClientRect().bottom > TOP);
    const at = first === -1 ? blocks.length - 1 : first;
    const { top, height } = blocks[at]!.getBoundingClientRect();
    return (at + Math.min(0.99, Math.max(0, (TOP - top) / Math.max(1, height)))).toFixed(2);
  };
  // A position in the address, maybe from an e-reader, is sent even if the reader does not scroll.
  let [sent, movedAt] = [wanted === undefined ? placeNow() : '', performance.now()];
  addEventListener('scroll', () => (movedAt = performance.now()), { passive: true });
  document.addEventListener('visibilitychange', () => {
    const block = placeNow();
    if (document.visibilityState === 'visible' || block === sent) return;
    sent = block;
    // Of several devices, the server keeps the position that changed last, so it is told how long ago the reader scrolled here.
    const age = String(Math.round(performance.now() - movedAt));
    const page = location.pathname;
    const { reader = '' } = document.querySelector<HTMLElement>('.visitor')?.dataset ?? {};
    navigator.sendBeacon('/dashboard/place', new URLSearchParams({ page, part, block, age, reader }));
  });
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isTicked = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === 'checkbox';

const valueOf = (control: Control): string | boolean => (isTicked(control) ? control.checked : control.value);

/** The value that a control had when the server sent the page. */
function sentValueOf(control: Control): string | boolean {
  if (!(control instanceof HTMLSelectElement))
    return isTicked(control) ? control.defaultChecked : control.defaultValue;
  const options = [...control.options];
  return (options.find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? '';
}

const isUnsaved = (control: Control): boolean => valueOf(control) !== sentValueOf(control);

const formKey = (form: HTMLFormElement): string => `${form.getAttribute('action')}#${form.id} `;

/** The controls of forms with `data-keep`, by names that stay the same when the page is reloaded; no secrets and no files. */
function keptControls(): ReadonlyMap<string, Control> {
  const controls = new Map<string, Control>();
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-keep]'))
    for (const one of form.querySelectorAll<Control>('input, select, textarea')) {
      if (['hidden', 'password', 'file'].includes(one.type) || one.autocomplete === 'one-time-code') continue;
      let name = formKey(form) + one.name;
      while (controls.has(name)) name += '+';
      controls.set(name, one);
    }
  return controls;
}

/**
 * Keeps for this tab what was typed into forms with `data-keep` when another form is sent, the page is reloaded or the
 * connection is lost. Marks forms that are not saved yet. Signing out deletes what was kept.
 */
function keepTyped(): void {
  const controls = keptControls();
  let isSignedOut = false;
  document.addEventListener('submit', ({ target, defaultPrevented }) => {
    if (defaultPrevented || !(target instanceof HTMLFormElement)) return;
    isSignedOut = target.getAttribute('action')?.startsWith('/sign-out') === true;
    if (isSignedOut) sessionStorage.clear();
    else sessionStorage.setItem('sent', formKey(target));
  });
  if (controls.size === 0) return;
  const kept = JSON.parse(sessionStorage.getItem('typed') ?? '{}') as Record<string, string | boolean>;
  const saved = sessionStorage.getItem('sent');
  sessionStorage.removeItem('sent');
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const isSaved = entry?.type === 'navigate' && location.search.includes('said=');
  const mark = ({ form }: Control): void => {
    const all = [...controls.values()].filter((one) => one.form === form);
    form?.toggleAttribute('data-unsaved', all.some(isUnsaved));
  };
  for (const [name, control] of controls) {
    const typed = kept[name];
    if (typed === undefined) continue;
    if (isSaved && saved !== null && name.startsWith(saved)) continue;
    if (isTicked(control)) control.checked = typed === true;
    else control.value = String(typed);
    mark(control);
    for (let one = control.closest('details'); one !== null; one = one.parentElement!.closest('details'))
      one.open = true;
  }
  document.addEventListener('input', ({ target }) => {
    if (target instanceof Element && target.closest('form[data-keep]')) mark(target as Control);
  });
  addEventListener('pagehide', () => {
    if (isSignedOut) return;
    for (const [name, control] of controls)
      if (isUnsaved(control)) kept[name] = valueOf(control);
      else delete kept[name];
    sessionStorage.setItem('typed', JSON.stringify(kept));
  });
}

/** Keeps a double click from sending a form twice: the second answer would replace the first, which may show a new key once. */
function sendOnce(): void {
  let sent = new WeakSet<HTMLFormElement>();
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.method !== 'post' || event.defaultPrevented) return;
    if (sent.has(form)) event.preventDefault();
    sent.add(form);
  });
  // The browser may restore the page from its back-forward cache; then its forms may be sent again.
  addEventListener('pageshow', () => (sent = new WeakSet()));
}

/**
 * Deletes the books that this browser saved for another account. A page without an account deletes nothing, since its session
 * may just have ended; but while its form may sign somebody in, the service worker shows no saved book.
 */
async function guardKept(): Promise<void> {
  // Over plain http browsers offer no caches.
  if (!('caches' in globalThis)) return;
  const reader = document.querySelector<HTMLElement>('.visitor')?.dataset['reader'];
  document.addEventListener('submit', ({ target }) => {
    const maySignIn = reader === undefined && (target as HTMLFormElement).method === 'post';
    if (maySignIn) void caches.open('locked');
  });
  for (const name of await caches.keys()) {
    const [kind, owner = ''] = name.split(' ');
    if (kind === 'kept' && reader !== undefined && !['-', reader].includes(owner)) await caches.delete(name);
  }
  await caches.delete('locked');
  addEventListener('online', () => void tellReached());
  if (navigator.serviceWorker.controller === null) await tellReached();
}

/** Tells the service worker that the stall can be reached: it sends reading positions, and renews or deletes saved books. */
async function tellReached(): Promise<void> {
  const [first] = await navigator.serviceWorker.getRegistrations();
  first?.active?.postMessage(null);
}
