/** How long the selection must rest before the toolbar comes, in milliseconds. */
const REST = 150;

/**
 * Lets a reader keep the words they select, and change what they kept by a click on it. The server draws all marks: after
 * each act the blocks of the page that differ are replaced by its own; `replaced` makes their buttons again.
 */
export function serveNotes(replaced: () => void): void {
  const text = document.querySelector<HTMLElement>('.reading');
  const pencil = document.querySelector<HTMLElement>('.pencil');
  if (text === null || pencil === null) return;
  servePencil(text, pencil, replaced);
  text.addEventListener('click', (event) => {
    const mark = event.target instanceof Element ? event.target.closest<HTMLElement>('mark.noted') : null;
    if (mark === null || getSelection()?.isCollapsed === false || event.target !== mark) return;
    void openNote(
      `${pencil.dataset['notes']}/${mark.dataset['note']!.slice('note-'.length)}`,
      mark,
      text,
      replaced,
    );
  });
}

function servePencil(text: HTMLElement, pencil: HTMLElement, replaced: () => void): void {
  let range: Range | null = null;
  let timer = 0;
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
  // A press on a button would end the selection that it is for.
  pencil.addEventListener('pointerdown', (event) => event.preventDefault());
  pencil.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement) || range === null) return;
    if (target.value === 'link') void copyLink(range, pencil);
    else if (target.type === 'submit') aboutOf(pencil).value = wordsOf(range);
    else void keep(range, target.value === 'note', text, pencil, replaced);
  });
}

const aboutOf = (pencil: HTMLElement): HTMLInputElement =>
  pencil.querySelector<HTMLInputElement>('[name="about"]')!;

/** The selection, if it holds words of the text and nothing else. */
function selectedIn(text: HTMLElement): Range | null {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const isInside = text.contains(range.startContainer) && text.contains(range.endContainer);
  return isInside && countIn(range) > 0 ? range.cloneRange() : null;
}

/** Puts the toolbar below the last line of the selection; Tab leads to it from there. */
function placeBeside(pencil: HTMLElement, range: Range, text: HTMLElement): void {
  const block = [...text.children].find((one) => one.contains(range.endContainer));
  block?.after(pencil);
  const frame = text.getBoundingClientRect();
  const last = [...range.getClientRects()].at(-1) ?? range.getBoundingClientRect();
  const room = document.documentElement.clientWidth - frame.left - pencil.offsetWidth - 8;
  pencil.style.top = `${last.bottom - frame.top + (matchMedia('(pointer: coarse)').matches ? 32 : 8)}px`;
  pencil.style.left = `${Math.max(8 - frame.left, Math.min(last.left - frame.left, room))}px`;
}

/** A copy of what a range shows, without our own buttons. */
function shownIn(range: Range): DocumentFragment {
  const shown = range.cloneContents();
  for (const own of shown.querySelectorAll('button, .pencil')) own.remove();
  return shown;
}

/** The characters that are no white space: the server counts the same in its HTML. */
const countIn = (range: Range): number => shownIn(range).textContent?.match(/\S/g)?.length ?? 0;

const wordsOf = (range: Range): string => (shownIn(range).textContent ?? '').replace(/\s+/g, ' ').trim();

async function keep(
  range: Range,
  isNote: boolean,
  text: HTMLElement,
  pencil: HTMLElement,
  replaced: () => void,
): Promise<void> {
  const before = document.createRange();
  before.selectNodeContents(text);
  before.setEnd(range.startContainer, range.startOffset);
  const { notes = '', path = '', part = '', edition = '' } = pencil.dataset;
  const known = new Set(
    [...text.querySelectorAll('mark.noted')].map((mark) => mark.getAttribute('data-note')),
  );
  const fields = { path, part, edition, from: String(countIn(before)), count: String(countIn(range)) };
  const isKept = await send(notes, new URLSearchParams(fields), text, replaced);
  if (!isKept) return;
  getSelection()?.removeAllRanges();
  pencil.hidden = true;
  const made = [...text.querySelectorAll<HTMLElement>('mark.noted')].find(
    ({ dataset }) => !known.has(dataset['note'] ?? null),
  );
  if (isNote && made !== undefined)
    await openNote(`${notes}/${made.dataset['note']!.slice('note-'.length)}`, made, text, replaced);
}

/** Sends a form and takes over the page's new marks. Whether it was accepted; a refusal is said. */
async function send(
  action: string,
  fields: URLSearchParams,
  text: HTMLElement,
  replaced: () => void,
): Promise<boolean> {
  const response = await fetch(action, { method: 'POST', body: fields }).catch(() => null);
  if (response?.ok !== true) {
    const { error } = (await response?.json().catch(() => ({}))) ?? {};
    alert(error ?? 'The stall cannot be reached now. Nothing was changed.');
    return false;
  }
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const fresh = page.querySelector('.reading')?.children ?? [];
  [...text.children]
    .filter((block) => !block.matches('.pencil'))
    .forEach((block, n) => {
      const other = fresh[n]?.cloneNode(true);
      const isMarked = [block, other].some(
        (one) => one instanceof Element && (one.matches('.noted') || one.querySelector('.noted') !== null),
      );
      if (other !== undefined && isMarked) block.replaceWith(other);
    });
  const below = page.querySelector('.notes-below');
  document.querySelector('.notes-below')?.remove();
  if (below !== null) text.after(below);
  replaced();
  return true;
}

/** Opens the forms of a note beside its mark, or its page if they cannot be read. */
async function openNote(
  address: string,
  mark: HTMLElement,
  text: HTMLElement,
  replaced: () => void,
): Promise<void> {
  const response = await fetch(address).catch(() => null);
  const page =
    response?.ok === true ? new DOMParser().parseFromString(await response.text(), 'text/html') : null;
  const forms = page?.querySelector<HTMLElement>('.note-forms');
  if (forms == null) return location.assign(address);
  forms.popover = 'auto';
  mark.closest('.reading > *')?.after(forms);
  forms.addEventListener('submit', (event) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const fields = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    void send(form.action, fields, text, replaced).then((isDone) => isDone && forms.hidePopover());
  });
  forms.addEventListener('toggle', (event) => event.newState === 'closed' && forms.remove());
  forms.showPopover();
  const { bottom, left } = mark.getBoundingClientRect();
  const [width, height] = [forms.offsetWidth, forms.offsetHeight];
  forms.style.top = `${Math.max(8, Math.min(bottom + 8, innerHeight - height - 8))}px`;
  forms.style.left = `${Math.max(8, Math.min(left, document.documentElement.clientWidth - width - 8))}px`;
  forms.querySelector('textarea')?.focus();
}

/** Copies the address of the page with the words in it, which browsers scroll to (https://wicg.github.io/scroll-to-text-fragment/). */
async function copyLink(range: Range, pencil: HTMLElement): Promise<void> {
  const words = wordsOf(range).split(' ');
  const encode = (some: readonly string[]): string =>
    encodeURIComponent(some.join(' ')).replaceAll('-', '%2D');
  const found = words.length > 12 ? `${encode(words.slice(0, 5))},${encode(words.slice(-5))}` : encode(words);
  const button = pencil.querySelector<HTMLButtonElement>('[value="link"]')!;
  const name = button.textContent;
  const { origin, pathname, search } = location;
  await navigator.clipboard.writeText(`${origin}${pathname}${search}#:~:text=${found}`).then(
    () => (button.textContent = 'Copied'),
    () => (button.textContent = 'Not copied'),
  );
  setTimeout(() => (button.textContent = name), 2000);
}
