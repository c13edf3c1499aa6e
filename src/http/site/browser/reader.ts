/** Elements in which the arrow keys have a meaning of their own. */
const OWN_KEYS = 'input, textarea, select, [tabindex="0"]';

/** The arrow keys turn to the chapter before and after; in a text from right to left they are the other way round. */
export function turnByArrows(): void {
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
export function showOpenChapter(): void {
  const list = document.querySelector<HTMLElement>('.contents');
  const open = list?.querySelector<HTMLElement>('[aria-current]');
  if (list == null || open == null) return;
  const start = list.getBoundingClientRect().top - list.scrollTop;
  const placeOf = (element: Element): number => element.getBoundingClientRect().top - start;
  const most = Math.min(placeOf(open) - list.clientHeight / 2, list.scrollHeight - list.clientHeight);
  const first = [...list.querySelectorAll('li')].findLast((line) => placeOf(line) <= most);
  if (first !== undefined) list.scrollTop = placeOf(first);
}
