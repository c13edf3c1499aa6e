import type { browser } from '../../../words/en/browser.ts';
import { addUnsent, sendUnsent } from './unsent.ts';

/** The milliseconds that a selection must stay unchanged before the toolbar appears. */
const REST = 150;
/** The minimum distance, in pixels, of the toolbar and of a note's form from the selected words and from the window's edges. */
const GAP = 8;
/** How many characters in front of a note's words are saved: with them the words are found in another edition. */
const BEFORE = 32;

/**
 * Lets a reader save selected words as a note, and change a note by a click on it. The server marks the notes in the text:
 * after each action, the changed paragraphs come from its answer, and `replaced` is called to add their buttons again.
 */
export function serveNotes(words: typeof browser, replaced: () => void): void {
  const text = document.querySelector<HTMLElement>('.reading');
  const pencil = document.querySelector<HTMLElement>('.pencil');
  /** Takes the changed paragraphs from an answer that holds this text again. */
  const renew = (page: Document): void => {
    const fresh = page.querySelector('.reading')?.children ?? [];
    for (const [n, block] of [...(text?.children ?? [])]
      .filter((one) => !one.matches('.pencil, [popover]'))
      .entries())
      if (fresh[n] !== undefined && (isMarked(block) || isMarked(fresh[n])))
        block.replaceWith(fresh[n].cloneNode(true));
    document.querySelector('.notes-below')?.remove();
    const below = page.querySelector('.notes-below');
    if (below !== null) text?.after(below);
    replaced();
  };
  const data = (page: Document): string =>
    JSON.stringify({ ...page.querySelector<HTMLElement>('.pencil')?.dataset });
  sendUnsent(words, (html) => {
    const page = parse(html);
    if (data(page) === data(document)) renew(page);
  });
  if (text === null || pencil === null) return;
  const { notes = '', path = '', part = '', edition = '' } = pencil.dataset;
  let range: Range | null = null;
  let timer = 0;

  /**
   * Sends a form and shows the changed notes. Unless the server accepts it, or it is kept for later, says why and returns
   * false.
   */
  const send = async (
    action: string,
    fields: Iterable<[string, string]>,
    keepUnsent = (): boolean => false,
  ): Promise<boolean> => {
    const body = new URLSearchParams([...fields]);
    // Accepts only HTML, so that a refusal is a page with a message in the reader's language.
    const headers = { Accept: 'text/html' };
    const response = await fetch(action, { method: 'POST', body, headers }).catch(() => null);
    if (response === null && keepUnsent()) return true;
    const page = parse((await response?.text().catch(() => '')) ?? '');
    if (response?.ok !== true) {
      alert(page.querySelector('main .lead')?.textContent ?? words.unreachable);
      return false;
    }
    // After a note was sent to the author, the answer is the note's own page, which has no text to renew.
    if (page.querySelector('.reading') !== null) renew(page);
    return true;
  };

  const keep = async (kept: Range, isNote: boolean): Promise<void> => {
    const before = document.createRange();
    before.selectNodeContents(text);
    before.setEnd(kept.startContainer, kept.startOffset);
    const known = new Set(marksIn(text).map(({ dataset }) => dataset['note']));
    const place = { path, part, edition, from: String(countIn(before)), count: String(countIn(kept)) };
    // Over plain http there are no random UUIDs, and no service worker.
    const isKept = 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null;
    const id = isKept ? crypto.randomUUID() : '';
    const fields = { ...place, id, exact: shownIn(kept), prefix: shownIn(before).slice(-BEFORE) };
    const keepUnsent = (): boolean =>
      isKept && addUnsent(words, notes, { ...fields, text: (isNote && prompt(words.yourNote)) || '' });
    // Clears the selection first, so that pressing the button twice does not save the note twice.
    range = null;
    if (!(await send(notes, Object.entries(fields), keepUnsent))) {
      range = kept;
      return;
    }
    getSelection()?.removeAllRanges();
    pencil.hidden = true;
    const made = marksIn(text).find(({ dataset }) => !known.has(dataset['note']));
    if (isNote && made !== undefined) await openNote(made);
  };

  /** Opens a note's form beside its words in the text. If the form cannot be loaded, goes to the note's page. */
  const openNote = async (mark: HTMLElement): Promise<void> => {
    const address = mark.dataset['note']!.replace('note-', `${notes}/`);
    const response = await fetch(address).catch(() => null);
    if (response === null) return alert(words.unreachable);
    // Renames the form's ids, which could equal ids of this page.
    const html = response.ok ? (await response.text()).replaceAll('"P0-', '"note-P0-') : '';
    const form = parse(html).querySelector('main form');
    if (!(form instanceof HTMLFormElement)) return location.assign(address);
    form.popover = 'auto';
    pencil.hidden = true;
    mark.closest('.reading > *')?.after(form);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const fields = new FormData(form, event.submitter);
      const isLoss = fields.has('delete') && fields.get('text') !== '';
      if (isLoss && !confirm(words.deleteNote)) return;
      const texts = [...fields].map(([name, value]): [string, string] => [name, String(value)]);
      void send(form.action, texts).then((isDone) => {
        if (isDone) form.hidePopover();
        // The form is opened again to show the state of the report.
        if (isDone && fields.has('send')) void openNote(mark);
      });
    });
    form.addEventListener('toggle', ({ newState }) => newState === 'closed' && form.remove());
    form.showPopover();
    const last = marksIn(text).findLast(({ dataset }) => dataset['note'] === mark.dataset['note']) ?? mark;
    const [{ left, top }, { bottom }] = [mark.getBoundingClientRect(), last.getBoundingClientRect()];
    const [above, below, most] = [
      top - GAP - form.offsetHeight,
      bottom + GAP,
      innerHeight - form.offsetHeight,
    ];
    // The form is above the words if there is no room below them, so that it covers none.
    form.style.top = `${within(below > most - GAP && above >= GAP ? above : below, most)}px`;
    form.style.left = `${within(left, document.documentElement.clientWidth - form.offsetWidth)}px`;
    form.querySelector('textarea')?.focus();
  };

  document.addEventListener('selectionchange', () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const selected = selectedIn(text);
      if (selected === null && pencil.contains(document.activeElement)) return;
      range = selected;
      pencil.hidden = range === null;
      if (range !== null) placeBeside(pencil, range, text);
    }, REST);
  });
  // The Tab key moves the focus into the toolbar. Without this it would move to the element after the one that was clicked.
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Tab' || event.shiftKey || pencil.hidden || pencil.contains(document.activeElement))
      return;
    event.preventDefault();
    pencil.querySelector('button')?.focus();
  });
  // Without this, pressing a button would clear the selection.
  pencil.addEventListener('pointerdown', (event) => event.preventDefault());
  pencil.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement) || range === null) return;
    const about = pencil.querySelector<HTMLInputElement>('[name="about"]')!;
    if (target.value === 'link') void copyLink(words, range, target);
    else if (target.type === 'submit') about.value = wordsOf(range).slice(0, Number(about.dataset['most']));
    else void keep(range, target.value === 'note');
  });
  text.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('a, button, form') !== null) return;
    const mark = target.closest<HTMLElement>('[data-note]');
    if (mark !== null && getSelection()?.isCollapsed !== false) void openNote(mark);
  });
}

