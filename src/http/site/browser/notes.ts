import type { browser } from '../../../words/en/browser.ts';

/** How long the selection must rest before the toolbar comes, in milliseconds. */
const REST = 150;
/**
 * The least distance of the toolbar and a note from the edges of the window and from the words, in pixels.
 */
const GAP = 8;
/** The most characters of selected words with which a question begins; a whole chapter would be too long for a form. */
const MOST_ABOUT = 1_000;

/**
 * Lets a reader save selected words, and change a saved note by a click on it. The server draws all marks: after each act the
 * page's blocks that differ are replaced by the server's, and `replaced` gives them their buttons again.
 */
export function serveNotes(words: typeof browser, replaced: () => void): void {
  const text = document.querySelector<HTMLElement>('.reading');
  const pencil = document.querySelector<HTMLElement>('.pencil');
  if (text === null || pencil === null) return;
  const { notes = '', path = '', part = '', edition = '' } = pencil.dataset;
  let range: Range | null = null;
  let timer = 0;

  /** Sends a form and shows the page's new marks. Tells whether it was accepted; a refusal is announced. */
  const send = async (action: string, fields: Iterable<[string, string]>): Promise<boolean> => {
    const body = new URLSearchParams([...fields]);
    // Asks for HTML so that a refusal also arrives as a page, whose message is in the reader's language.
    const headers = { Accept: 'text/html' };
    const response = await fetch(action, { method: 'POST', body, headers }).catch(() => null);
    const page = parse((await response?.text().catch(() => '')) ?? '');
    if (response?.ok !== true) {
      alert(page.querySelector('main .lead')?.textContent ?? words.unreachable);
      return false;
    }
    const reading = page.querySelector('.reading');
    if (reading === null) return true;
    const fresh = reading.children;
    for (const [n, block] of [...text.children].filter((one) => !one.matches('.pencil, [popover]')).entries())
      if (fresh[n] !== undefined && (isMarked(block) || isMarked(fresh[n])))
        block.replaceWith(fresh[n].cloneNode(true));
    document.querySelector('.notes-below')?.remove();
    const below = page.querySelector('.notes-below');
    if (below !== null) text.after(below);
    replaced();
    return true;
  };

  const keep = async (kept: Range, isNote: boolean): Promise<void> => {
    const before = document.createRange();
    before.selectNodeContents(text);
    before.setEnd(kept.startContainer, kept.startOffset);
    const known = new Set(marksIn(text).map(({ dataset }) => dataset['note']));
    const place = { path, part, edition, from: String(countIn(before)), count: String(countIn(kept)) };
    // Forgets the words first, since a second press would keep them again.
    range = null;
    if (!(await send(notes, Object.entries(place)))) {
      range = kept;
      return;
    }
    getSelection()?.removeAllRanges();
    pencil.hidden = true;
    const made = marksIn(text).find(({ dataset }) => !known.has(dataset['note']));
    if (isNote && made !== undefined) await openNote(made);
  };

  /** Opens the form of a note beside its mark, or goes to the note's page if the form cannot be read. */
  const openNote = async (mark: HTMLElement): Promise<void> => {
    const address = mark.dataset['note']!.replace('note-', `${notes}/`);
    const response = await fetch(address).catch(() => null);
    // The form's ids are renamed, since those of two pages would collide in one.
    const html = response?.ok === true ? (await response.text()).replaceAll('"P0-', '"note-P0-') : '';
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
        // Opened again, the form says what became of what was sent to the author.
        if (isDone && fields.has('send')) void openNote(mark);
      });
    });
    form.addEventListener('toggle', ({ newState }) => newState === 'closed' && form.remove());
    form.showPopover();
    const last = marksIn(text).findLast(({ dataset }) => dataset['note'] === mark.dataset['note']) ?? mark;
    const [{ left }, { bottom }] = [mark.getBoundingClientRect(), last.getBoundingClientRect()];
    form.style.top = `${within(bottom + GAP, innerHeight - form.offsetHeight)}px`;
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
  // Tab moves the focus into the toolbar; otherwise it would go on from the element that was clicked.
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Tab' || event.shiftKey || pencil.hidden || pencil.contains(document.activeElement))
      return;
    event.preventDefault();
    pencil.querySelector('button')?.focus();
  });
  // A press on a button would end the selection that it is for.
  pencil.addEventListener('pointerdown', (event) => event.preventDefault());
  pencil.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement) || range === null) return;
    const about = pencil.querySelector<HTMLInputElement>('[name="about"]')!;
    if (target.value === 'link') void copyLink(words, range, target);
    else if (target.type === 'submit') about.value = wordsOf(range).slice(0, MOST_ABOUT);
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

/** Returns `length`, or the nearest one that keeps `GAP` from both 0 and `most`. */
const within = (length: number, most: number): number => Math.max(GAP, Math.min(length, most - GAP));

/** Returns the selection if it holds words of the text and nothing else. */
function selectedIn(text: HTMLElement): Range | null {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const isInside = text.contains(range.startContainer) && text.contains(range.endContainer);
  return isInside && countIn(range) > 0 ? range.cloneRange() : null;
}

/** Puts the toolbar below the selection, or above it where the window ends. */
function placeBeside(pencil: HTMLElement, range: Range, text: HTMLElement): void {
  [...text.children].find((one) => one.contains(range.endContainer))?.after(pencil);
  const frame = text.getBoundingClientRect();
  const { top, bottom } = range.getBoundingClientRect();
  const { left } = [...range.getClientRects()].at(-1) ?? frame;
  // Phones draw handles below the words.
  const gap = matchMedia('(pointer: coarse)').matches ? 4 * GAP : GAP;
  const [above, below] = [top - GAP - pencil.offsetHeight, bottom + gap];
  const most = innerHeight - pencil.offsetHeight;
  pencil.style.top = `${(below <= most ? below : within(above, most)) - frame.top}px`;
  pencil.style.left = `${within(left, document.documentElement.clientWidth - pencil.offsetWidth) - frame.left}px`;
}

/** The text of a range, without our own buttons. */
function shownIn(range: Range): string {
  const shown = range.cloneContents();
  for (const own of shown.querySelectorAll('button, .pencil, [popover]')) own.remove();
  return shown.textContent ?? '';
}

/** Counts the characters that are no white space, as the server does in its HTML. */
const countIn = (range: Range): number => shownIn(range).match(/\S/g)?.length ?? 0;

const wordsOf = (range: Range): string => shownIn(range).replace(/\s+/g, ' ').trim();

/**
 * Copies the page's address with the words in it, to which browsers scroll (https://wicg.github.io/scroll-to-text-fragment/).
 */
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