const parse = (html: string): Document => new DOMParser().parseFromString(html, 'text/html');

const marksIn = (element: Element): readonly HTMLElement[] => [
  ...element.querySelectorAll<HTMLElement>('[data-note]'),
];

const isMarked = (block: Element): boolean => block.matches('[data-note]') || marksIn(block).length > 0;

/** Limits `length` to the range from `GAP` to `most - GAP`. */
const within = (length: number, most: number): number => Math.max(GAP, Math.min(length, most - GAP));

function selectedIn(text: HTMLElement): Range | null {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const isInside = text.contains(range.startContainer) && text.contains(range.endContainer);
  return isInside && countIn(range) > 0 ? range.cloneRange() : null;
}

function placeBeside(pencil: HTMLElement, range: Range, text: HTMLElement): void {
  [...text.children].find((one) => one.contains(range.endContainer))?.after(pencil);
  const frame = text.getBoundingClientRect();
  const { top, bottom } = range.getBoundingClientRect();
  const { left } = [...range.getClientRects()].at(-1) ?? frame;
  // Phones draw handles below selected words, so the toolbar keeps a larger distance.
  const gap = matchMedia('(pointer: coarse)').matches ? 4 * GAP : GAP;
  const [above, below] = [top - GAP - pencil.offsetHeight, bottom + gap];
  const most = innerHeight - pencil.offsetHeight;
  pencil.style.top = `${(below <= most ? below : within(above, most)) - frame.top}px`;
  pencil.style.left = `${within(left, document.documentElement.clientWidth - pencil.offsetWidth) - frame.left}px`;
}

function shownIn(range: Range): string {
  const shown = range.cloneContents();
  for (const own of shown.querySelectorAll('button, .pencil, [popover]')) own.remove();
  return shown.textContent ?? '';
}

/** Counts the characters that are not white space. The server finds the words by counting its HTML in the same way. */
const countIn = (range: Range): number => shownIn(range).match(/\S/g)?.length ?? 0;

const wordsOf = (range: Range): string => shownIn(range).replace(/\s+/g, ' ').trim();

/** Copies a link to the selected words, by a text fragment (https://wicg.github.io/scroll-to-text-fragment/). */
async function copyLink(words: typeof browser, range: Range, button: HTMLButtonElement): Promise<void> {
  const selected = wordsOf(range).split(' ');
  const encode = (some: readonly string[]): string =>
    encodeURIComponent(some.join(' ')).replaceAll('-', '%2D');
  const found =
    selected.length > 12 ? `${encode(selected.slice(0, 5))},${encode(selected.slice(-5))}` : encode(selected);
  const address = `${location.origin}${location.pathname}${location.search}#:~:text=${found}`;
  const isCopied = await navigator.clipboard.writeText(address).then(
    () => true,
    () => false,
  );
  button.textContent = isCopied ? words.copied : words.notCopied;
  setTimeout(() => (button.textContent = words.copyLink), 2000);
}
